/**
 * Which of the runs that are held an event of this program belongs to. What tells one run's events is known by its object, and not
 * by the run's id: two runs at once may have one id.
 */
import type { LiveEvent, TraceEvent } from '../../core/trace.ts';
import type { Hold } from './hold.ts';
import type { Holds } from './holds.ts';
import { begins } from './kept-lines.ts';

export interface LiveRuns {
  /** Of which run it is. Null where a watcher tells that run, or where nobody can say which it is: that is warned of. */
  observed(event: TraceEvent, run: unknown): Hold | null;
  /** The run that is watched; from its first event on nobody else tells it. */
  watched(event: LiveEvent, run: object, runId: string): Hold;
  /** The watcher is at its end. */
  left(run: object): void;
}

/** `onUnclear`: told what cannot be told apart. */
export function createLiveRuns(holds: Holds, onUnclear: () => void): LiveRuns {
  /** Keys, and not what is held: a run that had to go is gone, however long its object lives. */
  const keys = new WeakMap<object, string>();
  const watchers = new WeakMap<Hold, object>();
  /** Keys of those whose observer was called without a run, as long as they go. */
  const nameless = new Set<string>();

  const known = (run: object) => holds.find(keys.get(run) ?? '');
  /** A run that goes on, goes on in its place, where that is over. */
  const placeFor = (event: LiveEvent, runId: string) => {
    const before = event.type === 'run.resumed' ? holds.ofProgram(runId).findLast((hold) => hold.isOver()) : undefined;
    if (before !== undefined) watchers.delete(before);
    return before ?? holds.open(runId, null);
  };
  const bound = (run: object, hold: Hold) => {
    keys.set(run, hold.key);
    return hold;
  };
  const onlyOf = (open: readonly Hold[], runId: string) => {
    if (open.length > 1) onUnclear();
    return open.length > 1 ? null : (open[0] ?? holds.open(runId, null));
  };
  /** Somebody passes the events on, with a run of their own each time. */
  const passedOn = (event: TraceEvent, run: object, runId: string) => {
    const all = holds.ofProgram(runId);
    const open = all.filter((hold) => !hold.isOver());
    // Its watcher may have told the end already.
    const told = open.length === 0 ? all.findLast((hold) => event.sequence <= hold.lastSequence()) : undefined;
    const hold = told ?? onlyOf(open, runId);
    return hold === null ? null : bound(run, hold);
  };
  /** Somebody passes the events on, and leaves out the run. */
  const withoutRun = (event: TraceEvent) => {
    const open = [...nameless].flatMap((key) => {
      const hold = holds.find(key);
      return hold === null || hold.isOver() ? [] : [hold];
    });
    const hold = begins(event) ? placeFor(event, event.runId) : onlyOf(open, '');
    nameless.clear();
    for (const one of [...open, hold]) if (one !== null) nameless.add(one.key);
    return hold;
  };
  const observedBy = (event: TraceEvent, run: unknown) => {
    if (typeof run !== 'object' || run === null) return withoutRun(event);
    const before = known(run);
    if (before !== null && event.type !== 'run.started') return before;
    const runId = idOf(run, event);
    return begins(event) ? bound(run, placeFor(event, runId)) : passedOn(event, run, runId);
  };
  /** What an observer has told of the watched run. Where that may be of two, it is shown by itself. */
  const toldBefore = (event: LiveEvent, runId: string) => {
    if (!begins(event)) return null;
    const same = holds.ofProgram(runId).filter((hold) => hold.hasBegunWith(event) && !watchers.has(hold));
    return same.length === 1 ? (same[0] ?? null) : null;
  };
  return {
    observed(event, run) {
      const hold = observedBy(event, run);
      return hold !== null && watchers.has(hold) ? null : hold;
    },
    watched(event, run, runId) {
      const hold = known(run) ?? bound(run, toldBefore(event, runId) ?? placeFor(event, runId));
      watchers.set(hold, run);
      return hold;
    },
    left(run) {
      const hold = known(run);
      if (hold !== null && watchers.get(hold) === run) watchers.delete(hold);
    },
  };
}

function idOf(run: object, event: TraceEvent): string {
  const runId: unknown = Reflect.get(run, 'runId');
  if (typeof runId === 'string') return runId;
  return begins(event) ? event.runId : '';
}
