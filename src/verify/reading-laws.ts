/** What holds of a dialect's reader for any text, however it is cut; as sentences where it does not. Pure. */

import type { CallPiece } from '../core/model.ts';
import type { Mark, Reading } from '../core/reading.ts';
import { createReader, type ReadReplyOptions } from '../protocol/read.ts';

export interface Scanned {
  /** Those reported while the reply streamed, and those from `end`. */
  readonly marks: readonly Mark[];
  readonly reading: Reading;
  readonly kept: string;
}

/** A reply as it streams: its text in pieces, and behind it those of the provider's own calls. */
export interface Streamed {
  readonly text: readonly string[];
  readonly calls: readonly CallPiece[];
}

/** Reads with what the loop reads with. */
export function scanned({ text, calls }: Streamed, options: ReadReplyOptions): Scanned {
  const scanner = createReader(options);
  const streamed = text.flatMap((piece) => scanner.feed(piece));
  for (const piece of calls) scanner.takeCall?.(piece);
  const { marks, reading } = scanner.end();
  return { marks: [...streamed, ...marks], reading, kept: scanner.kept() };
}

/** What the machine relies on: marks and reading agree. Null where they do. */
export function marksProblem(marks: readonly Mark[], reading: Reading): string | null {
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
 * A line of the thought or of the answer whose letters do not stand in the reply one after the other, or null. What is
 * written as JSON may be spelled in other ways (escapes, numbers), and is left out.
 */
export function inventedIn(reading: Reading, reply: string): string | null {
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

/** The text without what holds it together: white space, brackets, quotes and other signs. */
export function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
