/** Streams and promises that misbehave, each in one way. */
import type { Piece } from './engine.ts';

/** Never settles, and holds nothing. */
export const never = <Value = never>(): Promise<Value> => new Promise(() => {});

/** A well-behaved reply. */
export async function* says(...pieces: readonly Piece[]): AsyncGenerator<Piece> {
  yield* pieces;
}

/** Nothing ever comes. */
export const silence = (): AsyncIterable<Piece> => iterable(() => never());

/** The same piece for ever, always ready: between two of them nothing else gets a turn. */
export const alwaysReady = (piece: Piece): AsyncIterable<Piece> =>
  iterable(() => Promise.resolve({ done: false, value: piece }));

/** The same piece for ever, one every so often. */
export const trickle = (piece: Piece, everyMs: number): AsyncIterable<Piece> =>
  iterable(() => new Promise((settle) => setTimeout(settle, everyMs, { done: false, value: piece })));

/** Says these and then nothing; and being left never comes to its end. */
export function clings(...pieces: readonly Piece[]): AsyncIterable<Piece> {
  let index = 0;
  const next = (): Promise<IteratorResult<Piece>> => {
    const value = pieces[index++];
    return value === undefined ? never() : Promise.resolve({ done: false, value });
  };
  return iterable(next, () => never());
}

/** Breaks on the first piece. */
export const breaks = (): AsyncIterable<Piece> => iterable(() => Promise.reject(new Error('the line went dead')));

function iterable(
  next: () => Promise<IteratorResult<Piece>>,
  leave: () => Promise<IteratorResult<Piece>> = () => Promise.resolve({ done: true, value: undefined }),
): AsyncIterable<Piece> {
  return { [Symbol.asyncIterator]: () => ({ next, return: leave }) };
}
