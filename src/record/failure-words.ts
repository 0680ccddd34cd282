/**
 * How a replayed tool has to fail for today's loop to say of it what was recorded. The loop says it in words of its own: where
 * those have changed since, no way leads to the recorded ones, and that is a difference. Pure.
 */
import { ToolError } from '../core/errors.ts';
import type { Effect } from '../core/verdict.ts';
import type { Messages } from '../dispatch/messages.ts';

export type FailureWords = Pick<Messages, 'thrown' | 'notAccepted' | 'timedOut' | 'timedOutUnknown' | 'tried'>;

export interface FailedTry {
  readonly tool: string;
  readonly effect: Effect;
  /** What was told of it. */
  readonly observation: string;
  /** How often it was tried before; 0 where it was not. */
  readonly triesBefore: number;
  /** Whether another try followed. */
  readonly isRetried: boolean;
}

export type Failing =
  | { readonly kind: 'throws'; readonly thrown: Error }
  | { readonly kind: 'late'; readonly timeoutMs: number }
  /** Its result is not accepted, for this reason. */
  | { readonly kind: 'not accepted'; readonly why: string | false };

/** Null where there is none. */
export function failingAs(failed: FailedTry, words: FailureWords): Failing | null {
  const tried = failed.triesBefore === 0 || failed.isRetried ? '' : words.tried(failed.triesBefore + 1);
  if (!failed.observation.endsWith(tried)) return null;
  const told = { ...failed, observation: failed.observation.slice(0, failed.observation.length - tried.length) };
  return lateAs(told, words) ?? thrownAs(told, words) ?? notAcceptedAs(told, words);
}

/** The time-out is in the words: below a second to the millisecond, above it to a tenth of a second. */
function lateAs({ tool, observation }: FailedTry, { timedOut, timedOutUnknown }: FailureWords): Failing | null {
  for (const told of [timedOut, timedOutUnknown])
    for (const unitMs of [1, 1_000]) {
      const count = numberIn(observation, told(tool, unitMs), told(tool, 2 * unitMs));
      const timeoutMs = count === null ? -1 : Math.round(count * unitMs);
      if (timeoutMs >= 0 && told(tool, timeoutMs) === observation) return { kind: 'late', timeoutMs };
    }
  return null;
}

/** What stands in a text where a text with `1` and the same with `2` differ; null where it is another text. */
function numberIn(text: string, withOne: string, withTwo: string): number | null {
  let from = 0;
  while (from < withOne.length && withOne[from] === withTwo[from]) from++;
  const [before, behind] = [withOne.slice(0, from), withOne.slice(from + 1)];
  const isIt = text.length > before.length + behind.length && text.startsWith(before) && text.endsWith(behind);
  const count = isIt ? Number(text.slice(before.length, text.length - behind.length)) : Number.NaN;
  return Number.isFinite(count) ? count : null;
}

/** Stands in a text of the loop where words of the tool are put. */
const [first, second] = ['\u0001', '\u0002'];

function thrownAs({ tool, effect, observation, isRetried }: FailedTry, { thrown }: FailureWords): Failing | null {
  const advised = between(observation, thrown(tool, first, second, true));
  const parts = advised === null ? null : sentences(advised);
  if (parts !== null) return { kind: 'throws', thrown: failure(parts.words, parts.advice, isRetried) };
  const plain = between(observation, thrown(tool, first, null, true));
  if (plain !== null) return { kind: 'throws', thrown: failure(plain, null, isRetried) };
  // Only of a side effect whose connection broke.
  const doubtful = effect === 'sideEffect' ? between(observation, thrown(tool, first, null, false)) : null;
  return doubtful === null
    ? null
    : { kind: 'throws', thrown: Object.assign(new Error(doubtful), { code: 'ECONNRESET' }) };
}

/** What a tool says is wrong is final; any other error is tried again, where the tool may be. */
function failure(message: string, hint: string | null, isRetried: boolean): Error {
  const advice = hint === null ? {} : { hint };
  return isRetried ? Object.assign(new Error(message), advice) : new ToolError(message, advice);
}

/** The advice is the last sentence. */
function sentences(text: string): { readonly words: string; readonly advice: string } | null {
  for (let at = text.lastIndexOf(' '); at > 0; at = text.lastIndexOf(' ', at - 1)) {
    const words = text.slice(0, at);
    if (/[.!?。！？…]$/.test(words.slice(-1))) return { words, advice: text.slice(at + 1) };
  }
  return null;
}

function notAcceptedAs({ tool, effect, observation }: FailedTry, { notAccepted }: FailureWords): Failing | null {
  const again = effect === 'readOnly' || effect === 'idempotent';
  if (observation === notAccepted(tool, null, again)) return { kind: 'not accepted', why: false };
  const why = between(observation, notAccepted(tool, first, again));
  return why === null ? null : { kind: 'not accepted', why };
}

/** What stands in a text in the place of the marks, and of all between them; null where it is another text. */
function between(text: string, pattern: string): string | null {
  const from = pattern.indexOf(first);
  const to = pattern.includes(second) ? pattern.indexOf(second) : from;
  const [before, behind] = [pattern.slice(0, from), pattern.slice(to + 1)];
  const isIt = text.length >= before.length + behind.length && text.startsWith(before) && text.endsWith(behind);
  return isIt ? text.slice(before.length, text.length - behind.length) : null;
}
