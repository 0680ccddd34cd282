/** Timers of any length, which never fire early. */
import type { Clock } from '../core/clock.ts';

/** The longest delay that a platform timer holds; a longer one would fire at once. */
const longestMs = 2 ** 31 - 1;

/**
 * Calls `fire` once when `now()` has reached `at()`, both in milliseconds. Long waits are armed in parts; a platform
 * timer that fires a little early, or an instant that has moved on meanwhile, is armed again. An instant that moves
 * nearer is noticed within `partMs`. Returns what cancels it.
 */
export function armTimer(
  clock: Clock,
  now: () => number,
  at: () => number,
  fire: () => void,
  partMs: number = longestMs,
): () => void {
  let cancel: () => void;
  const arm = () => {
    const leftMs = Math.ceil(at() - now());
    cancel = clock.setTimer(Math.max(1, Math.min(leftMs, partMs, longestMs)), () => {
      if (now() >= at()) fire();
      else arm();
    });
  };
  arm();
  return () => cancel();
}
