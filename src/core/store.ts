/**
 * Where runs are kept, so that another process can go on with them. Types only; the stores are in `fuseloop/store`, and
 * whatever keeps this contract is one.
 *
 * A store keeps what it is given and knows nothing of the machine: the journal of each run, line by line. Every method
 * rejects with an AgentError that says what to do: `store_failed` (disk, permission, database), `run_held` (somebody else
 * drives the run), `invalid_journal` (what is stored is damaged, foreign or of a version that is not known; it is left as
 * it is). None is ever awaited by a run without a limit.
 */
import type { JournalEntry, JournalEvent } from './journal.ts';
import type { CallRef } from './outcome.ts';
import type { Snapshot } from './snapshot.ts';
import type { StopReason } from './stop-reasons.ts';

export const journalFormat = 'fuseloop.journal/1';

/** One event of the journal with its place, flat as in a trace, and with nothing redacted that the run needs. JSON. */
export type JournalEventLine = JournalEvent & Omit<JournalEntry, 'event'>;

/**
 * The run at rest, in place of all events before it. `sequence` of the snapshot is that of the next event. A run that is
 * `ended` may go on from it all the same, where it ended at a limit.
 */
export interface CheckpointLine {
  readonly type: 'checkpoint';
  readonly format: typeof journalFormat;
  /** When it was written: milliseconds since 1970. */
  readonly wallMs: number;
  readonly snapshot: Snapshot;
}

/** What a store keeps of a run: lines, in order. The first is `run.started` or a checkpoint. */
export type JournalLine = JournalEventLine | CheckpointLine;

/** Hold of one run. Nobody else can write to it until it is let go, or the process that holds it is gone. */
export interface HeldRun {
  /** Grows by one each time that hold is taken of the run, from 1. */
  readonly epoch: number;
  /** All that was stored when hold was taken; empty for a new run. */
  readonly lines: readonly JournalLine[];
  /**
   * Adds lines; resolves when they would survive a power cut. They are read before it returns. What is given while earlier
   * lines are being written is written with the next. Once it has rejected it always does, so that there are no gaps.
   */
  append(lines: readonly JournalLine[]): Promise<void>;
  /**
   * Puts these lines in the place of all that is stored, whole or not at all. Behind earlier lines, before later ones. With
   * none, the run is not stored any more.
   */
  replace(lines: readonly JournalLine[]): Promise<void>;
  /**
   * Lets the run go, behind what is being written. Without effect where it is let go already. Where it rejects it may be asked
   * again; whoever opens the run in the same process meanwhile gets it.
   */
  release(): Promise<void>;
}

export interface Store {
  /** For messages, such as `the files in ./runs`. */
  readonly name: string;
  /** Takes hold of a run: of one that is stored, or of a new one. `run_held` where somebody alive holds it. */
  open(runId: string): Promise<HeldRun>;
  /** What is stored, without taking hold of the run; null where nothing is. */
  read(runId: string): Promise<readonly JournalLine[] | null>;
  /** Runs that are stored, those that changed last first. What cannot be read is listed as `unreadable`. */
  list(filter?: RunFilter): Promise<readonly StoredRun[]>;
  /** Removes a run that nobody holds; false where it is not stored. */
  delete(runId: string): Promise<boolean>;
  /** Lets all runs go, behind what is being written. */
  close(): Promise<void>;
}

/**
 * `running`: somebody holds it. `suspended`: it waits for a person. `ended`: `stopReason` says how. `interrupted`: it did
 * not end, and nobody holds it, as after a crash. `unreadable`: `problem` says why.
 */
export const runStatuses = ['running', 'suspended', 'interrupted', 'ended', 'unreadable'] as const;
export type RunStatus = (typeof runStatuses)[number];

export interface RunFilter {
  readonly status?: readonly RunStatus[];
  /** The most that are listed. */
  readonly limit?: number;
}

/** What a list says of a run. Instants are milliseconds since 1970. */
export interface StoredRun {
  readonly runId: string;
  readonly status: RunStatus;
  /** Null where it has not ended. */
  readonly stopReason: Exclude<StopReason, 'suspended'> | null;
  /** The beginning of the task, at most 200 characters. */
  readonly task: string;
  readonly startedAtMs: number | null;
  readonly changedAtMs: number | null;
  /** Calls about which a person is asked. */
  readonly waiting: readonly CallRef[];
  /** Who holds it, in words, such as `process 4711 on this machine`. */
  readonly heldBy: string | null;
  /** What is stored of it. */
  readonly bytes: number;
  readonly problem: string | null;
}
