/** Reads what an asynchronous iterator gives, to its end, in bounded time and number: the last value is the result. */

import { isStream } from '../core/described-value.ts';
import type { Settled, Within } from '../core/within.ts';
import { letGo } from './let-go.ts';

/** A tool that shows its progress gives some; far fewer than this. */
export const mostValues = 10_000;

export interface ReadingOptions {
  readonly within: Within;
  readonly nowMs: () => number;
  /** On the clock of `nowMs`. */
  readonly untilMs: number;
}

/** `endless`: it gave more than `mostValues`. */
export type Read = Settled<unknown> | { readonly kind: 'endless' };

/** A stream can be iterated over as well, but its last piece is not its content. Total. */
export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  try {
    if (typeof value !== 'object' || value === null || isStream(value)) return false;
    return Symbol.asyncIterator in value && typeof value[Symbol.asyncIterator] === 'function';
  } catch {
    return false;
  }
}

/**
 * What the iterator returns, or where it returns nothing, the last value that it yielded. An iterator that is left (late,
 * endless, cancelled) is told so by its `return()`, which nobody waits for. Returns what cancels it.
 */
export function lastValue(
  iterable: AsyncIterable<unknown>,
  options: ReadingOptions,
  settle: (read: Read) => void,
): () => void {
  const opened = attempt(() => iterable[Symbol.asyncIterator]());
  if (opened.kind === 'value') return readToEnd(opened.value, options, settle);
  settle(opened);
  return () => {};
}

function readToEnd(
  iterator: AsyncIterator<unknown>,
  { within, nowMs, untilMs }: ReadingOptions,
  settle: (read: Read) => void,
): () => void {
  let open = true;
  let cancelNext = () => {};
  let seen: Seen = { count: 0, last: undefined };

  const close = (isLeft: boolean) => {
    open = false;
    cancelNext();
    if (isLeft) within(0, () => iterator.return?.(), ignore)();
  };
  const take = (step: Settled<unknown>) => {
    const taken = takenFrom(step, seen);
    if (taken.kind === 'more') {
      seen = taken.seen;
      letGo(seen.last, 2, within, false); // a promise that is given is not waited for
      return;
    }
    close(taken.isLeft);
    settle(taken.read);
  };
  /** An iterator that answers without a promise is read in a loop: a call in a call would fill the stack. */
  const advance = () => {
    let isAtOnce = true;
    while (open && isAtOnce) {
      const leftMs = untilMs - nowMs();
      if (leftMs <= 0) return take({ kind: 'late' });
      let isCalling = true;
      isAtOnce = false;
      cancelNext = within<unknown>(
        leftMs,
        () => iterator.next(),
        (step) => {
          take(step);
          if (isCalling) isAtOnce = true;
          else advance();
        },
      );
      isCalling = false;
    }
  };
  advance();
  return () => {
    if (open) close(true);
  };
}

interface Seen {
  readonly count: number;
  readonly last: unknown;
}

/** `isLeft`: the iterator is not at its end. */
type Taken =
  | { readonly kind: 'more'; readonly seen: Seen }
  | { readonly kind: 'end'; readonly read: Read; readonly isLeft: boolean };

function takenFrom(step: Settled<unknown>, { count, last }: Seen): Taken {
  if (step.kind !== 'value') return { kind: 'end', read: step, isLeft: step.kind === 'late' };
  const item = attempt(() => itemOf(step.value));
  if (item.kind === 'thrown') return { kind: 'end', read: item, isLeft: true };
  const { done, value } = item.value;
  if (done) return { kind: 'end', read: { kind: 'value', value: value === undefined ? last : value }, isLeft: false };
  if (count >= mostValues) return { kind: 'end', read: { kind: 'endless' }, isLeft: true };
  return { kind: 'more', seen: { count: count + 1, last: value } };
}

/** For one that came too late: it is told that nobody reads it. */
export function leaveUnread(iterable: AsyncIterable<unknown>, within: Within): void {
  within(0, () => iterable[Symbol.asyncIterator]().return?.(), ignore)();
}

function ignore(): void {}

function itemOf(item: unknown): { readonly done: boolean; readonly value: unknown } {
  if (typeof item !== 'object' || item === null) throw new TypeError('The iterator of the tool gave no result object.');
  return { done: Boolean(Reflect.get(item, 'done')), value: Reflect.get(item, 'value') };
}

function attempt<Value>(work: () => Value): Exclude<Settled<Value>, { kind: 'late' }> {
  try {
    return { kind: 'value', value: work() };
  } catch (thrown) {
    return { kind: 'thrown', thrown };
  }
}
