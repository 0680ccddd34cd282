/** Runs a scanner over a text that is cut into pieces. */
import type { Mark, Reading } from '../../src/core/reading.ts';
import type { Dialect, ReadOptions } from '../../src/protocol/dialect.ts';

export interface Scanned {
  /** Those reported while the reply streamed, and those from `end`. */
  readonly marks: readonly Mark[];
  readonly reading: Reading;
  readonly kept: string;
}

export function scan(dialect: Dialect, pieces: readonly string[], options: ReadOptions): Scanned {
  const scanner = dialect.scanner(options);
  const streamed = pieces.flatMap((piece) => scanner.feed(piece));
  const { marks, reading } = scanner.end();
  return { marks: [...streamed, ...marks], reading, kept: scanner.kept() };
}

export function cutEvery(text: string, length: number): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += length) pieces.push(text.slice(at, at + length));
  return pieces;
}
