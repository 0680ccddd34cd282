/** What holds of every dialect's reader for any text. The texts are those that the fuzzer draws. */
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { dialectNamed, dialectNames } from '../../src/protocol/read.ts';
import { knownTools } from '../../src/verify/arbitrary-input.ts';
import { wellFormed } from '../../src/verify/arbitrary-reply.ts';
import { malformed, soup } from '../../src/verify/arbitrary-reply-faults.ts';
import { fuzz } from '../../src/verify/fuzz.ts';
import { lettersOf, scanned } from '../../src/verify/reading-laws.ts';

describe.each(dialectNames)('%s', (dialect) => {
  const read = (text: string) => scanned({ text: [text], calls: [] }, { dialect, tools: knownTools });
  const text = fc.oneof(
    soup(fc, dialect),
    malformed(fc, dialect),
    wellFormed(fc, dialect).map((reply) => reply.text),
  );
  const runs = { numRuns: 500 };

  it('gives one reading of any text, however it is cut, and marks that agree with it', async () => {
    const { failure } = await fuzz({ target: 'reader', dialect, runs: 800 });
    expect(failure).toBeNull();
  });

  test.prop([text], runs)('keeps a reply that is read as the same step', (reply) => {
    const { reading, kept } = read(reply);
    const again = read(kept).reading;
    if (reading.kind === 'answer') expect(again).toMatchObject({ kind: 'answer', answer: reading.answer });
    if (reading.kind === 'calls') expect(again.kind).not.toBe('answer');
  });

  test.prop([text], runs)('loses nothing of a call: what was read stands in the reply', (reply) => {
    const { reading } = read(reply);
    if (reading.kind !== 'calls') return;
    for (const { input, repaired } of reading.calls)
      if (typeof input === 'string' && repaired !== true && !reply.includes('\\') && !reply.includes('\r'))
        expect(reply).toContain(input);
  });

  test.prop([text], runs)('loses no text: beside a step, each word is written back or told as dropped', (reply) => {
    // Thinking is set aside, and so are the line of a fence and an observation that was made up before the step.
    if (/think|observ|观察|response|result|output|---/i.test(reply)) return;
    const { reading, kept } = read(reply);
    if (reading.kind === 'violation') return;
    const known = `${lettersOf(kept)} ${lettersOf(reading.dropped ?? '')}`;
    for (const word of reply.replaceAll(/```.*/g, '').split(/[^\p{L}\p{N}]+/u)) expect(known).toContain(word);
  });

  it('says how a step is written in it', () => expect(dialectNamed(dialect).form).toBeDefined());
});
