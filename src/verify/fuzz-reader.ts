/**
 * The target `reader`: replies of every kind, cut in every way, against the reader of each dialect or of your own.
 *
 * That reading is linear is not checked here, because times say nothing in a random run; the tests of the shipped
 * dialects measure it.
 */
import type { Reading } from '../core/reading.ts';
import type { ScriptedCall } from '../models/scripted.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { dialectNamed, dialectNames } from '../protocol/read.ts';
import { knownTools } from './arbitrary-input.ts';
import { hasReplies, wellFormed } from './arbitrary-reply.ts';
import { malformed } from './arbitrary-reply-faults.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';
import { broken, type FuzzTarget, feed, mustEqual, short } from './fuzz-target.ts';
import type { Meaning, MeantReply } from './meant-reply.ts';
import { chunkings, cutCalls, cutInto } from './pieces.ts';
import { inventedIn, lettersOf, marksProblem, scanned } from './reading-laws.ts';
import { brokenCalls } from './replies-native.ts';

interface Example {
  readonly dialect: Dialect;
  readonly text: string;
  readonly calls: readonly ScriptedCall[];
  /** What it means, where that is known. */
  readonly meaning: Meaning | null;
  /** Written behind it, so that the whole is no well-formed reply any more. */
  readonly behind: string;
  readonly lengths: readonly number[];
  readonly language: 'en' | 'zh';
}

export const readerTarget: FuzzTarget = {
  name: 'reader',
  takes: ['dialect'],
  tells: 'replies, well-formed and broken, cut anywhere: never throws, one reading, as meant, nothing made up',
  runs: 3_000,
  feed: (fc, { dialect }) =>
    feed({
      fc,
      draws: examples(fc, dialect === null ? dialectNames : [dialect]),
      holds,
      shows: ({ dialect: { name }, text, calls, behind, lengths }) => ({
        dialect: name,
        reply: text + behind,
        ...(calls.length === 0 ? {} : { calls }),
        cut: lengths,
      }),
    }),
};

function examples(fc: FastCheck, dialects: readonly (string | Dialect)[]): Arbitrary<Example> {
  return fc.oneof(...dialects.map((dialect) => examplesOf(fc, dialectNamed(dialect))));
}

/** A dialect of the user's own that does not say how a step is written is given the replies of ours, without a meaning. */
function examplesOf(fc: FastCheck, dialect: Dialect): Arbitrary<Example> {
  const shared = {
    dialect: fc.constant(dialect),
    lengths: chunkings(fc),
    language: fc.constantFrom<'en' | 'zh'>('en', 'en', 'zh'),
  };
  const wrong = fc.record({
    ...shared,
    text: malformed(fc, dialect),
    calls: dialect.wire === undefined ? fc.constant([]) : brokenCalls(fc),
    meaning: fc.constant(null),
    behind: fc.constant(''),
  });
  if (!hasReplies(dialect)) return wrong;
  const whole = wellFormed(fc, dialect);
  const right = fc
    .tuple(fc.record(shared), whole, tails(fc, whole))
    .map(([rest, { text, calls = [], meaning }, tail]) => ({
      ...rest,
      text,
      calls,
      meaning,
      behind: meaning.kind === 'calls' && calls.length === 0 ? tail : '',
    }));
  return fc.oneof({ weight: 2, arbitrary: wrong }, { weight: 1, arbitrary: right });
}

/** Whatever stands behind a call changes nothing of it, an answer least of all. */
function tails(fc: FastCheck, whole: Arbitrary<MeantReply>): Arbitrary<string> {
  const glue = fc.constantFrom('\n', '\nObservation: 42\n', '\n观察：42\n', '\n\n');
  return fc.oneof(
    fc.constant(''),
    fc.tuple(glue, whole).map(([between, { text }]) => between + text),
  );
}

function holds(example: Example): void {
  const { dialect, text, calls, meaning, behind, lengths, language } = example;
  const reply = text + behind;
  const scan = (cut: readonly number[]) => {
    const streamed = { text: cutInto(reply, cut), calls: cutCalls(calls, cut) };
    return scanned(streamed, { dialect, tools: knownTools, language });
  };
  const whole = scan([]);
  const { reading } = whole;
  if (!['calls', 'answer', 'violation'].includes(reading.kind))
    throw broken(`The reading is of the kind ${JSON.stringify(reading.kind)}`);
  mustEqual('The reading is not JSON', JSON.parse(JSON.stringify(reading)), reading);
  mustEqual('Cut into pieces it is read in another way', scan(lengths), whole);
  mustEqual('Letter by letter it is read in another way', scan([1]), whole);
  const disagreement = marksProblem(whole.marks, reading);
  if (disagreement !== null) throw broken(`Marks and reading do not agree: ${disagreement}`);
  const invented = inventedIn(reading, reply);
  if (invented !== null) throw broken(`The reading holds what the reply does not: ${short(JSON.stringify(invented))}`);
  if (meaning !== null) mustMean(reading, meaning, behind);
}

function mustMean(reading: Reading, meaning: Meaning, behind: string): void {
  if (meaning.kind === 'calls') {
    if (reading.kind === 'answer') throw broken('An answer was taken from behind an action');
    mustEqual('The kind is not what was meant', reading.kind, 'calls');
    if (reading.kind === 'calls') mustEqual('The call is not what was meant', reading.calls, meaning.calls);
  } else {
    mustEqual('The kind is not what was meant', reading.kind, 'answer');
    if (reading.kind === 'answer') mustEqual('The answer is not what was meant', reading.answer, meaning.answer);
  }
  if (behind === '') mustEqual('The thought is not what was meant', reading.thought, meaning.thought);
  else if (reading.kind === 'calls' && lettersOf(reading.dropped ?? '') !== lettersOf(behind))
    throw broken(`What stands behind the call is not told as dropped: ${short(reading.dropped)}`);
}
