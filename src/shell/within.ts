/**
 * The one place where a foreign promise is awaited: never longer than its limit, with no rejection left unhandled and no
 * timer left armed. A test forbids every other wait in the shell and in dispatch.
 */
import type { Clock } from '../core/clock.ts';
import type { Settled, Within } from '../core/within.ts';
import { armTimer } from './timer.ts';

export function createWithin(clock: Clock): Within {
  return (limitMs, work, settle, afterwards) => {
    let open = true;
    let disarm = () => {};
    const close = () => {
      open = false;
      disarm();
    };
    const finish = (settled: Parameters<typeof settle>[0]) => {
      close();
      settle(settled);
    };

    const started = attempt(work);
    if (started.kind !== 'pending') {
      finish(started);
      return close;
    }
    const arrived = (settled: Parameters<typeof settle>[0]) => {
      if (open) finish(settled);
      else afterwards?.(settled);
    };
    started.promise.then(
      (value) => arrived({ kind: 'value', value }),
      (thrown: unknown) => arrived({ kind: 'thrown', thrown }),
    );
    const untilMs = clock.monotonicMs() + limitMs;
    disarm = armTimer(
      clock,
      clock.monotonicMs,
      () => untilMs,
      () => finish({ kind: 'late' }),
    );
    return close;
  };
}

/** Calls foreign code whose result nobody wants: nothing it throws or rejects with is heard of. */
export function unheeded(work: () => unknown): void {
  const nothing = () => {};
  const started = attempt(work);
  if (started.kind === 'pending') started.promise.then(nothing, nothing);
}

type Attempt<Value> = Settled<Value> | { readonly kind: 'pending'; readonly promise: Promise<Value> };

/** Calls foreign code. Even reading `then` is foreign code, and may throw. */
function attempt<Value>(work: () => Value | PromiseLike<Value>): Attempt<Value> {
  try {
    const value = work();
    if (!isPromiseLike(value)) return { kind: 'value', value };
    return { kind: 'pending', promise: Promise.resolve(value) };
  } catch (thrown) {
    return { kind: 'thrown', thrown };
  }
}

function isPromiseLike<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    'then' in value &&
    typeof value.then === 'function'
  );
}
