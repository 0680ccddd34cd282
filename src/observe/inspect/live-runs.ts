/**
 * Which of the runs that are held an event of this program belongs to. What tells one run's events is known by its object, and not
 * by the run's id: two runs at once may have one id.
 */
import { begins, type LiveEvent, type TraceEvent } from '../../core/trace.ts';
import type { Hold } from './hold.ts';
import type { Holds } from './holds.ts';

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
  const nameless = createNameless(holds);
  const known = (run: object) => holds.find(keys.get(run) ?? '');
  const placeFor = (event: LiveEvent, runId: string) => {
    const before = leftBefore(holds.ofProgram(runId), event);
    if (before !== undefined) watchers.delete(before);
    return before ?? holds.open(runId, null);
  };
  const bound = (run: object, hold: Hold) => {
    keys.set(run, hold.key);
    return hold;
  };
  const onlyOf = (open: readonly Hold[], runId: string) => {
    if (open.length < 2) return open[0] ?? holds.open(runId, null);
    onUnclear();
    return null;
  };
  /** Somebody passes the events on, with a run of their own each time. */
  const passedOn = (event: TraceEvent, run: object, runId: string) => {
    const all = holds.ofProgram(runId);
    const hold = toldAlready(all, event) ?? onlyOf(all.filter(isOpen), runId);
    return hold === null ? null : bound(run, hold);
  };
  /** Somebody passes the events on, and leaves out the run. */
  const withoutRun = (event: TraceEvent) => {
    const hold = begins(event) ? placeFor(event, event.runId) : onlyOf(nameless.open(), '');
    return hold === null ? null : nameless.add(hold);
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
    const same = begins(event) ? holds.ofProgram(runId).filter((hold) => hold.hasBegunWith(event)) : [];
    const [hold = null, ...others] = same.filter((one) => !watchers.has(one));
    return others.length === 0 ? hold : null;
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

/** Runs whose observer was called without one, as long as they go. */
function createNameless(holds: Holds) {
  let keys: readonly string[] = [];
  const open = () => keys.map(holds.find).filter((hold): hold is Hold => hold !== null && !hold.isOver());
  return {
    open,
    add(hold: Hold) {
      keys = [...new Set([...open(), hold])].map(({ key }) => key);
      return hold;
    },
  };
}

function isOpen(hold: Hold): boolean {
  return !hold.isOver();
}

/** A run that goes on, goes on in its place, where that is over. */
function leftBefore(all: readonly Hold[], event: LiveEvent): Hold | undefined {
  return event.type === 'run.resumed' ? all.findLast((hold) => hold.isOver()) : undefined;
}

/** The watcher of a run may have told the end before its observer. */
function toldAlready(all: readonly Hold[], { sequence }: TraceEvent): Hold | undefined {
  return all.some(isOpen) ? undefined : all.findLast((hold) => sequence <= hold.lastSequence());
}

function idOf(run: object, event: TraceEvent): string {
  const runId: unknown = Reflect.get(run, 'runId');
  if (typeof runId === 'string') return runId;
  return begins(event) ? event.runId : '';
}
