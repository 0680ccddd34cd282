/**
 * Sees a run that goes in circles: the same step again, or the same cycle of up to `cycleMax` steps. Steps are
 * compared by tool, canonical input and result, so that polling with changing results is spared. Pure.
 */
import type { LoopGuard } from '../src/core/limits.ts';
import type { ReactContext } from '../src/core/snapshot.ts';

export interface LoopVerdict {
  readonly window: readonly string[];
  readonly loop: ReactContext['loop'];
}

/** Adds a step's key to the window, which keeps the last `cycleMax × endAt` keys, and judges what it then holds. */
export function watchLoop(guard: LoopGuard | null, window: readonly string[], key: string): LoopVerdict {
  if (guard === null) return { window, loop: 'none' };
  const kept = [...window, key].slice(-guard.cycleMax * guard.endAt);
  let rounds = 1;
  for (let length = 1; length <= guard.cycleMax; length++) rounds = Math.max(rounds, roundsOf(kept, length));
  if (rounds >= guard.endAt) return { window: kept, loop: 'end' };
  return { window: kept, loop: rounds >= guard.warnAt ? 'warn' : 'none' };
}

/** How often the last `length` keys stand at the end, one after the other. */
function roundsOf(window: readonly string[], length: number): number {
  let equal = 0;
  for (let index = window.length - 1; index >= length && window[index] === window[index - length]; index--) equal++;
  return 1 + Math.floor(equal / length);
}
