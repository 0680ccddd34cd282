/** A line of the audit. Types only. */
import type { Gate } from '../core/verdict.ts';

/**
 * Of the run: `started`, `resumed`, `aborted`, `ended`. Of the gates: `run`, `asked`, `refused` (also an input that a person
 * edited). Of a person: `waiting` (the question was put), `approved`, `denied`. What came of a call: `retried`, `succeeded`,
 * `failed`, `unknown` (its effect may have happened), `unsettled` (the run, or its trace, ended first). Of an answer that is
 * checked: `accepted`, `rejected`.
 */
export type Decision =
  | 'started'
  | 'resumed'
  | 'aborted'
  | 'store_failed'
  | 'ended'
  | 'run'
  | 'asked'
  | 'refused'
  | 'waiting'
  | 'approved'
  | 'denied'
  | 'retried'
  | 'succeeded'
  | 'failed'
  | 'unknown'
  | 'unsettled'
  | 'accepted'
  | 'rejected';

/** One decision: who, what, why, when, and about which input. Plain JSON. */
export interface AuditRecord {
  /** Null only where the events do not begin with those of a run. */
  readonly runId: string | null;
  /** Of the event of the trace from which it is known. */
  readonly sequence: number;
  /** Of that event, in milliseconds since 1970. */
  readonly wallMs: number;
  /** From 1; null where it is about the whole run. */
  readonly step: number | null;
  /** Such as `2.1`, the first call of step 2; null where it is about no single call. */
  readonly callId: string | null;
  /** As the model named it: it need not exist. */
  readonly tool: string | null;
  readonly decision: Decision;
  /** The gate that refused it or asks. */
  readonly gate: Gate | null;
  /** The person who decided, or edited what the gates refused, as the program that took the decision named them. */
  readonly by: string | null;
  /** In words: the rule, the reason, the fault. May be empty, and is not cut. */
  readonly why: string;
  /** The input is the one that a person put in place of the model's. Of `approved` and `refused`. */
  readonly edited: boolean;
  /**
   * Stands for tool and input: equal for equal calls, and does not show what they hold; a guess can be checked against it.
   * About 20 letters and digits. Null where no call is meant, or the trace does not tell the input.
   */
  readonly inputHash: string | null;
  /** It came late, or twice, and changed nothing. */
  readonly late: boolean;
}
