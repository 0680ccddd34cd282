/**
 * A run as its trace tells it. Report, spans, inspector and the outcome of a trace are made from this one picture. Types only;
 * `fold-run.ts` makes it. All of it is plain data that is never changed: what an event does not touch stays the same object.
 */
import type { ErrorRecord } from '../core/events.ts';
import type { RunResumed } from '../core/journal.ts';
import type { JsonValue } from '../core/json.ts';
import type { Message, ModelFailure, ModelName } from '../core/model.ts';
import type { CallRef, StepCall } from '../core/outcome.ts';
import type { Policy } from '../core/policy.ts';
import type { RunLimits, StatePath } from '../core/snapshot.ts';
import type { StepViolation } from '../core/stop-reasons.ts';
import type { Spent, TokenCount, Usage } from '../core/usage.ts';
import type { Effect, Gate, Rule } from '../core/verdict.ts';

export interface RunView {
  readonly runId: string;
  /** Null, as are `model`, `dialect` and `startedWallMs`, where the trace begins with a run that goes on. */
  readonly task: string | null;
  readonly model: ModelName | null;
  readonly dialect: string | null;
  readonly tools: readonly string[];
  readonly policy: Policy | null;
  readonly limits: RunLimits;
  /** `waiting`: a person is asked. `suspended`: it was left, and can go on. */
  readonly phase: 'running' | 'waiting' | 'suspended' | 'ended';
  /** Behind the last event. */
  readonly state: StatePath;
  /** Why it stopped, or `suspended`; null while it runs. A word of a later version stays as it is. */
  readonly stopReason: string | null;
  readonly answer: string | null;
  /** What the checks noted of the answer. */
  readonly notes: readonly string[];
  /** The last thought, or the beginning of an answer that was cut. */
  readonly partial: string | null;
  /** What went wrong, where an error ended the run. */
  readonly failure: { readonly message: string; readonly hint: string } | null;
  readonly steps: readonly StepView[];
  readonly usage: Usage;
  /** Effects that began, and of which nobody knows whether they happened. */
  readonly unknown: readonly CallRef[];
  readonly violations: number;
  /** The two fuses, against `limits.maxViolations` and `limits.maxToolErrors`. */
  readonly violationsInRow: number;
  readonly toolErrorsInRow: number;
  /** The messages of the last prompt, and what was last told of the tools beside them. */
  readonly messages: readonly Message[];
  /** How often each way between two states was gone: `THOUGHT.reasoning > THOUGHT.calling`. */
  readonly moves: ReadonlyMap<string, number>;
  /** The states through which the last event that moved it led: `['ACTION.running', 'OBSERVATION', 'THOUGHT.reasoning']`. */
  readonly lastMoves: readonly string[];
  /** Milliseconds since 1970. */
  readonly startedWallMs: number | null;
  readonly lastWallMs: number;
  /** Running time of the last event. */
  readonly atMs: number;
  /** How often it was taken up. */
  readonly resumed: number;
  /** Events seen, those of them that changed nothing, and those that are missing. */
  readonly events: number;
  readonly ignored: number;
  readonly missing: number;
  /** Events in which the writer of the trace cut texts: what they hold is not all there was. */
  readonly cut: number;
  /** What the fold itself needs to go on. Not for readers, and not in what is kept or sent of a run. */
  readonly fold: FoldNotes;
}

/** Plain data, as the rest. */
export interface FoldNotes {
  /** The sequence of the next event. */
  readonly due: number;
  /** The last step was not recorded yet. An end leaves it so, and a run that goes on may go on with it. */
  readonly isOpen: boolean;
  /** The number of the try of its model call, from 1. */
  readonly attempt: number;
  /** What the model is told of a violation of it. */
  readonly hint: string | null;
  readonly isProposed: boolean;
  /** The beginning of an answer, where the last reply was cut in one. */
  readonly cutShort: string | null;
  /** Model calls of agents that ran as tools. */
  readonly nestedSteps: number;
  /** `run.ended` was seen. */
  readonly isOver: boolean;
  /** What the model is told, when the step is recorded, of calls that an end left without a result. */
  readonly told: NonNullable<RunResumed['told']>;
  /** The view behind each of the last events, without its steps and messages: a run may be taken up at any of them. */
  readonly marks: readonly Mark[];
}

export interface Mark {
  readonly view: RunView;
  readonly steps: number;
  readonly last: StepView | null;
  readonly messages: number;
}

/** One model call and what followed from it. Times are running time of the run. */
export interface StepView {
  readonly number: number;
  readonly startedAtMs: number;
  /** When its reply was left or had ended. */
  readonly repliedAtMs: number | null;
  /** When OBSERVATION recorded it, or the run ended. */
  readonly endedAtMs: number | null;
  /** In order; more than one where the reply failed and was asked for again. */
  readonly tries: readonly TryView[];
  readonly thought: string | null;
  /** What the model thought beside it: kept apart by its provider, or set aside by us. Never sent back. */
  readonly reasoning: string | null;
  /** The reply as it is written back. */
  readonly text: string | null;
  readonly calls: readonly CallView[];
  readonly answer: string | null;
  readonly violation: { readonly code: StepViolation; readonly hint: string } | null;
  /** What stood behind the first complete step and was not used. */
  readonly dropped: string | null;
  /** The dialect in whose form it was written, where that is not the run's. */
  readonly dialect: string | null;
  readonly tokens: TokenCount;
  /** The most tokens that the reply could still have had when it was left. */
  readonly savedTokens: number;
  /** The loop guard warned behind it. */
  readonly loopWarned: boolean;
}

/** One request to the model. */
export interface TryView {
  /** From 1. */
  readonly number: number;
  readonly sentAtMs: number;
  readonly sentWallMs: number;
  readonly promptTokens: number;
  /** How many messages were sent, and the last of them: those that the prompt before did not have. */
  readonly messages: number;
  readonly added: readonly Message[];
  /** Who was asked, where the model passes requests on: the last is who answered. */
  readonly asked: readonly ModelName[];
  readonly endedAtMs: number | null;
  readonly endedWallMs: number | null;
  readonly tokens: TokenCount | null;
  /** `cut`: left by us behind a complete step. `failed`: see `failure`. Null while it is read, or where the run ended first. */
  readonly finish: 'stop' | 'length' | 'content_filter' | 'cut' | 'failed' | null;
  readonly failure: { readonly failure: ModelFailure; readonly message: string; readonly hint: string } | null;
}

export interface CallView {
  readonly callId: string;
  readonly tool: string;
  /** The input that runs, or as the model wrote it where the gates refused it. */
  readonly input: JsonValue | null;
  /** As it was read from the reply. */
  readonly written: JsonValue | null;
  readonly repaired: boolean;
  /** What was changed so that it fits its schema. */
  readonly coerced: readonly string[];
  /** Null until the gates have judged it. */
  readonly effect: Effect | null;
  /** The gate that refused it or asked. */
  readonly gate: Gate | null;
  readonly rule: Rule | null;
  /** Stands for tool and canonical input: equal for equal calls of a run. Empty until the gates have judged it. */
  readonly key: string;
  /** Its success is the answer. */
  readonly endsRun: boolean;
  /**
   * `read`: not judged yet. `ready`: let through, and not begun. `running`: it may have started, and there is no result yet. An
   * end makes `cancelled` of these, of `waiting`, and of reads; of anything else that runs `unknown`.
   */
  readonly status: StepCall['status'] | 'read' | 'ready' | 'running';
  readonly observation: string | null;
  readonly output: JsonValue | null;
  /** Code units of the whole result, where the observation was cut. */
  readonly cutFrom: number | null;
  readonly empty: boolean;
  /** There was no result in time. */
  readonly timedOut: boolean;
  readonly error: ErrorRecord | null;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
  readonly endedWallMs: number | null;
  /** Tries that failed and were followed by another. */
  readonly retries: readonly CallTryView[];
  readonly approval: ApprovalView | null;
  /** The run of an agent that ran as this tool; of several tries the last. */
  readonly nested: RunView | null;
  readonly spent: Spent | null;
}

export interface CallTryView {
  /** From 1. */
  readonly attempt: number;
  readonly atMs: number;
  readonly waitMs: number;
  readonly observation: string;
  readonly error: ErrorRecord | null;
}

/** A person was asked about the call. Wall-clock instants, milliseconds since 1970. */
export interface ApprovalView {
  readonly askedWallMs: number;
  readonly untilMs: number;
  readonly decidedWallMs: number | null;
  readonly decision: 'granted' | 'denied' | null;
  /** Who decided, where the host says; why; and whether the input was changed. */
  readonly by: string | null;
  readonly why: string;
  readonly cause: string | null;
  readonly edited: boolean;
}
