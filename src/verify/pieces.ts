/** Cuts a text, bytes, or the provider's own calls into pieces, and draws how. */
import type { CallPiece } from '../core/model.ts';
import type { ScriptedCall } from '../models/scripted.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';

/** The lengths of the pieces, over and over. */
export function chunkings(fc: FastCheck): Arbitrary<readonly number[]> {
  return fc.oneof(
    fc.constantFrom<readonly number[]>([], [1], [2], [7], [0, 1], [3, 0, 0, 5]),
    fc.array(fc.oneof(fc.nat({ max: 4 }), fc.nat({ max: 200 })), { maxLength: 12 }),
  );
}

/**
 * Pieces of these lengths, over and over until nothing is left. A length of 0 gives an empty piece; where all are 0, or
 * there are none, what is left is one piece. UTF-16 code units, so that a cut may fall inside a character.
 */
export function cutInto(text: string, lengths: readonly number[]): readonly string[] {
  return spansOf(text.length, lengths).map(([from, to]) => text.slice(from, to));
}

/** The same for bytes: the pieces are views, nothing is copied. */
export function cutBytes(bytes: Uint8Array, lengths: readonly number[]): readonly Uint8Array[] {
  return spansOf(bytes.length, lengths).map(([from, to]) => bytes.subarray(from, to));
}

/** The pieces of calls: the name comes with the first of its call, and the input is cut. */
export function cutCalls(calls: readonly ScriptedCall[], lengths: readonly number[]): readonly CallPiece[] {
  return calls.flatMap(({ tool, input = {}, inputText = JSON.stringify(input), id = null }, index) =>
    cutInto(inputText, lengths).map(
      (piece, at): CallPiece =>
        at === 0
          ? { type: 'call', index, id, tool, input: piece }
          : { type: 'call', index, id: null, tool: '', input: piece },
    ),
  );
}

function spansOf(total: number, lengths: readonly number[]): readonly (readonly [number, number])[] {
  const spans: (readonly [number, number])[] = [];
  const repeats = lengths.some((length) => length > 0);
  let at = 0;
  while (repeats && at < total) {
    for (const length of lengths) {
      const to = Math.min(total, at + length);
      spans.push([at, to]);
      at = to;
    }
  }
  if (at < total || spans.length === 0) spans.push([at, total]);
  return spans;
}
