import { describe, expect, test } from 'vitest';
import type { ReadOptions } from '../../src/protocol/dialect.ts';
import { dialectNamed, readReply } from '../../src/protocol/read.ts';
import { readCorpus } from './markdown-corpus.ts';
import { cutEvery, scan } from './scan.ts';

const fewest = { labelled: 50, json: 25, tags: 40, paper: 40 };

describe.each(['labelled', 'json', 'tags', 'paper'] as const)('the corpus of %s', (name) => {
  const { tools, cases } = readCorpus(name);
  const dialect = dialectNamed(name);
  const options: ReadOptions = { tools, language: 'en' };

  test('is not empty', () => expect(cases.length).toBeGreaterThanOrEqual(fewest[name]));

  test.each(cases)('$title', ({ reply, reading }) => {
    const whole = scan(dialect, [reply], options);
    const { hint, ...rest } = { hint: undefined, ...whole.reading };
    expect(rest).toEqual(reading);
    expect(hint === undefined).toBe(whole.reading.kind !== 'violation');
    expect(readReply(reply, { dialect, tools })).toEqual(whole.reading);
    for (let length = 1; length <= reply.length; length++)
      expect(scan(dialect, cutEvery(reply, length), options), `pieces of ${length}`).toEqual(whole);
  });

  test.each(cases)('$title: what is kept is read the same', ({ reply, reading }) => {
    const { kept } = scan(dialect, [reply], options);
    const { dropped: _once, ...again } = { dropped: undefined, ...readReply(kept, { dialect, tools }) };
    const expected: Record<string, unknown> = { ...(reading as object) };
    delete expected.dropped;
    if (reply.includes('think>')) delete expected.thought;
    if (expected.kind !== 'violation') expect(again).toMatchObject(expected);
  });
});
