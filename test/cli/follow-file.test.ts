/** A file that is followed: what is given of it, and when it is another one. */
import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { followFile } from '../../src/cli/follow-file.ts';

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

function text({ value }: IteratorResult<Uint8Array, void>): string {
  return value === undefined ? '' : Buffer.from(value).toString('utf8');
}
