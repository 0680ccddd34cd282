/** From where runs come: an agent's observer, runs that are watched as they go, and recorded ones. */
import { isTraceEvent, type LiveEvent, type Observer, type TraceEvent } from '../../core/trace.ts';
import type { Hold } from './hold.ts';
import type { Holds } from './holds.ts';
import type { Intake } from './intake.ts';
import { begins } from './kept-lines.ts';
import { createLiveRuns, type LiveRuns } from './live-runs.ts';
import type { WatchedRun } from './watched-run.ts';

export interface Sources {
  readonly onEvent: Observer;
  watch(run: WatchedRun, isDecidable: boolean): void;
  /** Settles when all is shown. Rejects with what the events throw as they are read. */
  show(events: Iterable<TraceEvent> | AsyncIterable<TraceEvent>, file: string | null): Promise<void>;
  close(): void;
}

export function createSources(holds: Holds, intake: Intake): Sources {
  const live = createLiveRuns(holds);
  /** Of the same run there may be an observer, too: what the watcher tells is more. */
  const watched = new Set<string>();
  const leaving = new Set<() => void>();

  return {
    onEvent(event, { runId }) {
      if (isEvent(event) && !watched.has(runId))
        intake.push((seen) => holds.take(live.holdFor(runId, seen), seen), event);
    },
    watch(run, isDecidable) {
      const { runId } = run;
      const reader = run[Symbol.asyncIterator]();
      const leave = () => void reader.return?.();
      const over = () => {
        watched.delete(runId);
        leaving.delete(leave);
      };
      watched.add(runId);
      leaving.add(leave);
      const take = watcher(run, { live, holds, isDecidable });
      readAll(reader, (event) => intake.push(take, event)).then(over, over);
    },
    async show(events, file) {
      const shown: Hold[] = [];
      const opened = (runId: string) => {
        const hold = holds.open(runId, file);
        shown.push(hold);
        return hold;
      };
      let current: Hold | null = null;
      try {
        for await (const event of events) {
          const goesOn = (hold: Hold) => event.type === 'run.resumed' && hold.runId === event.runId;
          if (event.type === 'run.started') current = opened(event.runId);
          else if (event.type === 'run.resumed') current = shown.findLast(goesOn) ?? opened(event.runId);
          current ??= opened('');
          holds.take(current, event);
        }
      } finally {
        for (const hold of shown) {
          hold.sourceEnded();
          holds.touch(hold);
        }
      }
    },
    close() {
      for (const leave of leaving) leave();
    },
  };
}

/** A program without types may show anything. */
function isEvent(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'type' in event && typeof event.type === 'string';
}

async function readAll(reader: AsyncIterator<LiveEvent>, take: (event: LiveEvent) => void): Promise<void> {
  for (;;) {
    const { done, value } = await reader.next();
    if (done === true) return;
    take(value);
  }
}

interface Watching {
  readonly live: LiveRuns;
  readonly holds: Holds;
  readonly isDecidable: boolean;
}

/** A run tells its events from its beginning to whoever watches it: what an observer has told before is left out. */
function watcher(run: WatchedRun, { live, holds, isDecidable }: Watching): (event: LiveEvent) => void {
  const { runId } = run;
  let toldUpTo: number | null = null;
  const isRepeat = (event: LiveEvent) => {
    if (!isTraceEvent(event)) return false;
    const before = live.known(runId);
    toldUpTo ??= before?.hasBegunWith(event) === true ? before.lastSequence() : -1;
    return event.sequence <= toldUpTo;
  };
  return (event) => {
    if (!isRepeat(event)) holds.take(live.holdFor(runId, event), event);
    const hold = live.known(runId);
    if (hold === null || !isTraceEvent(event) || !begins(event)) return;
    hold.decideOn(isDecidable ? run : null);
    holds.touch(hold);
  };
}
