/** A file that is followed: what is given of it, when it is another one, and what is shown then. */
import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { followFile } from '../../src/cli/follow-file.ts';
import { showTraces } from '../../src/cli/inspect-sources.ts';
import type { TraceEvent } from '../../src/core/trace.ts';
import { samples } from '../observe/trace-samples.ts';

const folder = mkdtempSync(join(tmpdir(), 'fuseloop-follow-'));
afterAll(() => rmSync(folder, { recursive: true }));

const long = `${'号'.repeat(300_000)}\n`;

/** What stands there, what is given of it, what is done then, and what is given behind it; null where the reading ends. */
const rows: readonly (readonly [string, string, string, (path: string) => void, string | null])[] = [
  ['grows', 'a\n', 'a\n', (path) => appendFileSync(path, 'b\n'), 'b\n'],
  ['ends in the middle of a line, which goes on', 'a\nb', 'a\n', (path) => appendFileSync(path, 'c\n'), 'bc\n'],
  [
    'ends in the middle of a line, which is taken off and written behind',
    'a\ntorn',
    'a\n',
    (path) => {
      truncateSync(path, 2);
      appendFileSync(path, 'whole\nlines\n');
    },
    'whole\nlines\n',
  ],
  [
    'has lines that are longer than what is read at once',
    `a\n${long}`,
    `a\n${long}`,
    (path) => appendFileSync(path, long),
    long,
  ],
  ['is replaced by a shorter one', 'a\nb\n', 'a\nb\n', (path) => writeFileSync(path, 'x\n'), null],
  ['is replaced by one as long', 'a\n', 'a\n', (path) => writeFileSync(path, 'x\n'), null],
  ['is replaced by a longer one', 'a\n', 'a\n', (path) => writeFileSync(path, 'x\nyy\nzz\n'), null],
];

it.each(rows)('a file that %s', async (_, before, first, change, then) => {
  const path = join(folder, 'trace.jsonl');
  writeFileSync(path, before);
  const leaving = new AbortController();
  let caughtUp = () => {};
  const isCaughtUp = new Promise<void>((resolve) => {
    caughtUp = resolve;
  });
  const pieces = followFile(path, { follows: true, signal: leaving.signal, onCaughtUp: () => caughtUp() });
  let given = '';
  while (given.length < first.length) given += text(await pieces.next());
  expect(given).toBe(first);
  const next = pieces.next();
  await isCaughtUp;
  change(path);
  if (then === null) expect(await next).toEqual({ done: true, value: undefined });
  else {
    let behind = text(await next);
    while (behind.length < then.length) behind += text(await pieces.next());
    expect(behind).toBe(then);
  }
  leaving.abort();
  expect(await pieces.next()).toMatchObject({ done: true });
});

it('one that is not followed is given as it is', async () => {
  const path = join(folder, 'whole.jsonl');
  writeFileSync(path, 'a\ntorn');
  const { signal } = new AbortController();
  const pieces: string[] = [];
  for await (const piece of followFile(path, { follows: false, signal, onCaughtUp: () => {} }))
    pieces.push(Buffer.from(piece).toString('utf8'));
  expect(pieces.join('')).toBe('a\ntorn');
});

it('a line without an end is given as far as it goes, once it is longer than any that is read', async () => {
  const path = join(folder, 'endless.jsonl');
  writeFileSync(path, '');
  truncateSync(path, 302_000_000);
  const { signal } = new AbortController();
  const pieces = followFile(path, { follows: true, signal, onCaughtUp: () => {} });
  const { value } = await pieces.next();
  expect(value?.length).toBeGreaterThan(300_000_000);
  await pieces.return(undefined);
  rmSync(path);
});

const traceOf = (runId: string) =>
  [
    { ...samples['run.started'].least, runId },
    { ...samples['run.ended'].least, sequence: 1 },
  ]
    .map((event) => `${JSON.stringify(event)}\n`)
    .join('');

it.each([
  ['a damaged trace', `${traceOf('one')}no JSON\n`, 'one,', traceOf('other')],
  ['what is no trace', 'no JSON at all, but longer than the trace that comes\n'.repeat(50), '', traceOf('other')],
  ['a trace with one as long', traceOf('one__'), 'one__,', traceOf('other')],
])('%s that is replaced is shown anew', async (_, before, shown, after) => {
  const path = join(folder, 'shown.jsonl');
  writeFileSync(path, before);
  const leaving = new AbortController();
  let seen = '';
  let isShown = () => {};
  const other = new Promise<void>((resolve) => {
    isShown = resolve;
  });
  const see = (event: TraceEvent) => {
    if (event.type !== 'run.started') return;
    seen += `${event.runId},`;
    if (event.runId === 'other') isShown();
  };
  await showTraces({
    traces: [path],
    stdin: process.stdin,
    follows: true,
    signal: leaving.signal,
    show: async (events) => {
      for await (const event of events) see(event);
    },
    onNotice: () => {},
    onProgress: () => {},
  });
  expect(seen).toBe(shown);
  writeFileSync(path, after);
  await other;
  expect(seen).toBe(`${shown}other,`);
  leaving.abort();
});

function text({ value }: IteratorResult<Uint8Array, void>): string {
  return value === undefined ? '' : Buffer.from(value).toString('utf8');
}
