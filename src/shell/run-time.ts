/**
 * The running time of one run, and its deadline: monotonic, in whole milliseconds, and standing still while a person
 * decides.
 */
import type { Clock } from '../core/clock.ts';
import { armTimer } from './timer.ts';

export interface RunTime {
  nowMs(): number;
  /** Begins to watch the deadline. */
  arm(): void;
  disarm(): void;
  /** No time passes until `goOn`. */
  pause(): void;
  goOn(): void;
}

/** `startMs` is the running time that the run has already had; `expire` is called when `limitMs` is reached. */
export function createRunTime(clock: Clock, startMs: number, limitMs: number, expire: () => void): RunTime {
  let passedMs = startMs;
  let sinceMs: number | null = clock.monotonicMs();
  let disarm = () => {};

  const nowMs = () => Math.floor(sinceMs === null ? passedMs : passedMs + clock.monotonicMs() - sinceMs);
  const arm = () => {
    disarm = armTimer(clock, nowMs, () => limitMs, expire);
  };
  return {
    nowMs,
    arm,
    disarm: () => disarm(),
    pause() {
      disarm();
      passedMs = nowMs();
      sinceMs = null;
    },
    goOn() {
      sinceMs ??= clock.monotonicMs();
      arm();
    },
  };
}
