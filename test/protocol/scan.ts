/** Runs a reader over a reply that is cut into pieces. */
import type { CallPiece } from '../../src/core/model.ts';
import type { Mark, Reading } from '../../src/core/reading.ts';
import type { Dialect, ReadOptions } from '../../src/protocol/dialect.ts';
import { createReader } from '../../src/protocol/read.ts';

export interface Scanned {
  /** Those reported while the reply streamed, and those from `end`. */
  readonly marks: readonly Mark[];
  readonly reading: Reading;
  readonly kept: string;
}

export function scan(
  dialect: Dialect,
  pieces: readonly string[],
  options: ReadOptions,
  calls: readonly CallPiece[] = [],
): Scanned {
  const reader = createReader({ dialect, ...options });
  const streamed = pieces.flatMap((piece) => reader.feed(piece));
  for (const piece of calls) reader.takeCall?.(piece);
  const { marks, reading } = reader.end();
  return { marks: [...streamed, ...marks], reading, kept: reader.kept() };
}

export function cutEvery(text: string, length: number): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += length) pieces.push(text.slice(at, at + length));
  return pieces;
}
