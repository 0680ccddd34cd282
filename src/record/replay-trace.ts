/**
 * `replayTrace`: a recorded run carried out again, offline. Today's machine, reader, gates and checks work on what the model, the
 * tools and people did then; where today's run is another, that is a difference.
 */
import type { InputSchema } from '../core/schema.ts';
import type { Snapshot } from '../core/snapshot.ts';
import type { TraceEvent } from '../core/trace.ts';
import { pathOf } from './file-path.ts';
import { type Following, stepOf, type TraceDifference } from './follow-trace.ts';
import { readJsonl } from './read-jsonl.ts';
import { factsOf } from './recorded-facts.ts';
import { type PlayedPart, playPart } from './replay-part.ts';
import { replayTime } from './replay-time.ts';
import { checkTraceOptions, type ReplayTraceOptions } from './trace-options.ts';
import { type RecordedRun, runsIn } from './trace-runs.ts';
import { checkTrace, whereFrom } from './trace-shape.ts';

export interface RunReplay {
  readonly runId: string;
  readonly task: string;
  /** In the order of the trace. */
  readonly differences: readonly TraceDifference[];
  /** Events that agree, of those that are compared. */
  readonly agreed: number;
  readonly compared: number;
  /** Why a part of the run was not replayed, in words; null where all was. */
  readonly leftOut: string | null;
}

export interface TraceReplay extends Pick<RunReplay, 'differences' | 'agreed' | 'compared'> {
  /** Each run of the trace. */
  readonly runs: readonly RunReplay[];
}

/**
 * Replays each run of a trace: the path or the URL of a file that `fuseloop run --trace` wrote, or events as `onEvent` was given
 * them. No model is asked, no tool is run, and no time passes: replies, results and decisions are the recorded ones, at the
 * recorded running times. Events that are missing are differences, and so is an end that is, but for `unfinished`.
 *
 * Rejects with AgentError (`invalid_option`) for what is no trace, begins in the middle of a run, or is of another version; it
 * names the event. A torn last line is left out.
 */
export async function replayTrace<Schema extends InputSchema | undefined = undefined>(
  trace: string | URL | readonly TraceEvent[],
  options: ReplayTraceOptions<Schema> = {},
): Promise<TraceReplay> {
  checkTraceOptions(options);
  if (isList(trace)) return replayEvents(trace, { isTorn: false }, options);
  const { lines, torn } = readJsonl(pathOf('replayTrace', trace), 'trace', whereFrom);
  return replayEvents(
    lines.map(({ value }) => value),
    { isTorn: torn !== null },
    options,
  );
}

/** `isTorn`: behind the events there was a line that broke off. */
export async function replayEvents<Schema extends InputSchema | undefined = undefined>(
  events: readonly unknown[],
  { isTorn }: { readonly isTorn: boolean },
  options: ReplayTraceOptions<Schema>,
): Promise<TraceReplay> {
  checkTrace(events);
  const runs: RunReplay[] = [];
  for (const run of runsIn(events, isTorn)) runs.push(await replayRun(run, options));
  const sum = (name: 'agreed' | 'compared') => runs.reduce((total, run) => total + run[name], 0);
  return {
    differences: runs.flatMap((run) => run.differences),
    agreed: sum('agreed'),
    compared: sum('compared'),
    runs,
  };
}

function isList(trace: string | URL | readonly TraceEvent[]): trace is readonly TraceEvent[] {
  return Array.isArray(trace);
}

async function replayRun<Schema extends InputSchema | undefined>(
  run: RecordedRun,
  options: ReplayTraceOptions<Schema>,
): Promise<RunReplay> {
  const { runId, task } = run.started;
  const facts = factsOf(run);
  let snapshot: Snapshot | null = null;
  const parts: Following[] = [];
  for (const part of run.parts) {
    const time = replayTime(part.begin.wallMs);
    const played: PlayedPart = await playPart({ run, facts, time, options }, part, snapshot);
    parts.push(played.following);
    snapshot = played.snapshot;
    if (snapshot === null) break;
  }
  const sum = (of: (part: Following) => number) => parts.reduce((total, part) => total + of(part), 0);
  return {
    runId,
    task,
    differences: [
      ...inOrder([...gapsOf(run), ...parts.flatMap((part) => part.differences)]),
      ...(run.leftOut === null || options.unfinished === true ? [] : [endIsMissing(runId, run.leftOut)]),
    ],
    agreed: sum((part) => part.agreed()),
    compared: sum((part) => part.compared),
    leftOut: run.leftOut,
  };
}

function gapsOf({ started: { runId }, gaps }: RecordedRun): readonly TraceDifference[] {
  return gaps.map(({ event, message }) => ({
    runId,
    sequence: event.sequence,
    step: stepOf(event),
    event: event.type,
    message,
  }));
}

/** What has no place in the recording stands behind all that has. */
function inOrder(differences: readonly TraceDifference[]): readonly TraceDifference[] {
  const placeOf = ({ sequence }: TraceDifference) => sequence ?? Number.MAX_SAFE_INTEGER;
  return [...differences].sort((one, other) => placeOf(one) - placeOf(other));
}

function endIsMissing(runId: string, leftOut: string): TraceDifference {
  const message = `${leftOut}; where a crash is expected, unfinished allows that`;
  return { runId, sequence: null, step: null, event: 'run.ended', message };
}
