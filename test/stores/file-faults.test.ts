/** Disks that are full or read-only, folders that are none, files of others: a clear error, and nothing lost. */
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { JournalLine } from '../../src/core/store.ts';
import { fileStore } from '../../src/store.ts';
import { mounted, newFolder } from './file-folder.ts';
import { checkpoint, runOf, settled, started } from './lines.ts';

const words = expect.stringMatching(/\w+ \w+ \w+/);
const failed = { name: 'AgentError', code: 'store_failed', message: words, hint: words };
const invalid = { ...failed, code: 'invalid_journal' };

async function withRun(folder: string, lines: readonly JournalLine[] = runOf('run', 3)) {
  const store = fileStore(folder);
  onTestFinished(() => store.close());
  const held = await store.open('run');
  await held.append(lines);
  await held.release();
  return { store, file: join(folder, 'run.jsonl') };
}

test.each<[string, (folder: string) => string]>([
  ['a file', (folder) => join(folder, 'file')],
  ['below a file', (folder) => join(folder, 'file', 'runs')],
  ...(process.platform === 'linux' ? ([['/proc', () => '/proc/runs']] satisfies [string, () => string][]) : []),
])('a folder that is %s', async (what, path) => {
  const folder = newFolder();
  writeFileSync(join(folder, 'file'), 'mine');
  const store = fileStore(path(folder));
  await expect(store.open('run')).rejects.toMatchObject(failed);
  if (what === '/proc') return;
  await expect(store.read('run')).rejects.toMatchObject(failed);
  await expect(store.list()).rejects.toMatchObject(failed);
  await expect(store.delete('run')).rejects.toMatchObject(failed);
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('mine');
});

test('a folder that is not there is empty, and only open makes it', async () => {
  const folder = join(newFolder(), 'a', 'b');
  const store = fileStore(folder);
  expect([await store.read('run'), await store.list(), await store.delete('run')]).toEqual([null, [], false]);
  expect(statSync(folder, { throwIfNoEntry: false })).toBe(undefined);
  await store.open('run');
  await store.close();
  expect(statSync(folder).isDirectory()).toBe(true);
  if (process.platform !== 'win32') expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('files are for their owner alone', async () => {
  const { file } = await withRun(newFolder());
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
});

test.each(['', 7, null, undefined, {}, 'a\0b', new URL('https://example.com/runs')])('%j is no folder', (folder) => {
  expect(() => Reflect.apply(fileStore, null, [folder])).toThrow(
    expect.objectContaining({ code: 'invalid_option', hint: words }),
  );
});

test('a URL is a folder, also with a space and Chinese in it', async () => {
  const folder = join(newFolder(), '运行 1');
  await withRun(folder);
  expect(await fileStore(pathToFileURL(folder)).read('run')).toEqual(runOf('run', 3));
});

test('a disk that is read-only', async () => {
  const disk = mounted('size=1m');
  if (disk === null) return leftOut();
  const { store } = await withRun(disk.folder);
  const held = await store.open('run');
  await held.release();
  disk.remount('ro');
  await expect(store.open('run')).rejects.toMatchObject({ ...failed, hint: expect.stringContaining('may write') });
  await expect(store.delete('run')).rejects.toMatchObject(failed);
  expect(await store.read('run')).toEqual(runOf('run', 3));
  expect(await store.list()).toMatchObject([{ runId: 'run', status: 'interrupted' }]);
  disk.remount('rw');
  expect((await store.open('run')).lines).toEqual(runOf('run', 3));
});

test.each(['append', 'replace'] as const)('a disk that is full, at %s', async (way) => {
  const disk = mounted('size=256k');
  if (disk === null) return leftOut();
  const { store } = await withRun(disk.folder);
  const held = await store.open('run');
  const durable = runOf('run', 3);
  let error: unknown = null;
  for (let index = 3; error === null; index++) {
    const line = settled(index, null, 'x'.repeat(3_000));
    const lines = way === 'append' ? [line] : [checkpoint('run', index), line, ...many(index + 1)];
    try {
      await (way === 'append' ? held.append(lines) : held.replace(lines));
      durable.splice(way === 'append' ? durable.length : 0, way === 'append' ? 0 : durable.length, ...lines);
    } catch (thrown) {
      error = thrown;
    }
    expect(index).toBeLessThan(1_000);
  }
  expect(error).toMatchObject({ ...failed, hint: expect.stringContaining('room') });
  await expect(held.append([settled(1)])).rejects.toBe(error);
  await held.release();
  const read = (await store.read('run')) ?? [];
  expect(read.slice(0, durable.length)).toEqual(durable);

  // With a disk that is full to the last byte nothing can be begun, and nothing is lost.
  fill(disk.folder);
  await expect(store.open('run')).rejects.toMatchObject(failed);
  await expect(store.open('new')).rejects.toMatchObject(failed);
  expect((await store.read('run'))?.slice(0, durable.length)).toEqual(durable);
  expect(readdirSync(disk.folder).sort()).toEqual(['filling', 'run.jsonl']);

  disk.remount('size=2m');
  const again = await store.open('run');
  expect(again.lines.slice(0, durable.length)).toEqual(durable);
  expect(again.lines.length - durable.length).toBeLessThanOrEqual(1);
  const next = again.lines.at(-1);
  await again.append([settled(next?.type === 'checkpoint' ? next.snapshot.sequence : (next?.sequence ?? 0) + 1)]);
  await again.release();
  expect(await store.read('run')).toHaveLength(again.lines.length + 1);
});

/** Of a replacement that grows until it does not fit. */
function many(from: number): readonly JournalLine[] {
  return Array.from({ length: from * 3 }, (_, index) => settled(from + index, null, 'y'.repeat(1_000)));
}

function fill(folder: string): void {
  for (const size of [4_096, 512, 1])
    try {
      for (;;) appendFileSync(join(folder, 'filling'), Buffer.alloc(size));
    } catch {
      // It is full.
    }
}

function leftOut(): void {
  console.log('left out: no file system can be mounted here');
}

type Change = readonly [string, (text: string) => string, RegExp];

const ofHeader: readonly Change[] = [
  ['an empty file', () => '', /cut off/],
  ['a header that is cut', (text) => text.slice(0, 70), /cut off/],
  ['a file of somebody else', () => 'a,b,c\n1,2,3\n', /no file of a run/],
  ['a file of somebody else without a line end', () => '{"type":"something"}', /no file of a run/],
  ['a journal without a header', (text) => text.slice(text.indexOf('\n') + 1), /no file of a run/],
  [
    'a later version',
    (text) => text.replace('fuseloop.file/1', 'fuseloop.file/2'),
    /fuseloop\.file\/2.*fuseloop\.file\/1/,
  ],
  ['a header that is damaged', (text) => text.replace('"epoch":1', '"epoch":"x"'), /damaged in line 1/],
  [
    'the file of another run',
    (text) => text.replace('"runId":"run"', '"runId":"other"'),
    /belongs to another run, "other"/,
  ],
];
const ofFirstLine: readonly Change[] = [
  ['a first line that is cut', (text) => text.slice(0, text.indexOf('\n') + 100), /cut off/],
  [
    'a first line without its end',
    (text) => text.slice(0, text.indexOf('"call.settled"')).replace(/\n[^\n]*$/, ''),
    /cut off/,
  ],
  ['a first line that is missing', (text) => text.slice(0, text.indexOf('\n') + 1), /cut off/],
];
const ofMiddle: readonly Change[] = [
  ['a middle that is no JSON', (text) => text.replace('"result":"succeeded"', '"result":succeeded'), /Line 2/],
  ['a middle of zeros', (text) => text.replace(/"result".{20}/, '\0'.repeat(29)), /Line 2/],
  ['a middle that is cut', (text) => text.replace(/"result".{20}/, ''), /Line 2/],
  ['an empty line in the middle', (text) => text.replace('\n', '\n\n'), /Line 1/],
];
const changes = [...ofHeader, ...ofFirstLine, ...ofMiddle];

test.each(changes)('%s is refused, and left as it is', async (_, change, problem) => {
  const { store, file } = await withRun(newFolder());
  const changed = change(readFileSync(file, 'utf8'));
  writeFileSync(file, changed);
  const refused = { ...invalid, message: expect.stringMatching(problem) };
  await expect(store.open('run')).rejects.toMatchObject(refused);
  await expect(store.read('run')).rejects.toMatchObject(refused);
  expect(readFileSync(file, 'utf8')).toBe(changed);
  expect(readdirSync(join(file, '..'))).toEqual(['run.jsonl']);
});

test.each([...ofHeader, ...ofFirstLine])(
  '%s is listed as unreadable, beside those that can be read',
  async (_, change) => {
    const folder = newFolder();
    const { store, file } = await withRun(folder);
    const good = await store.open('good');
    await good.append([started('good')]);
    await good.release();
    writeFileSync(file, change(readFileSync(file, 'utf8')));
    const list = await store.list();
    expect(list).toMatchObject([{ runId: 'good' }, { runId: 'run', status: 'unreadable', problem: words }]);
    expect(await store.list({ status: ['unreadable'] })).toHaveLength(1);
  },
);

test('what is damaged can be deleted; what is of somebody else is not', async () => {
  for (const row of changes) {
    const [, change] = row;
    const { store, file } = await withRun(newFolder());
    writeFileSync(file, change(readFileSync(file, 'utf8')));
    if (!ofHeader.includes(row)) expect(await store.delete('run')).toBe(true);
    else await expect(store.delete('run')).rejects.toMatchObject(invalid);
  }
});

test('other things in the folder are left alone', async () => {
  const folder = newFolder();
  const { store, file } = await withRun(folder);
  mkdirSync(join(folder, 'folder.jsonl'));
  for (const other of ['notes.txt', 'run.lock', 'run.lock-x', '.hidden']) writeFileSync(join(folder, other), 'x');
  copyFileSync(file, join(folder, 'copy.jsonl'));
  const list = await store.list();
  expect(list.map(({ runId, status }) => [runId, status]).sort()).toEqual([
    ['copy', 'unreadable'],
    ['folder', 'unreadable'],
    ['run', 'interrupted'],
  ]);
  await expect(store.read('copy')).rejects.toMatchObject(invalid);
  expect(readFileSync(join(folder, 'run.lock-x'), 'utf8')).toBe('x');
});

test('a file that is removed under its holder takes nothing more', async () => {
  const folder = newFolder();
  const { store, file } = await withRun(folder);
  const held = await store.open('run');
  unlinkSync(file);
  await expect(held.append([settled(3)])).rejects.toMatchObject({
    ...failed,
    message: expect.stringContaining('removed'),
  });
});
