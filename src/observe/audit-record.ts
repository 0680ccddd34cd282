/** A line of the audit. Types only. */
import type { Gate } from '../core/events.ts';

/**
 * Of the run: `started`, `resumed`, `aborted`, `ended`. Of the gates: `run`, `asked`, `refused`. Of a person: `waiting` (the
 * question was put), `approved`, `denied`. What came of a call: `retried`, `succeeded`, `failed`, `unknown` (its effect may
 * have happened), `unsettled` (the run ended first). Of an answer that is checked: `accepted`, `rejected`.
 */
export type Decision =
  | 'started'
  | 'resumed'
  | 'aborted'
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

export interface AuditRecord {
  readonly runId: string | null;
  /** Of the event of the trace from which it is known. */
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly wallMs: number;
  readonly step: number | null;
  readonly callId: string | null;
  readonly tool: string | null;
  readonly decision: Decision;
  /** The gate that refused it or asks. */
  readonly gate: Gate | null;
  /** The person who decided, as the program that approved or denied named them. */
  readonly by: string | null;
  /** In words: the rule, the reason, the fault. May be empty, and is not cut. */
  readonly why: string;
  /**
   * Stands for tool and input: equal for equal calls, and does not show what they hold; a guess can be checked against it.
   * About 20 letters and digits.
   */
  readonly inputHash: string | null;
  /** It came late, or twice, and changed nothing. */
  readonly late: boolean;
}
