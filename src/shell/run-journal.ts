/** Runs that are stored: what agent and run know of it. Types only; `lasting.ts` is the implementation. */
import type { AgentError } from '../core/errors.ts';
import type { Snapshot } from '../core/snapshot.ts';
import type { JournalEventLine } from '../core/store.ts';
import type { Run } from '../run.ts';
import type { AnswerRules } from './answer-rules.ts';
import type { WrittenEnd } from './store-writer.ts';

export interface RunJournal {
  /** Adds an event. Never waits, and throws nothing. */
  add(line: JournalEventLine): void;
  /** The run is at rest: its snapshot takes the place of the lines so far, once they have become many. */
  atRest(snapshot: () => Snapshot): void;
  /** Calls back when all so far is durable; never where that cannot be. Gives back what cancels it. */
  whenDurable(then: () => void): () => void;
  /**
   * The run has ended or pauses: the last line, and where it can go on from. Calls back when all is durable and the run is
   * let go, or with what went wrong.
   */
  end(last: JournalEventLine, left: Snapshot | null, then: (end: WrittenEnd) => void): void;
}

/** The stored runs of one agent. */
export interface Lasting {
  /** The journal of a new run. One that is stored already under this id fails. */
  begin(runId: string): OpenJournal;
  /** Of a run that goes on from a document. A store in which it has gone further is not written to. */
  from(snapshot: Snapshot): OpenJournal;
  /**
   * Takes hold of a stored run and hands over what it goes on from; what `goOn` throws lets it go again, and rejects. A run that
   * is over comes ended: `rules` are those of its answer. Rejects with AgentError: `run_held`, `invalid_journal`,
   * `store_failed`, `invalid_option` where nothing is stored.
   */
  resume<Answer>(
    runId: string,
    rules: AnswerRules<Answer>,
    goOn: (snapshot: Snapshot, openJournal: OpenJournal) => Run<Answer>,
  ): Promise<Run<Answer>>;
}

/** `failed` is told once, as soon as something could not be written in time. */
export type OpenJournal = (failed: (problem: AgentError) => void) => RunJournal;
