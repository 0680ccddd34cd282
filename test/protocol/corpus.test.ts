import { describe, expect, test } from 'vitest';
import type { CallPiece } from '../../src/core/model.ts';
import type { ReadOptions } from '../../src/protocol/dialect.ts';
import { dialectNamed, dialectNames, readReply } from '../../src/protocol/read.ts';
import { type CorpusCase, readCorpus, type WrittenCall } from './markdown-corpus.ts';
import { cutEvery, scan } from './scan.ts';

const fewest = new Map([
  ['labelled', 50],
  ['tags', 40],
  ['json', 25],
  ['paper', 40],
  ['id', 20],
  ['native', 18],
]);

describe.each(dialectNames)('the corpus of %s', (name) => {
  const { tools, cases } = readCorpus(name);
  const dialect = dialectNamed(name);
  const options: ReadOptions = { tools, language: 'en' };
  const scanIn = ({ reply, calls }: CorpusCase, length: number) =>
    scan(dialect, cutEvery(reply, length), options, piecesOf(calls, length));

  test('is not empty', () => expect(cases.length).toBeGreaterThanOrEqual(fewest.get(name) ?? Number.POSITIVE_INFINITY));

  test.each(cases)('$title', (one) => {
    const { reply, calls, reading } = one;
    const longest = Math.max(reply.length, ...calls.map(({ input }) => input.length), 1);
    const whole = scanIn(one, longest);
    const { hint, ...rest } = { hint: undefined, ...whole.reading };
    expect(rest).toEqual(reading);
    expect(hint === undefined).toBe(whole.reading.kind !== 'violation');
    if (calls.length === 0) expect(readReply(reply, { dialect, tools })).toEqual(whole.reading);
    for (let length = 1; length <= longest; length++) expect(scanIn(one, length), `pieces of ${length}`).toEqual(whole);
  });

  test.each(cases.filter(({ calls }) => calls.length === 0))(
    '$title: what is kept is read the same',
    ({ reply, reading }) => {
      const { kept } = scan(dialect, [reply], options);
      const { dropped: _once, ...again } = { dropped: undefined, ...readReply(kept, { dialect, tools }) };
      const expected: Record<string, unknown> = { ...(reading as object) };
      delete expected.dropped;
      if (reply.includes('think>')) delete expected.thought;
      if (expected.kind !== 'violation') expect(again).toMatchObject(expected);
    },
  );
});

/** The name comes with the first piece of a call, as most servers send it. */
function piecesOf(calls: readonly WrittenCall[], length: number): readonly CallPiece[] {
  return calls.flatMap(({ tool, input }, index) =>
    (input === '' ? [''] : cutEvery(input, length)).map(
      (piece, place): CallPiece => ({ type: 'call', index, id: null, tool: place === 0 ? tool : '', input: piece }),
    ),
  );
}
