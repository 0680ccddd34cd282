/** Holds that are let go in vain, or while they are taken; and what is stored when somebody else is in between. */
import { execFile } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { Store } from '../../src/core/store.ts';
import { blobFiles, fileStore, memoryStore, prune, spilled, sqliteStore } from '../../src/store.ts';
import { newFolder } from './file-folder.ts';
import { checkpoint, ended, settled, started, startMs } from './lines.ts';

const stores: { readonly [name: string]: (folder: string) => Store } = {
  memoryStore: () => memoryStore(),
  fileStore: (folder) => fileStore(folder),
  sqliteStore: (folder) => sqliteStore(join(folder, 'runs.db'), { busyMs: 0 }),
  spilled: (folder) => spilled(fileStore(join(folder, 'runs')), blobFiles(join(folder, 'apart')), { overBytes: 0 }),
};
const names = Object.keys(stores);
const onDisks = ['fileStore', 'sqliteStore'];
const source = JSON.stringify(pathToFileURL(join(import.meta.dirname, '../../src/store.ts')).href);

function made(name: string, folder = newFolder()) {
  const store = stores[name]?.(folder) ?? memoryStore();
  onTestFinished(() => store.close());
  return { store, folder };
}

test('a database that is locked when a run is let go: it is free here, and for all once that is asked again', async () => {
  const { store, folder } = made('sqliteStore');
  const held = await store.open('run');
  await held.append([started('run')]);
  const other = new Database(join(folder, 'runs.db'));
  const refused = { code: 'store_failed', message: expect.stringContaining('locked') };
  other.exec('BEGIN IMMEDIATE');
  await expect(held.release()).rejects.toMatchObject(refused);
  expect(await store.list()).toMatchObject([{ status: 'interrupted', heldBy: null }]);
  await expect(held.release()).rejects.toMatchObject(refused);
  other.exec('COMMIT');
  const owners = () => other.prepare('SELECT owner FROM runs').pluck().all();
  await held.release();
  expect(owners()).toEqual([null]);

  const second = await store.open('run');
  other.exec('BEGIN IMMEDIATE');
  await expect(second.release()).rejects.toMatchObject(refused);
  other.exec('COMMIT');
  const third = await store.open('run');
  expect([second.epoch, third.epoch]).toEqual([2, 3]);
  await expect(second.append([settled(1)])).rejects.toMatchObject({ code: 'store_failed' });
  await second.release();
  await third.append([settled(1)]);
  await expect(store.open('run')).rejects.toMatchObject({ code: 'run_held' });
  other.close();
});

test.each(names)('%s: closed while a run is opened, the run is let go', async (name) => {
  const { store, folder } = made(name);
  for (let turns = 0; turns < 12; turns++) {
    const opening = store.open('run').catch(() => null);
    for (let turn = 0; turn < turns; turn++) await null;
    await store.close();
    const held = await opening;
    await expect(held?.append([started('run')]) ?? Promise.reject({ code: 'store_failed' })).rejects.toMatchObject({
      code: 'store_failed',
    });
    const next = await (name === 'memoryStore' ? store : made(name, folder).store).open('run');
    await next.release();
  }
});

test.each(onDisks)('%s: another thread of this process holds its run until it lets go', async (name) => {
  const { store, folder } = made(name);
  const path = JSON.stringify(name === 'fileStore' ? folder : join(folder, 'runs.db'));
  const tsx = createRequire(import.meta.url)
    .resolve('tsx/esm/api')
    .replace(/cjs$/, 'mjs');
  const program = `const { parentPort } = require('node:worker_threads');
    import(${JSON.stringify(pathToFileURL(tsx).href)}).then(async ({ register }) => {
    register();
    const { ${name} } = await import(${source});
    const held = await ${name}(${path}).open('run');
    await held.append([${JSON.stringify(started('run'))}]);
    parentPort.postMessage('held');
    parentPort.once('message', () => held.release().then(() => parentPort.postMessage('let go')));
    });`;
  const worker = new Worker(program, { eval: true });
  onTestFinished(async () => void (await worker.terminate()));
  const said = () => new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  expect(await said()).toBe('held');
  await expect(store.open('run')).rejects.toMatchObject({ code: 'run_held' });
  expect(await store.list()).toMatchObject([{ status: 'running', heldBy: 'this process' }]);
  const end = said();
  worker.postMessage('go');
  expect(await end).toBe('let go');
  expect((await store.open('run')).epoch).toBe(2);
});

test.each(names)('%s: nothing remembers a run that was let go', async (name) => {
  const { store } = made(name);
  const refs: WeakRef<object>[] = [];
  for (let index = 0; index < 20; index++) {
    const held = await store.open('run');
    if (index === 0) await held.append([started('run')]);
    refs.push(new WeakRef(held), new WeakRef(held.lines));
    await held.release();
  }
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  await new Promise((resolve) => setImmediate(resolve));
  if (typeof gc === 'function') gc();
  // The last ones may still be in a register.
  expect(refs.filter((ref) => ref.deref() !== undefined).length).toBeLessThan(10);
});

test('a run that is begun while another of its name is deleted has one holder', async () => {
  const folder = newFolder();
  const store = fileStore(folder);
  const held = await store.open('run');
  await held.append([started('run')]);
  await held.release();
  const program = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { unlink } = fs.promises;
    let meanwhile = null;
    fs.promises.unlink = async (path) => {
      await unlink(path);
      if (meanwhile === null || !path.endsWith('.jsonl')) return;
      const act = meanwhile;
      meanwhile = null;
      await act();
    };
    syncBuiltinESMExports();
    const { fileStore } = await import(${source});
    const [folder, line] = process.argv.slice(1);
    if (line === 'die') {
      await fileStore(folder).open('run');
      process.kill(process.pid, 'SIGKILL');
    }
    let held = null;
    meanwhile = async () => {
      held = await fileStore(folder).open('run');
      await held.append([JSON.parse(line)]);
    };
    const isDeleted = await fileStore(folder).delete('run');
    const again = await fileStore(folder).open('run').then(() => 'a second hold', ({ code }) => code);
    await held.append([{ ...JSON.parse(line), type: 'answer.accepted', answer: 'a', step: 1, atMs: 1, sequence: 1 }]);
    console.log(JSON.stringify({ isDeleted, epoch: held.epoch, again, files: fs.readdirSync(folder).sort() }));
    process.exit();`;
  const run = (given: string) =>
    promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program, folder, given]);
  await expect(run('die')).rejects.toMatchObject({ signal: 'SIGKILL' });
  const { stdout } = await run(JSON.stringify(started('run')));
  expect(JSON.parse(stdout)).toEqual({
    ...{ isDeleted: true, epoch: 1, again: 'run_held', files: ['run.jsonl', 'run.lock-1'] },
  });
});

test.each(names)('%s: prune leaves what was taken up and left again since it was listed', async (name) => {
  const { store } = made(name);
  const held = await store.open('run');
  await held.append([started('run'), ended(1, 'max_steps')]);
  await held.release();
  const slow: Store = {
    ...store,
    async open(runId) {
      const meanwhile = await store.open(runId);
      await meanwhile.replace([checkpoint('run', 2), { ...ended(2, 'suspended', []), sequence: 2 }]);
      await meanwhile.release();
      return store.open(runId);
    },
  };
  expect(await prune(slow, { endedBeforeMs: startMs + 60_000 })).toBe(0);
  expect(await store.list()).toMatchObject([{ runId: 'run', status: 'suspended' }]);
});

test.each(['removed', 'replaced'])('a database that was %s takes nothing more', async (how) => {
  const { store, folder } = made('sqliteStore');
  const held = await store.open('run');
  await held.append([started('run')]);
  const [path, aside] = [join(folder, 'runs.db'), join(folder, 'aside.db')];
  renameSync(path, aside);
  if (how === 'replaced') new Database(path).close();
  const refused = { code: 'store_failed', message: expect.stringContaining('removed or replaced') };
  await expect(held.append([settled(1)])).rejects.toMatchObject(refused);
  for (const attempt of [store.open('other'), store.read('run'), store.list(), store.delete('run')])
    await expect(attempt).rejects.toMatchObject(refused);
  await expect(store.close()).rejects.toMatchObject(refused);
  rmSync(path, { force: true });
  renameSync(aside, path);
  expect(await store.read('run')).toEqual([started('run')]);
  expect((await store.open('run')).lines).toEqual([started('run')]);
});
