/**
 * The runs of a trace, each in the parts in which it was carried out: from its beginning, and from each time it was taken up
 * again. Pure.
 */
import type { TraceEvent } from '../core/trace.ts';
import { unusable } from './read-jsonl.ts';
import { whereFrom } from './trace-shape.ts';

export type Started = Extract<TraceEvent, { type: 'run.started' }>;
export type Resumed = Extract<TraceEvent, { type: 'run.resumed' }>;
export type Inner = Exclude<TraceEvent, Started | Resumed>;

export interface RecordedPart {
  readonly begin: Started | Resumed;
  /** What was obeyed; what came late or twice changed nothing. */
  readonly events: readonly Inner[];
  /** Null where the trace breaks off. */
  readonly stopReason: string | null;
}

export interface RecordedRun {
  readonly started: Started;
  readonly parts: readonly RecordedPart[];
  /** Why the rest of the trace of this run cannot be replayed; null where nothing is left out. */
  readonly leftOut: string | null;
}

/** Throws AgentError (`invalid_option`) where the trace does not begin with the beginning of a run. */
export function runsIn(events: readonly TraceEvent[]): readonly RecordedRun[] {
  const runs: { started: Started; parts: { begin: Started | Resumed; events: Inner[] }[] }[] = [];
  for (const event of events) {
    const run = runs.at(-1);
    if (event.type === 'run.started') runs.push({ started: event, parts: [{ begin: event, events: [] }] });
    else if (run === undefined) throw notFromBeginning(event);
    else if (event.type === 'run.resumed') {
      if (event.runId !== run.started.runId) throw notFromBeginning(event);
      run.parts.push({ begin: event, events: [] });
    } else if (event.ignored !== true) run.parts.at(-1)?.events.push(event);
  }
  return runs.map(({ started, parts }) => whole(started, parts.map(part)));
}

function part({ begin, events }: { begin: Started | Resumed; events: readonly Inner[] }): RecordedPart {
  const last = events.at(-1);
  return { begin, events, stopReason: last?.type === 'run.ended' ? last.stopReason : null };
}

/** A run goes on in the replay where it was suspended. After a crash it went on from a snapshot that the trace does not hold. */
function whole(started: Started, parts: readonly RecordedPart[]): RecordedRun {
  const first = parts.findIndex(({ stopReason }) => stopReason !== 'suspended');
  const replayed = first === -1 ? parts : parts.slice(0, first + 1);
  const leftOut =
    replayed.length < parts.length
      ? 'It went on from a snapshot that was taken in its middle, which the trace does not hold: it is replayed up to there.'
      : replayed.at(-1)?.stopReason === null
        ? 'The trace ends before the run does: it is replayed up to there.'
        : null;
  return { started, parts: replayed, leftOut };
}

function notFromBeginning({ type, sequence }: TraceEvent): Error {
  return unusable(
    `Event ${sequence} (${type}) is of a run whose beginning is not in the trace.`,
    `Put the trace of the part before it in front. ${whereFrom}`,
  );
}
