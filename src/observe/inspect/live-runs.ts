/** The runs of this program, by their ids. */
import type { LiveEvent } from '../../core/trace.ts';
import type { Hold } from './hold.ts';
import type { Holds } from './holds.ts';

export interface LiveRuns {
  /** Null where it is not held (any more). */
  known(runId: string): Hold | null;
  /** Where the event belongs. A run that begins has a new place, also where its id was used before. */
  holdFor(runId: string, event: LiveEvent): Hold;
}

export function createLiveRuns(holds: Holds): LiveRuns {
  const live = new Map<string, Hold>();
  let sweepAt = 1_000;

  /** Those that are not held any more are forgotten here, too. */
  const sweep = () => {
    for (const [runId, hold] of live) if (!holds.has(hold)) live.delete(runId);
    sweepAt = 2 * live.size + 1_000;
  };
  const known = (runId: string) => {
    const hold = live.get(runId);
    return hold !== undefined && holds.has(hold) ? hold : null;
  };
  return {
    known,
    holdFor(runId, event) {
      const hold = known(runId);
      if (hold !== null && !(event.type === 'run.started' && hold.lines.length > 0)) return hold;
      if (live.size >= sweepAt) sweep();
      const opened = holds.open(runId, null);
      live.set(runId, opened);
      return opened;
    },
  };
}
