/** Reads what an asynchronous iterator gives, to its end, in bounded time and number: the last value is the result. */

import { isStream } from '../core/described-value.ts';
import type { Settled, Within } from '../core/within.ts';

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
  { within, nowMs, untilMs }: ReadingOptions,
  settle: (read: Read) => void,
): () => void {
  const opened = attempt(() => iterable[Symbol.asyncIterator]());
  if (opened.kind === 'thrown') {
    settle(opened);
    return () => {};
  }
  const iterator = opened.value;
  let open = true;
  let cancelNext = () => {};
  let last: unknown;
  let count = 0;

  const close = () => {
    open = false;
    cancelNext();
  };
  const leave = () => {
    close();
    within(0, () => iterator.return?.(), ignore)();
  };
  const finish = (read: Read, left = false) => {
    if (left) leave();
    else close();
    settle(read);
  };
  const take = (step: Settled<unknown>) => {
    if (step.kind !== 'value') return finish(step, step.kind === 'late');
    const item = attempt(() => itemOf(step.value));
    if (item.kind === 'thrown') return finish(item, true);
    const { done, value } = item.value;
    if (done) return finish({ kind: 'value', value: value === undefined ? last : value });
    last = value;
    if (++count > mostValues) finish({ kind: 'endless' }, true);
  };
  /** An iterator that answers without a promise is read in a loop: a call in a call would fill the stack. */
  const advance = () => {
    let isAtOnce = true;
    while (open && isAtOnce) {
      const leftMs = untilMs - nowMs();
      if (leftMs <= 0) return finish({ kind: 'late' }, true);
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
    if (open) leave();
  };
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
