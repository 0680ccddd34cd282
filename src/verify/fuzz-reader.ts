/**
 * The target `reader`: replies of every kind, cut in every way, against the reader of each dialect or of your own.
 *
 * That reading is linear is not checked here, because times say nothing in a random run; the tests of the shipped
 * dialects measure it.
 */
import type { Mark, Reading } from '../core/reading.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { dialectNamed, dialectNames } from '../protocol/read.ts';
import { hasReplies, knownTools, type Meaning, type MeantReply, wellFormed } from './arbitrary-reply.ts';
import { malformed } from './arbitrary-reply-faults.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';
import { broken, type FuzzTarget, feed, mustEqual, short } from './fuzz-target.ts';
import { chunkings, cutInto } from './pieces.ts';

interface Example {
  readonly dialect: Dialect;
  readonly text: string;
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
      shows: ({ dialect: { name }, text, behind, lengths }) => ({ dialect: name, reply: text + behind, cut: lengths }),
    }),
};

function examples(fc: FastCheck, dialects: readonly (string | Dialect)[]): Arbitrary<Example> {
  return fc.oneof(...dialects.map((dialect) => examplesOf(fc, dialectNamed(dialect))));
}

/** A dialect of the user's own writes its replies in a form that is not known here: it is given those of ours. */
function examplesOf(fc: FastCheck, dialect: Dialect): Arbitrary<Example> {
  const shared = {
    dialect: fc.constant(dialect),
    lengths: chunkings(fc),
    language: fc.constantFrom<'en' | 'zh'>('en', 'en', 'zh'),
  };
  const forms = hasReplies(dialect.name) ? [dialect.name] : ['labelled', 'json'];
  const texts = fc.oneof(...forms.map((form) => malformed(fc, form)));
  const wrong = fc.record({ ...shared, text: texts, meaning: fc.constant(null), behind: fc.constant('') });
  if (!hasReplies(dialect.name)) return wrong;
  const whole = wellFormed(fc, dialect.name);
  const right = fc.tuple(fc.record(shared), whole, tails(fc, whole)).map(([rest, { text, meaning }, tail]) => ({
    ...rest,
    text,
    meaning,
    behind: meaning.kind === 'calls' ? tail : '',
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
  const { dialect, text, meaning, behind, lengths, language } = example;
  const reply = text + behind;
  const scan = (pieces: readonly string[]) => scanned(dialect, pieces, language);
  const whole = scan([reply]);
  const { reading } = whole;
  if (!['calls', 'answer', 'violation'].includes(reading.kind))
    throw broken(`The reading is of the kind ${JSON.stringify(reading.kind)}`);
  mustEqual('The reading is not JSON', JSON.parse(JSON.stringify(reading)), reading);
  mustEqual('Cut into pieces it is read in another way', scan(cutInto(reply, lengths)), whole);
  mustEqual('Letter by letter it is read in another way', scan(reply.split('')), whole);
  const disagreement = marksProblem(whole.marks, reading);
  if (disagreement !== null) throw broken(`Marks and reading do not agree: ${disagreement}`);
  const invented = inventedIn(reading, reply);
  if (invented !== null) throw broken(`The reading holds what the reply does not: ${short(JSON.stringify(invented))}`);
  if (meaning !== null) mustMean(reading, meaning, behind);
}

interface Scanned {
  readonly marks: readonly Mark[];
  readonly reading: Reading;
  readonly kept: string;
}

function scanned(dialect: Dialect, pieces: readonly string[], language: 'en' | 'zh'): Scanned {
  const scanner = dialect.scanner({ tools: knownTools, language });
  const streamed = pieces.flatMap((piece) => scanner.feed(piece));
  const { marks, reading } = scanner.end();
  return { marks: [...streamed, ...marks], reading, kept: scanner.kept() };
}

/** What the machine relies on. */
function marksProblem(marks: readonly Mark[], reading: Reading): string | null {
  const stops = marks.map(({ stop }) => stop);
  if (new Set(stops).size < stops.length) return 'a kind of stop is reported twice';
  if (reading.kind === 'calls' && !stops.includes('action')) return 'there are calls, and no mark action';
  if (reading.kind === 'answer' && !stops.includes('answer')) return 'there is an answer, and no mark answer';
  const acted = marks.findIndex(({ calls }) => calls.length > 0);
  if (acted < 0) return null;
  const action = stops.indexOf('action');
  if (action < 0 || action > acted) return 'a mark carries a call before the mark action';
  if (reading.kind !== 'calls') return 'a mark carries a call, and the reading none';
  const same = JSON.stringify(marks[acted]?.calls) === JSON.stringify(reading.calls);
  return same ? null : 'the calls of the mark are not those of the reading';
}

/**
 * A line of the thought or of the answer whose letters do not stand in the reply one after the other. What is written as
 * JSON may be spelled in other ways (escapes, numbers), and is left out.
 */
function inventedIn(reading: Reading, reply: string): string | null {
  if (reply.includes('\\')) return null;
  const answer = reading.kind === 'answer' && !isJsonText(reading.answer) ? reading.answer : '';
  const letters = lettersOf(reply);
  const lines = `${reading.thought ?? ''}\n${answer}`.split('\n');
  return lines.find((line) => !letters.includes(lettersOf(line))) ?? null;
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, '');
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
}
