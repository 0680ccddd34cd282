/** The time of one process of a case: virtual where everything is scripted, real where bytes go over a socket. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../src/index.ts';
import { virtualClock } from '../../src/verify/virtual-clock.ts';

export interface CaseClock {
  /** For the agent; null where it keeps its own. */
  readonly forAgent: Clock | null;
  nowMs(): number;
  setTimer: Clock['setTimer'];
  /** Timers that are armed; 0 where nobody can count them. */
  armed(): number;
  /** Lets things happen until the promise settles. False where they never would. */
  settles(promise: Promise<unknown>): Promise<boolean>;
  /** Lets everything happen that is ready. */
  calm(): Promise<void>;
  pass(ms: number): Promise<void>;
}

export function scriptedTime(): CaseClock {
  const clock = virtualClock();
  return {
    forAgent: clock,
    nowMs: clock.monotonicMs,
    setTimer: clock.setTimer,
    armed: () => clock.armed,
    settles: (promise) =>
      clock.until(promise).then(
        () => true,
        () => false,
      ),
    calm: clock.calm,
    pass: clock.pass,
  };
}

/** Longer than any run of a case; a run that is not over by then hangs. */
const patienceMs = 90_000;

export function realTime(): CaseClock {
  return {
    forAgent: null,
    nowMs: () => performance.now(),
    setTimer(delayMs, fire) {
      const timer = setTimeout(fire, delayMs);
      return () => clearTimeout(timer);
    },
    armed: () => 0,
    async settles(promise) {
      const over = new AbortController();
      const patience = sleep(patienceMs, false, { signal: over.signal, ref: false });
      const settled = await Promise.race([promise.then(() => true), patience]);
      over.abort();
      patience.catch(() => {});
      return settled;
    },
    calm: () => sleep(5),
    pass: (ms) => sleep(ms),
  };
}
