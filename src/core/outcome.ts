/** The one result of a run. Types only; everything here survives JSON, where the value of an `answerSchema` does. */
import type { AgentError } from './errors.ts';
import type { CallResult } from './events.ts';
import type { JsonValue } from './json.ts';
import type { Snapshot } from './snapshot.ts';
import type { StepViolation, StopReason } from './stop-reasons.ts';
import type { TokenCount, Usage } from './usage.ts';

/** One call of a step, with what came of it. */
export interface StepCall {
  readonly toolCallId: string;
  readonly tool: string;
  /** The input that ran, or as the model wrote it where the gates refused it. */
  readonly input: JsonValue | null;
  readonly repaired: boolean;
  /** `refused`: it never started. `cancelled`: the run ended first. */
  readonly status: CallResult | 'refused' | 'cancelled' | 'waiting';
  /** Null where it is not JSON, or longer than 100,000 characters. */
  readonly output: JsonValue | null;
  /** It succeeded, and its result holds nothing. */
  readonly empty: boolean;
  /** What the model was told. */
  readonly observation: string | null;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
}

/** One model call and what followed from it. Times are running time of the run. */
export interface Step {
  readonly number: number;
  readonly thought: string | null;
  readonly calls: readonly StepCall[];
  readonly answer: string | null;
  readonly violation: { readonly code: StepViolation; readonly hint: string } | null;
  readonly tokens: TokenCount;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

export interface CallRef {
  readonly toolCallId: string;
  readonly tool: string;
  readonly input: JsonValue | null;
}

interface Common {
  readonly runId: string;
  readonly steps: readonly Step[];
  readonly usage: Usage;
  /** Violations in the whole run. */
  readonly violations: number;
  /** Effects that were started and whose outcome nobody knows. */
  readonly unknown: readonly CallRef[];
  /** Wall-clock instants, milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** The run came so far, and its store could not keep the end of it: another process would not know. */
  readonly storeError?: AgentError;
}

export interface Answered<Answer = string> extends Common {
  readonly ok: true;
  readonly stopReason: 'final';
  /** The text; with an `answerSchema` what the schema made of it. */
  readonly answer: Answer;
  /** What the checks noted when they accepted it. */
  readonly notes: readonly string[];
}

export interface Unanswered extends Common {
  readonly ok: false;
  readonly stopReason: Exclude<StopReason, 'final'>;
  /** The last thought, or the beginning of an answer that was not completed. Never an answer. */
  readonly partial: string | null;
  readonly error?: AgentError;
  /**
   * Where the run can go on from: `agent.resume(snapshot)`, with a larger budget where a limit ended it. There is none behind
   * `loop_detected`, `no_progress`, `content_filter` and `internal_error`.
   */
  readonly snapshot?: Snapshot;
}

/** Branch on `ok`. A limit, a violation, a time-out, an abort is `ok: false` with its reason and the steps so far. */
export type Outcome<Answer = string> = Answered<Answer> | Unanswered;
