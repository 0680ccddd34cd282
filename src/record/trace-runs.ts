/**
 * The runs of a trace, each in the parts in which it was carried out: from its beginning, and from each time it was taken up
 * again; and what of them the trace lacks. Pure.
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
  /** Where events are missing in between. */
  readonly gaps: readonly Gap[];
  /** Why the rest of this run cannot be replayed, in words; null where nothing is left out. */
  readonly leftOut: string | null;
}

export interface Gap {
  /** The event that does not follow the one before it. */
  readonly event: TraceEvent;
  /** In words. */
  readonly message: string;
}

/** `isTorn`: a last line broke off. Throws AgentError (`invalid_option`) where the trace does not begin with the beginning of a run. */
export function runsIn(events: readonly TraceEvent[], isTorn: boolean): readonly RecordedRun[] {
  const runs: { readonly started: Started; readonly behind: (Inner | Resumed)[] }[] = [];
  for (const event of events) {
    const run = runs.at(-1);
    if (event.type === 'run.started') runs.push({ started: event, behind: [] });
    else if (run === undefined) throw notFromBeginning(event);
    else run.behind.push(event);
  }
  return runs.map(({ started, behind }, index) => ({
    started,
    gaps: behind.flatMap((event, at) => gapBetween(behind[at - 1] ?? started, event)),
    ...replayable(partsOf(started, behind), isTorn && index === runs.length - 1),
  }));
}

function partsOf(started: Started, behind: readonly (Inner | Resumed)[]): readonly RecordedPart[] {
  const parts: { readonly begin: Started | Resumed; readonly events: Inner[] }[] = [{ begin: started, events: [] }];
  for (const event of behind) {
    if (event.type === 'run.resumed') {
      if (event.runId !== started.runId) throw notFromBeginning(event);
      parts.push({ begin: event, events: [] });
    } else if (event.ignored !== true) parts.at(-1)?.events.push(event);
  }
  return parts.map(({ begin, events }) => {
    const last = events.at(-1);
    return { begin, events, stopReason: last?.type === 'run.ended' ? last.stopReason : null };
  });
}

/**
 * After a crash a run goes on from a snapshot, with a number of its own. The end of one that is suspended has no number where it
 * went on from its document, and one where a store kept it.
 */
function gapBetween(before: TraceEvent, event: TraceEvent): readonly Gap[] {
  const isTakenUp = event.type === 'run.resumed';
  const [first, last] = [before.sequence + (isTakenUp ? 0 : 1), event.sequence - 1];
  const wasSuspended = before.type === 'run.ended' && before.stopReason === 'suspended';
  if (event.sequence === first || (isTakenUp && (!wasSuspended || event.sequence === first + 1))) return [];
  const missing = first === last ? `event ${first} is missing` : `events ${first} to ${last} are missing`;
  const message =
    first > last
      ? `it stands behind event ${before.sequence}: lines changed places, or several runs were mixed`
      : `${missing} before it`;
  return [{ event, message }];
}

/** A run goes on in the replay where it was suspended. After a crash it went on from a snapshot that the trace does not hold. */
function replayable(parts: readonly RecordedPart[], isTorn: boolean): Pick<RecordedRun, 'parts' | 'leftOut'> {
  const first = parts.findIndex(({ stopReason }) => stopReason !== 'suspended');
  const replayed = first === -1 ? parts : parts.slice(0, first + 1);
  return { parts: replayed, leftOut: leftOutOf(parts, replayed, isTorn) };
}

function leftOutOf(parts: readonly RecordedPart[], replayed: readonly RecordedPart[], isTorn: boolean): string | null {
  if (replayed.length < parts.length)
    return 'it went on from a snapshot that was taken in its middle, which the trace does not hold: it is replayed up to there';
  if (replayed.at(-1)?.stopReason === null) return 'the trace ends before the run does: it is replayed up to there';
  return isTorn ? 'behind its end a line breaks off: it is replayed up to there' : null;
}

function notFromBeginning({ type, sequence }: TraceEvent): Error {
  return unusable(
    `Event ${sequence} (${type}) is of a run whose beginning is not in the trace.`,
    `Put the trace of the part before it in front. ${whereFrom}`,
  );
}
