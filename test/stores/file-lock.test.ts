/** Who drives a run that is kept in files, seen from real processes. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fileStore } from '../../src/store.ts';
import { bundled } from '../support/bundled.ts';
import { newFolder } from './file-folder.ts';
import { runOf, settled, started } from './lines.ts';

const program = bundled('test/stores/file-child.ts');
const isLinux = process.platform === 'linux';

type Said = { readonly [name: string]: unknown };
interface Child {
  readonly process: ChildProcess;
  do(work: string): Promise<Said>;
}

async function child(folder: string, runId = 'run'): Promise<Child> {
  const forked = fork(program, [folder, runId]);
  onTestFinished(() => void forked.kill('SIGKILL'));
  await once(forked, 'message');
  return {
    process: forked,
    async do(work) {
      forked.send(work);
      const [said] = await once(forked, 'message');
      return said;
    },
  };
}

async function killed({ process: { pid }, process: forked }: Child): Promise<number> {
  forked.kill('SIGKILL');
  await once(forked, 'exit');
  return pid ?? 0;
}

const held = { code: 'run_held', message: expect.any(String), hint: expect.any(String) };

test('of two who open at the same time one wins, each time', async () => {
  const folder = newFolder();
  const two = await Promise.all([child(folder), child(folder)]);
  for (let turn = 1; turn <= 60; turn++) {
    const said = await Promise.all(two.map((one) => one.do('open')));
    const winners = said.flatMap(({ epoch }, index) => (epoch === undefined ? [] : [{ epoch, winner: two[index] }]));
    expect(winners.map(({ epoch }) => epoch)).toEqual([turn]);
    expect(said.filter(({ code }) => code === 'run_held')).toHaveLength(1);
    await winners[0]?.winner?.do('append');
    await winners[0]?.winner?.do('release');
  }
  expect(await fileStore(folder).read('run')).toEqual(
    runOf('run', 60).map((line, at) => (at === 0 ? line : settled(at))),
  );
});

test('who takes turns as fast as it can never meets another, and no epoch is given twice', async () => {
  const folder = newFolder();
  const three = await Promise.all([child(folder), child(folder), child(folder)]);
  const said = await Promise.all(three.map((one) => one.do('contend')));
  const epochs = said.flatMap((one) => (Array.isArray(one.epochs) ? one.epochs : [one]));
  expect(epochs.sort((one, other) => one - other)).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
  expect(await fileStore(folder).read('run')).toHaveLength(300);
  expect(readdirSync(folder)).toEqual(['run.jsonl']);
});

test('one that is killed frees the run at once, and two who want it then do not both get it', async () => {
  const folder = newFolder();
  const others = await Promise.all([child(folder), child(folder)]);
  let epoch = 0;
  for (let turn = 0; turn < 5; turn++) {
    const holder = await child(folder);
    expect(await holder.do('open')).toEqual({ epoch: ++epoch });
    await holder.do('append');
    await killed(holder);
    const said = await Promise.all(others.map((one) => one.do('open')));
    expect(said.flatMap((one) => one.epoch ?? [])).toEqual([++epoch]);
    const winner = others[said.findIndex((one) => one.epoch !== undefined)];
    await winner?.do('append');
    await winner?.do('release');
    expect(readdirSync(folder)).toEqual(['run.jsonl']);
  }
  expect(await fileStore(folder).read('run')).toHaveLength(10);
});

test.runIf(isLinux)('a process that is dead and that nobody has looked at yet holds nothing', async () => {
  const folder = newFolder();
  const code = `'${process.execPath}' '${bundled('test/stores/hold-in-child.ts')}' file '${folder}' run`;
  // The shell becomes a program that never waits for its children; what it starts would be given an input that has ended.
  const parent = spawn('sh', ['-c', `exec 3<&0; ${code} <&3 & echo $! >&2; exec tail -f /dev/null`], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [[pid], [said]] = await Promise.all([once(parent.stderr, 'data'), once(parent.stdout, 'data')]);
  expect(String(said)).toBe('held 1\n');
  const store = fileStore(folder);
  await expect(store.open('run')).rejects.toMatchObject(held);
  process.kill(Number(pid), 'SIGKILL');
  // State Z, and one thread: proc_pid_stat(5).
  while (!/\) Z (\S+ ){16}[01] /.test(await readFile(`/proc/${Number(pid)}/stat`, 'utf8')));
  expect((await store.open('run')).epoch).toBe(2);
  await store.close();
});

test('one that was stopped still holds the run, and goes on with it', async () => {
  const folder = newFolder();
  const holder = await child(folder);
  await holder.do('open');
  await holder.do('append');
  holder.process.kill('SIGSTOP');
  const store = fileStore(folder);
  await expect(store.open('run')).rejects.toMatchObject(held);
  expect(await store.list()).toMatchObject([{ heldBy: `process ${holder.process.pid} on this machine` }]);
  holder.process.kill('SIGCONT');
  expect(await holder.do('append')).toEqual({});
  await holder.do('release');
  expect((await store.open('run')).lines).toHaveLength(2);
  await store.close();
});

test('a process that only held runs ends by itself', async () => {
  const folder = newFolder();
  const code = `import { fileStore } from ${JSON.stringify(new URL('../../src/store.ts', import.meta.url).href)};
    const held = await fileStore(process.argv[1]).open('run'); await held.append([JSON.parse(process.argv[2])]);`;
  const line = JSON.stringify(started('run'));
  const one = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', code, folder, line]);
  expect(await once(one, 'exit')).toEqual([0, null]);
  const store = fileStore(folder);
  expect(await store.open('run')).toMatchObject({ epoch: 2, lines: [started('run')] });
  await store.close();
});

/** A lock that somebody left: one that another thread of this process might have made, changed. */
async function forged(change: (lock: Said, instance: unknown) => Said | string) {
  const folder = newFolder();
  const store = fileStore(folder);
  const run = await store.open('run');
  await run.append([started('run')]);
  const lock = join(folder, 'run.lock-1');
  const text = readFileSync(lock, 'utf8');
  await run.release();
  const lockHere: Said = JSON.parse(text);
  const changed = change({ ...lockHere, instance: 'another' }, lockHere.instance);
  writeFileSync(lock, typeof changed === 'string' ? changed : JSON.stringify(changed));
  onTestFinished(() => store.close());
  return { store, lock };
}

test.each<[string, (lock: Said) => Said | string, string]>([
  ['another thread of this process', (lock) => lock, 'this process'],
  ['a process on another host', (lock) => ({ ...lock, host: 'elsewhere' }), `process ${process.pid} on elsewhere`],
  [
    'a dead one on another host',
    (lock) => ({ ...lock, host: 'elsewhere', pid: 2 ** 30 }),
    `process ${2 ** 30} on elsewhere`,
  ],
  [
    'one in another pid namespace',
    (lock) => ({ ...lock, pidNamespace: 'pid:[1]', pid: 2 ** 30 }),
    'in another container',
  ],
  ['nobody that can be read', () => '{"pid":', 'somebody unknown'],
  ['nobody at all', () => '', 'somebody unknown'],
  ['a pid that would be a group of processes', (lock) => ({ ...lock, pid: -1 }), 'somebody unknown'],
])('the lock of %s holds', async (_, change, words) => {
  const { store, lock } = await forged(change);
  const refused = { ...held, message: expect.stringContaining(words) };
  await expect(store.open('run')).rejects.toMatchObject(refused);
  await expect(store.delete('run')).rejects.toMatchObject(refused);
  expect(await store.list()).toMatchObject([{ status: 'running', heldBy: expect.stringContaining(words) }]);
  if (words === 'this process') return;
  await expect(store.open('run')).rejects.toMatchObject({ hint: expect.stringContaining(lock) });
});

test.each<[string, (lock: Said, instance: unknown) => Said]>([
  ['a process that is gone', (lock) => ({ ...lock, pid: 2 ** 30 })],
  ['this thread, which let it go', (lock, instance) => ({ ...lock, instance })],
  ...(isLinux
    ? ([
        ['an earlier process of the same pid', (lock) => ({ ...lock, startTime: '1' })],
        ['a process before the machine was started anew', (lock) => ({ ...lock, bootId: 'earlier' })],
        [
          'such a process in another pid namespace',
          (lock) => ({ ...lock, bootId: 'earlier', pidNamespace: 'pid:[1]' }),
        ],
      ] satisfies [string, (lock: Said) => Said][])
    : []),
])('the lock of %s does not hold, and is removed', async (_, change) => {
  const { store, lock } = await forged(change);
  expect(await store.list()).toMatchObject([{ status: 'interrupted', heldBy: null }]);
  const run = await store.open('run');
  expect(run.epoch).toBe(2);
  expect(existsSync(lock)).toBe(false);
  await run.release();
  expect(await store.delete('run')).toBe(true);
});

test('dead locks without a journal are passed over, and go with the first line', async () => {
  const { store, lock } = await forged((owner) => ({ ...owner, pid: 2 ** 30 }));
  const text = readFileSync(lock, 'utf8');
  await store.delete('run');
  for (const epoch of [1, 2]) writeFileSync(lock.replace(/1$/, String(epoch)), text);
  const run = await store.open('run');
  expect(run.epoch).toBe(3);
  await run.append([started('run')]);
  await run.release();
  expect((await store.open('run')).epoch).toBe(4);
  await store.close();
  expect(existsSync(lock)).toBe(false);
});

test.each(['removed', 'removed and taken by another'])(
  'a holder whose lock was %s writes nothing more',
  async (what) => {
    const folder = newFolder();
    const store = fileStore(folder);
    const run = await store.open('run');
    await run.append([started('run')]);
    unlinkSync(join(folder, 'run.lock-1'));
    const next = what === 'removed' ? null : await fileStore(folder).open('run');
    for (const write of [run.append, run.append, run.replace])
      await expect(write([settled(1)])).rejects.toMatchObject(held);
    await run.release();
    expect(await store.read('run')).toEqual([started('run')]);
    await next?.append([settled(1)]);
    await next?.release();
    const again = await store.open('run');
    expect(again.epoch).toBe(next === null ? 2 : 3);
    await store.close();
  },
);

test.runIf(isLinux)('what a crash left of making a lock is removed when a store begins', async () => {
  const folder = newFolder();
  for (const [pid, kept] of [
    [2 ** 30, false],
    [process.pid, true],
  ] as const) {
    const draft = join(folder, `run.lock-1.${pid}-0123abcd.tmp`);
    writeFileSync(draft, '');
    const store = fileStore(folder);
    await store.open('run');
    expect(existsSync(draft)).toBe(kept);
    await store.close();
  }
});
