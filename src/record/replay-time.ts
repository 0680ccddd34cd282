/** Virtual time that follows the running times of a recording: what was recorded at a running time happens at it again. */
import { type VirtualClock, virtualClock } from '../verify/virtual-clock.ts';

export interface ReplayTime {
  readonly clock: VirtualClock;
  /** Settles when the running time is that of the recorded event; what stands later in the trace comes later. */
  until(atMs: number, sequence: number): Promise<void>;
  /** In so many milliseconds. */
  later(ms: number, act: () => void): void;
  /** The running time stood still up to now, or begins now, and is this. */
  goOnFrom(atMs: number): void;
}

/** Of what has the same millisecond, each comes a little behind the one before it. */
const millisecondsPerEvent = 1e-6;

export function replayTime(wallMs: number): ReplayTime {
  const clock = virtualClock();
  clock.setWall(wallMs);
  let aheadMs = clock.monotonicMs();
  return {
    clock,
    until: (atMs, sequence) =>
      new Promise((resolve) => {
        const dueMs = atMs + sequence * millisecondsPerEvent + aheadMs;
        clock.setTimer(Math.max(0, dueMs - clock.monotonicMs()), resolve);
      }),
    later: (ms, act) => {
      clock.setTimer(Math.max(0, ms), act);
    },
    goOnFrom: (atMs) => {
      aheadMs = clock.monotonicMs() - atMs;
    },
  };
}
