/** From where runs come: an agent's observer, runs that are watched as they go, and recorded ones. */
import { begins, isTraceEvent, type LiveEvent, type Observer, type TraceEvent } from '../../core/trace.ts';
import type { Hold } from './hold.ts';
import type { Holds } from './holds.ts';
import type { Intake } from './intake.ts';
import { createLiveRuns } from './live-runs.ts';
import type { WatchedRun } from './watched-run.ts';

export interface Sources {
  readonly onEvent: Observer;
  watch(run: WatchedRun, isDecidable: boolean): void;
  /** Settles when all is shown. Rejects with what the events throw as they are read. */
  show(events: Iterable<TraceEvent> | AsyncIterable<TraceEvent>, file: string | null): Promise<void>;
  close(): void;
}

export function createSources(holds: Holds, intake: Intake): Sources {
  const live = createLiveRuns(holds, once(warnOfUnclear));
  const leaving = new Set<() => void>();

  return {
    onEvent(event: TraceEvent, run?: unknown) {
      unheeded(() => {
        if (isEvent(event)) intake.push(() => take(holds, live.observed(event, run), event), event);
      });
    },
    watch(run, isDecidable) {
      const reader = run[Symbol.asyncIterator]();
      const leave = () => void reader.return?.();
      const over = () => {
        live.left(run);
        leaving.delete(leave);
      };
      const takeWatched = (event: LiveEvent) => {
        const hold = live.watched(event, run, run.runId);
        take(holds, hold, event);
        if (!isTraceEvent(event) || !begins(event)) return;
        hold.decideOn(isDecidable ? run : null);
        holds.touch(hold);
      };
      leaving.add(leave);
      readAll(reader, (event) => intake.push(takeWatched, event)).then(over, over);
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

/** An observer and a watcher may tell of the same event. Null: it is shown nowhere. */
function take(holds: Holds, hold: Hold | null, event: LiveEvent): void {
  if (hold === null) return;
  const isRepeat = isTraceEvent(event) && event.sequence <= hold.lastSequence();
  if (!isRepeat || (begins(event) && !hold.hasBegunWith(event))) holds.take(hold, event);
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

function warnOfUnclear(): void {
  process.emitWarning(
    'The inspector was told events of several runs at once, without the run that each is of: they are not shown. Pass on both ' +
      'arguments, onEvent: (event, run) => inspector.onEvent(event, run), or give a list, onEvent: [mine, inspector.onEvent].',
    { code: 'FUSELOOP_INSPECTOR' },
  );
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}

/** What it throws, of events that are none, changes nothing here. */
function unheeded(work: () => void): void {
  try {
    work();
  } catch {}
}
