/**
 * `npm run build`: declarations by tsc, modules by esbuild. Node takes longer to load sixty files than to run them, so the
 * core is one small file. The source maps hold the sources.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { build } from 'esbuild';
import { writePage } from './build-page.mjs';
import { noFormats, partsApart } from './build-parts.mjs';

const root = new URL('../', import.meta.url);
const { dependencies, peerDependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

rmSync(new URL('dist', root), { recursive: true, force: true });
const declarations = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
if (declarations.status !== 0) process.exit(declarations.status ?? 1);

/** What all entry points must share: an error of one of them is an `AgentError` for the user of another. */
const sharedErrors = {
  name: 'shared-errors',
  setup({ onResolve }) {
    onResolve({ filter: /core\/errors\.ts$|^\.\/errors\.ts$/ }, () => ({ path: './index.js', external: true }));
  },
};

const shared = {
  absWorkingDir: new URL('.', root).pathname,
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  target: 'es2022',
  sourcemap: true,
  minify: true,
  legalComments: 'none', // THIRD-PARTY.md
  external: ['node:*', ...Object.keys({ ...dependencies, ...peerDependencies })],
  logLevel: 'warning',
  plugins: [noFormats],
};

// What both need is loaded once.
await build({
  ...shared,
  entryPoints: {
    index: 'src/index.ts',
    id: 'src/protocol/id.ts',
    paper: 'src/protocol/paper.ts',
    tags: 'src/protocol/tags.ts',
    'going-on': 'src/shell/going-on.ts',
    lasting: 'src/shell/lasting.ts',
  },
  splitting: true,
  plugins: [noFormats, partsApart],
});
await build({
  ...shared,
  entryPoints: {
    laws: 'src/shell/lawful-port.ts',
    'no-going-on': 'src/shell/no-going-on.ts',
    'no-laws': 'src/shell/lawless-port.ts',
    'no-id': 'src/no-id.ts',
    'no-lasting': 'src/shell/no-lasting.ts',
    'no-paper': 'src/no-paper.ts',
    'no-tags': 'src/no-tags.ts',
    chinese: 'src/chinese.ts',
    'no-chinese': 'src/no-chinese.ts',
  },
  plugins: [noFormats, sharedErrors],
});
await build({
  ...shared,
  entryPoints: {
    'ai-sdk': 'src/models/ai-sdk.ts',
    anthropic: 'src/models/anthropic.ts',
    machine: 'src/machine.ts',
    models: 'src/models.ts',
    inspect: 'src/inspect.ts',
    observe: 'src/observe.ts',
    otel: 'src/otel.ts',
    openai: 'src/models/openai.ts',
    record: 'src/record.ts',
    store: 'src/store.ts',
    testing: 'src/testing.ts',
    tools: 'tools/shipped.ts',
    trace: 'src/trace.ts',
    cli: 'src/cli/main.ts',
  },
  splitting: true,
  plugins: [noFormats, sharedErrors],
});

await writePage();
