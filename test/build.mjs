/**
 * `npm run build`: declarations by tsc, one small set of modules by esbuild. Sixty files take Node three times as long to
 * load as they take to run; what all entry points share stands in one chunk. What is inlined is small and has no state.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

const root = new URL('../', import.meta.url);
const { dependencies, peerDependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

rmSync(new URL('dist', root), { recursive: true, force: true });
const declarations = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
if (declarations.status !== 0) process.exit(declarations.status ?? 1);

await build({
  absWorkingDir: new URL('.', root).pathname,
  entryPoints: {
    index: 'src/index.ts',
    machine: 'src/machine.ts',
    openai: 'src/models/openai.ts',
    testing: 'src/testing.ts',
    tools: 'tools/shipped.ts',
    cli: 'src/cli/main.ts',
  },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  target: 'es2022',
  sourcemap: true,
  legalComments: 'eof',
  charset: 'utf8',
  external: ['node:*', ...Object.keys({ ...dependencies, ...peerDependencies })],
  logLevel: 'warning',
});
