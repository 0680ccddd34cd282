/** No file stays open behind what opened it, whatever goes wrong in between. */
import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { followFile } from '../../src/cli/follow-file.ts';
import { fileStore } from '../../src/store.ts';
import { readTrace, traceFile, traceFolder } from '../../src/trace.ts';
import { started } from '../stores/lines.ts';
import { openIn, tellsOpenFiles } from '../support/open-files.ts';
import { samples } from './trace-samples.ts';

const folder = mkdtempSync(join(tmpdir(), 'fuseloop-open-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newPath = () => join(folder, `${++files}.jsonl`);

const begin = samples['run.started'].least;
const end = { ...samples['run.ended'].least, sequence: 1 };
const run = { runId: begin.runId };
const trace = (...lines: readonly unknown[]) => {
  const path = newPath();
  writeFileSync(path, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  return path;
};
const follows = { follows: true, onCaughtUp: () => {} };

/** Some of them fail, with that. */
const cases: readonly [string, () => Promise<unknown>, string?][] = [
  [
    'a trace that is written to its end',
    async () => {
      const file = traceFile(newPath());
      for (const event of [begin, end]) file.onEvent(event, run);
      await file.close();
    },
  ],
  ['one that is foreign, and not closed', () => traceFile(trace('my notes')).ready(), 'store_failed'],
  [
    'a folder of traces, of which one has no end',
    async () => {
      const traces = traceFolder(folder);
      traces.onEvent(begin, run);
      await traces.close();
    },
  ],
  [
    'a reader that leaves',
    async () => {
      for await (const _ of readTrace(trace(begin, end))) return;
      throw new Error('it was empty');
    },
  ],
  [
    'a reader that meets what is no trace',
    async () => {
      for await (const _ of readTrace(trace(begin, 'no JSON', end)));
    },
    'invalid_option',
  ],
  [
    'one who follows a file, and leaves',
    async () => {
      for await (const _ of followFile(trace(begin), { ...follows, signal: new AbortController().signal })) return;
      throw new Error('it was empty');
    },
  ],
  [
    'one who follows a file, and is stopped',
    async () => {
      const stop = new AbortController();
      for await (const _ of followFile(trace(begin), { ...follows, signal: stop.signal })) stop.abort();
    },
  ],
  ['a stored run that is damaged', () => damaged((store) => store.open('r')), 'invalid_journal'],
  ['the same in a list', () => damaged((store) => store.list())],
  [
    'a store that is closed while it opens',
    async () => {
      const store = fileStore(join(folder, `store-${++files}`));
      const opening = store.open('r');
      await store.close();
      await (await opening).release();
    },
  ],
];

async function damaged(use: (store: ReturnType<typeof fileStore>) => Promise<unknown>): Promise<unknown> {
  const root = join(folder, `store-${++files}`);
  const store = fileStore(root);
  const held = await store.open('r');
  await held.append([started('r')]);
  await held.release();
  appendFileSync(join(root, 'r.jsonl'), 'no JSON\n{}\n');
  return await use(store);
}

it.skipIf(!tellsOpenFiles).each(cases)('%s', async (_what, work, code) => {
  if (code === undefined) await work();
  else await expect(work()).rejects.toMatchObject({ code });
  await vi.waitFor(() => expect(openIn(folder)).toEqual([]));
});

it.skipIf(!tellsOpenFiles || !existsSync('/dev/full'))('a full disk, before anybody closes the trace', async () => {
  const before = openIn('/dev/full').length;
  const file = traceFile('/dev/full');
  file.onEvent(begin, run);
  await expect(file.ready()).rejects.toMatchObject({ code: 'store_failed' });
  expect(openIn('/dev/full').length).toBe(before);
  await file.close();
});
