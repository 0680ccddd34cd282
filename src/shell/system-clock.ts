/** Real time. The only place that reads a clock or arms a timer. */
import type { Clock } from '../core/clock.ts';

export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
  /** A delay of 0 gives way to whatever else waits, and comes back in the same millisecond where the platform can. */
  setTimer: (delayMs, fire) => {
    if (delayMs <= 0 && typeof setImmediate === 'function') {
      const immediate = setImmediate(fire);
      return () => clearImmediate(immediate);
    }
    const timer = setTimeout(fire, delayMs);
    return () => clearTimeout(timer);
  },
};
