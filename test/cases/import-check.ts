/** Loads every entry of the library in a fresh process, and counts the copies of what all of them must share. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SetupSeen } from './facts.ts';
import { root } from './root.ts';

/** As the package is built: the core is one file, and the other entries share its errors. */
const entryPoints = {
  index: 'src/index.ts',
  machine: 'src/machine.ts',
  observe: 'src/observe.ts',
  openai: 'src/models/openai.ts',
  testing: 'src/testing.ts',
  tools: 'tools/shipped.ts',
};

/** Inside the project, so that its packages are found; removed again at once. */
export async function importInChild(): Promise<Partial<SetupSeen>> {
  const folder = await mkdtemp(join(root, 'node_modules/.fuseloop-case-'));
  try {
    const options = { bundle: true, splitting: true, format: 'esm', platform: 'node', packages: 'external' } as const;
    await (await import('esbuild')).build({
      absWorkingDir: root,
      entryPoints,
      outdir: folder,
      logLevel: 'silent',
      ...options,
    });
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'load.mjs'), loadAll);
    return JSON.parse(await output(join(folder, 'load.mjs')));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** One error class must serve all entries: what the adapter throws is an AgentError for the user of the core. */
const loadAll = `
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const importErrors = [];
const loaded = {};
for (const name of ${JSON.stringify(Object.keys(entryPoints))}) {
  try {
    loaded[name] = await import('./' + name + '.js');
    if (loaded[name] === undefined || Object.keys(require('./' + name + '.js')).length === 0)
      importErrors.push(name + ' exports nothing');
  } catch (error) {
    importErrors.push(name + ': ' + error.message);
  }
}
const classes = new Set([loaded.index?.AgentError]);
try {
  loaded.openai?.openai({ model: '' });
} catch (error) {
  classes.add(error.constructor);
}
console.log(JSON.stringify({ importErrors, copies: classes.size }));
`;

function output(file: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [file], (error, stdout) => (error === null ? resolve(stdout) : reject(error)));
  });
}
