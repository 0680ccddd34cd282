/**
 * The trace: the journal as others may see it, one event a line (JSONL). What follows from a run (its outcome, metrics,
 * spans, a picture) is a fold over it.
 */
import type { JournalEntry, JournalEvent, RunStarted } from './journal.ts';

export const traceFormat = 'fuseloop.trace/1';

type Seen = Exclude<JournalEvent, RunStarted> | (Omit<RunStarted, 'format'> & { readonly format: typeof traceFormat });

/** An event of the journal with its place in the run. Secrets are replaced by `[redacted]`. */
export type TraceEvent = Seen & Omit<JournalEntry, 'event'>;

/**
 * What a writer of traces puts in the place of events that it had to leave out, since the disk was slower than the run or the file
 * had its size. `from` and `to` are the sequences of the first and of the last of them.
 */
export interface TraceDropped {
  readonly type: 'trace.dropped';
  readonly runId: string;
  readonly count: number;
  readonly from: number;
  readonly to: number;
  /** When the first was dropped: milliseconds since 1970. */
  readonly wallMs: number;
}

/**
 * Sees each event of a run as it happens. It cannot change the run: its copy is its own, and what it throws, or rejects with, is
 * heard by nobody. It is called at once, so what takes long belongs behind a queue of its own. `run` is one object for all events
 * of a run in this process: two runs at once may have one id.
 */
export type Observer = (event: TraceEvent, run: { readonly runId: string }) => unknown;

/** A piece of a reply as it arrives. Live only, never in a trace file: what counts is what the reply is read as. */
export interface ReplyDelta {
  readonly type: 'reply.delta';
  readonly step: number;
  readonly text: string;
}

/** The reply broke off and is asked for again: the pieces of this step so far count for nothing. Live only. */
export interface ReplyRestarted {
  readonly type: 'reply.restarted';
  readonly step: number;
  /** The number of the try that follows, from 2. */
  readonly attempt: number;
}

export type LiveEvent = TraceEvent | ReplyDelta | ReplyRestarted;

/** An event of the trace, and not one of those that are only seen live. */
export function isTraceEvent(event: LiveEvent): event is TraceEvent {
  return event.type !== 'reply.delta' && event.type !== 'reply.restarted';
}

/** Whether a run begins with it, or goes on in another life. */
export function begins(event: LiveEvent): event is Extract<TraceEvent, { type: 'run.started' | 'run.resumed' }> {
  return event.type === 'run.started' || event.type === 'run.resumed';
}
