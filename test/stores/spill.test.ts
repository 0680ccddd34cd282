/** Contents that are kept apart: the contract of stores all the same, and what stands where. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ErrorRecord } from '../../src/core/events.ts';
import type { JsonValue } from '../../src/core/json.ts';
import type { JournalLine } from '../../src/core/store.ts';
import { type Blobs, blobFiles, fileStore, memoryStore, prune, spilled, sqliteStore } from '../../src/store.ts';
import { checkpoint, ended, oddValue, runOf, settled, started, startMs } from './lines.ts';
import { storeContract } from './store-contract.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'fuseloop-apart-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

for (const overBytes of [0, 1_000])
  storeContract(
    `spilled, over ${overBytes} bytes`,
    async () => {
      const path = await mkdtemp(join(tmpdir(), 'fuseloop-spilled-'));
      const blobs = blobFiles(join(path, '内容'));
      return {
        store: spilled(fileStore(join(path, 'runs')), blobs, { overBytes }),
        other: () => spilled(fileStore(join(path, 'runs')), blobs, { overBytes }),
        remove: () => rm(path, { recursive: true, force: true }),
      };
    },
    {
      beRewritten: 'the store inside has its own suite',
      beKilled: 'the store inside has its own suite',
      ...(overBytes === 0 ? { listTasks: 'the task is apart' } : {}),
    },
  );

const secret = 'hunter2 思考';
const call = {
  callId: '1.1',
  tool: 'log_in',
  input: { password: secret },
  status: 'asking',
  key: `log_in:${secret}`,
} as const;
const history = {
  messages: [
    { role: 'user', content: secret },
    {
      role: 'assistant',
      content: '',
      calls: [{ toolCallId: 'a', tool: 'log_in', input: secret }],
      providerData: [secret],
    },
  ],
  steps: [],
  open: null,
} as const;
const errorOf = (cause: ErrorRecord | null): ErrorRecord => ({
  name: `E ${secret}`,
  message: secret,
  stack: null,
  cause,
});
const base = checkpoint('run', 1);
const withSecrets: readonly JournalLine[] = [
  { ...started('run', { task: secret }), state: secret.slice(0, 0) },
  settled(1, { password: secret, deep: [secret] }, secret),
  Object.assign(settled(2, 7, secret), { error: errorOf(errorOf(null)) }),
  settled(3, oddValue, '\ud800'),
  checkpoint('run', 4, {
    task: secret,
    history,
    context: {
      ...base.snapshot.context,
      calls: [{ ...call, repaired: false, effect: 'sideEffect', endsRun: false, empty: false, resultKey: '' }],
      window: [secret],
    },
  }),
  { ...ended(4, 'suspended', [{ toolCallId: '1.1', tool: 'log_in', input: { password: secret } }]) },
];

test('with overBytes 0 nothing of a content is where the lines are, and all comes back', async () => {
  const [runs, contents] = [await folder(), await folder()];
  const store = spilled(fileStore(runs), blobFiles(contents), { overBytes: 0 });
  const held = await store.open('run');
  await held.append(withSecrets);
  await held.release();
  const written = await Promise.all((await readdir(runs)).map((file) => readFile(join(runs, file), 'utf8')));
  expect(written.join('\n')).toContain('call.settled');
  for (const word of ['hunter2', '思考', 'password', '\\ud800', 'polluted'])
    expect(written.join('\n')).not.toContain(word);
  expect(await store.read('run')).toEqual(withSecrets);
  const again = await store.open('run');
  expect(JSON.stringify(again.lines)).toBe(JSON.stringify(withSecrets));
  await again.release();
  expect(await store.list()).toMatchObject([
    { runId: 'run', status: 'suspended', task: '', waiting: [{ tool: 'log_in', input: { password: secret } }] },
  ]);
});

test.each<[string, JsonValue]>([
  ['what looks like a reference', { apart: { sha256: 'a'.repeat(64), bytes: 1, paths: [['output']] } }],
  ['a text', 'x'.repeat(2_000)],
  ['a list', Array.from({ length: 500 }, (_, index) => index)],
  ['an object', { text: 'x'.repeat(2_000), content: null }],
  ['a short text', 'short'],
  ['half a character at the place of a cut', `${'x'.repeat(165)}🙂${'y'.repeat(2_000)}`],
])('%s comes back as it was, and is apart where it is long', async (_, output) => {
  const inner = memoryStore();
  const contents = await folder();
  const store = spilled(inner, blobFiles(contents), { overBytes: 1_000 });
  const held = await store.open('run');
  const lines = [started('run'), settled(1, output)];
  await held.append(lines);
  expect(await store.read('run')).toEqual(lines);
  const isLong = Buffer.byteLength(JSON.stringify(output)) > 1_000;
  expect(await readdir(contents)).toHaveLength(isLong ? 1 : 0);
  expect(JSON.stringify(await inner.read('run')).length).toBeLessThan(1_500 + (isLong ? 0 : 1_000));
});

test('contents that no line refers to any more are removed, and those of others are not', async () => {
  const contents = await folder();
  const inner = memoryStore();
  const store = spilled(inner, blobFiles(contents), { overBytes: 100 });
  const digests = async (runId: string) => (await readdir(join(contents, runId))).sort();
  const long = (letter: string) => letter.repeat(1_000);
  const other = await store.open('other');
  await other.append([started('other'), settled(1, long('o'))]);
  const held = await store.open('run');
  await Promise.all([
    held.append([started('run'), settled(1, long('a'))]),
    held.replace([checkpoint('run', 2, { task: long('b') })]),
    held.append([settled(2, long('c'))]),
    held.append([settled(3, long('a'))]),
  ]);
  await held.release();
  expect(await digests('run')).toHaveLength(3);
  expect(await digests('other')).toHaveLength(1);
  expect(await store.read('run')).toHaveLength(3);
  expect(await store.delete('run')).toBe(true);
  expect(await readdir(contents)).toEqual(['other']);
});

test('many lines and replacements at once lose nothing', async () => {
  const store = spilled(memoryStore(), blobFiles(await folder()), { overBytes: 0 });
  const held = await store.open('run');
  const writes: Promise<void>[] = [held.append([started('run')])];
  let lines: JournalLine[] = [started('run')];
  for (let next = 1; next < 60; next++) {
    if (next % 7 === 0) {
      lines = [checkpoint('run', next, { task: `task ${next}` })];
      writes.push(held.replace(lines));
    }
    lines = [...lines, settled(next, `output ${next % 5}`)];
    writes.push(held.append(lines.slice(-1)));
  }
  await Promise.all(writes);
  await held.release();
  expect(await store.read('run')).toEqual(lines);
});

test.each([
  ['missing', (path: string) => rm(path), /missing/],
  ['changed', (path: string) => writeFile(path, '["another"]'), /changed/],
  ['cut', async (path: string) => writeFile(path, (await readFile(path, 'utf8')).slice(0, -2)), /changed/],
])('contents that are %s are named, and nothing is used', async (_, damage, problem) => {
  const contents = await folder();
  const store = spilled(memoryStore(), blobFiles(contents), { overBytes: 100 });
  const held = await store.open('run');
  await held.append([started('run'), settled(1, 'x'.repeat(1_000))]);
  await held.release();
  const [file = ''] = await readdir(join(contents, 'run'));
  await damage(join(contents, 'run', file));
  const refusal = { code: 'invalid_journal', message: expect.stringContaining(file.replace('.json', '')) };
  // One after the other: a rejection that nobody waits for yet would be unhandled.
  for (const use of [store.read, store.open]) {
    const attempt = use('run');
    await expect(attempt).rejects.toMatchObject(refusal);
    await expect(attempt).rejects.toThrow(problem);
  }
  expect(await store.delete('run')).toBe(true);
});

test('a place that fails fails the append, and a line never stands before its contents', async () => {
  const inner = memoryStore();
  const blobs: Blobs = { put: () => Promise.reject(new Error('the bucket is gone')), get: async () => null };
  const held = await spilled(inner, blobs, { overBytes: 100 }).open('run');
  await held.append([started('run')]);
  const failed = held.append([settled(1, 'x'.repeat(1_000))]);
  const behind = held.append([settled(2)]);
  for (const one of [failed, behind])
    await expect(one).rejects.toMatchObject({
      code: 'store_failed',
      message: expect.stringContaining('bucket is gone'),
    });
  expect(await inner.read('run')).toEqual([started('run')]);
});

test.each(['goes on', 'is suspended anew', 'is deleted'])('while a run that waits is read, it %s', async (what) => {
  const [inner, path] = [memoryStore(), await folder()];
  const files = blobFiles(path);
  const writer = spilled(inner, files, { overBytes: 0 });
  const wait = [{ toolCallId: '1.1', tool: 'log_in', input: secret }];
  const first = await writer.open('run');
  await first.append([started('run'), ended(1, 'suspended', wait)]);
  await first.release();
  let meanwhile: (() => Promise<void>) | null = null;
  const get: Blobs['get'] = async (...given) => {
    const act = meanwhile;
    meanwhile = null;
    await act?.();
    return files.get(...given);
  };
  const goOn = async () => {
    if (what === 'is deleted') return void (await writer.delete('run'));
    const held = await writer.open('run');
    await held.replace([checkpoint('run', 2, { task: secret })]);
    if (what !== 'goes on') await held.append([ended(2, 'suspended', wait)]);
    await held.release();
  };
  const reader = spilled(inner, { ...files, get }, { overBytes: 0 });
  meanwhile = goOn;
  const waiting = { status: 'suspended', waiting: wait, problem: null };
  const list = await reader.list();
  if (what === 'is deleted') expect(list).toEqual([]);
  else expect(list).toMatchObject([what === 'goes on' ? { status: 'interrupted', problem: null } : waiting]);
  if (what === 'is deleted') return;
  meanwhile = goOn;
  expect(await reader.read('run')).toEqual(await writer.read('run'));
});

test.each([-1, 1.5, Number.NaN])('overBytes %j is refused', (overBytes) => {
  expect(() => spilled(memoryStore(), blobFiles('contents'), { overBytes })).toThrow(/overBytes/);
});

test.each([
  ['memoryStore', async () => memoryStore()],
  ['fileStore', async () => fileStore(await folder())],
  ['sqliteStore', async () => sqliteStore(join(await folder(), 'runs.db'))],
  ['spilled', async () => spilled(memoryStore(), blobFiles(await folder()), { overBytes: 0 })],
])('prune takes from %s what ended before the instant, and nothing else', async (_, make) => {
  const store = await make();
  onTestFinished(() => store.close());
  const lines: { readonly [runId: string]: readonly JournalLine[] } = {
    old: [started('old'), ended(1)],
    stopped: [started('stopped'), settled(1), ended(2, 'max_steps')],
    recent: [...runOf('recent', 9), ended(9)],
    suspended: [started('suspended'), ended(1, 'suspended', [])],
    interrupted: [started('interrupted')],
    held: [started('held'), ended(1)],
  };
  for (const [runId, all] of Object.entries(lines)) {
    const held = await store.open(runId);
    await held.append(all);
    if (runId !== 'held') await held.release();
  }
  expect(await prune(store, { endedBeforeMs: startMs + 1_000 })).toBe(0);
  expect(await prune(store, { endedBeforeMs: startMs + 5_000 })).toBe(2);
  expect((await store.list()).map(({ runId }) => runId).sort()).toEqual(['held', 'interrupted', 'recent', 'suspended']);
  await expect(prune(store, { endedBeforeMs: Number.NaN })).rejects.toMatchObject({ code: 'invalid_option' });
});
