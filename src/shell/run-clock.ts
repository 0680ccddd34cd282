/** The running time of one run: monotonic, and standing still while a person decides. Whole milliseconds. */
import type { Clock } from '../core/clock.ts';

export interface RunClock {
  nowMs(): number;
  pause(): void;
  resume(): void;
}

/** `startMs` is the running time that the run has already had. */
export function runClock(clock: Clock, startMs: number): RunClock {
  let passedMs = startMs;
  let sinceMs: number | null = clock.monotonicMs();
  const nowMs = () => Math.floor(sinceMs === null ? passedMs : passedMs + clock.monotonicMs() - sinceMs);
  return {
    nowMs,
    pause() {
      passedMs = nowMs();
      sinceMs = null;
    },
    resume() {
      sinceMs ??= clock.monotonicMs();
    },
  };
}
