/**
 * Time that passes only when nothing else can happen. `until(promise)` lets everything run that is ready, and then moves
 * on to the next timer, so that a test of hours takes milliseconds and is the same every time.
 */
import type { Clock } from '../core/clock.ts';

export interface VirtualClock extends Clock {
  /** Timers that are armed. */
  readonly armed: number;
  /** The value of the promise. Throws where nothing is left that could settle it. */
  until<Value>(promise: PromiseLike<Value>): Promise<Value>;
  /** Runs whatever is ready, without letting time pass. */
  calm(): Promise<void>;
  /** Lets this much time pass. */
  pass(ms: number): Promise<void>;
  /** Sets the wall clock, as an administrator would; the monotonic one goes on. */
  setWall(ms: number): void;
}

interface Timer {
  readonly atMs: number;
  readonly order: number;
  readonly fire: () => void;
}

const startOfTime = Date.UTC(2026, 0, 1);

export function virtualClock(): VirtualClock {
  const timers = new Set<Timer>();
  let nowMs = 0;
  let wallAheadMs = startOfTime;
  let order = 0;

  const earliest = () => [...timers].sort((a, b) => a.atMs - b.atMs || a.order - b.order)[0];
  const fire = (timer: Timer) => {
    timers.delete(timer);
    nowMs = Math.max(nowMs, timer.atMs);
    timer.fire();
  };

  const clock: VirtualClock = {
    monotonicMs: () => nowMs,
    wallMs: () => nowMs + wallAheadMs,
    setTimer(delayMs, fireIt) {
      const timer = { atMs: nowMs + delayMs, order: order++, fire: fireIt };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    get armed() {
      return timers.size;
    },
    calm,
    async until(promise) {
      let settled = false;
      const done = () => {
        settled = true;
      };
      promise.then(done, done);
      for (;;) {
        await calm();
        if (settled) return promise;
        const timer = earliest();
        if (timer === undefined) throw new Error('Nothing is left that could settle this promise: it hangs.');
        fire(timer);
      }
    },
    async pass(ms) {
      const untilMs = nowMs + ms;
      await calm();
      for (let timer = earliest(); timer !== undefined && timer.atMs <= untilMs; timer = earliest()) {
        fire(timer);
        await calm();
      }
      nowMs = untilMs;
    },
    setWall(ms) {
      wallAheadMs = ms - nowMs;
    },
  };
  return clock;
}

/** All that promises alone can bring about: an immediate comes after every job that is queued before it. */
async function calm(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}
