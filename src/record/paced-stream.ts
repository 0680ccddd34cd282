/**
 * Events as an adapter yields them: at once, or each at its time. Written out by hand because an async generator cannot be left
 * in the middle of a pause: its `return()` waits for the `next()` before it.
 */
import type { Clock } from '../core/clock.ts';
import type { ModelEvent } from '../core/model.ts';

export interface Pace {
  readonly clock: Pick<Clock, 'setTimer'>;
  /** Read only where there is a pause. */
  readonly signal: () => AbortSignal;
}

/** In the place of an event: nothing comes any more, until the stream is left. */
export const silence = 'silence';

export interface Beat {
  readonly ms: number;
  readonly event: ModelEvent | typeof silence;
}

/** Null: at once, and without silence. */
export function pacedStream(events: readonly Beat[], pace: Pace | null): AsyncIterableIterator<ModelEvent> {
  let index = 0;
  let passedMs = 0;
  let leave = () => {};
  return {
    next() {
      const timed = events[index++];
      if (timed === undefined) return over();
      const waitMs = timed.ms - passedMs;
      passedMs = Math.max(passedMs, timed.ms);
      if (timed.event !== silence && (pace === null || waitMs <= 0))
        return Promise.resolve({ done: false, value: timed.event });
      if (pace === null) return over();
      const pause = pauseBefore(timed.event, waitMs, pace);
      leave = pause.leave;
      return pause.result.then((result) => {
        if (result.value === aborted) index = events.length;
        return result;
      });
    },
    return() {
      index = events.length;
      leave();
      return over();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

function over(): Promise<IteratorResult<ModelEvent>> {
  return Promise.resolve({ done: true, value: undefined });
}

const aborted: ModelEvent = Object.freeze({
  type: 'failed',
  failure: 'aborted',
  message: 'The reply was aborted while it was replayed.',
  hint: 'Nothing to do: whoever owns the signal no longer wanted the reply.',
});

/** Settles once: with the event when the time is over, with `aborted` on the signal, with nothing when left. */
function pauseBefore(event: Beat['event'], waitMs: number, { clock, signal: signalOf }: Pace) {
  const signal = signalOf();
  let settle: (result: IteratorResult<ModelEvent>) => void = () => {};
  const result = new Promise<IteratorResult<ModelEvent>>((resolve) => {
    const onAbort = () => settle({ done: false, value: aborted });
    const cancel = event === silence ? () => {} : clock.setTimer(waitMs, () => settle({ done: false, value: event }));
    settle = (outcome) => {
      cancel();
      signal.removeEventListener('abort', onAbort);
      resolve(outcome);
    };
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  });
  return { result, leave: () => settle({ done: true, value: undefined }) };
}
