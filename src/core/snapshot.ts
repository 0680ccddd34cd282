/** What the machine remembers, and the document that a run can go on from. Types only. */

import type { JsonValue } from './json.ts';
import type { Budget, LoopGuard } from './limits.ts';
import type { Message } from './model.ts';
import type { Step } from './outcome.ts';
import type { StepViolation, StopReason } from './stop-reasons.ts';
import type { Spent, TokenCount } from './usage.ts';
import type { Effect } from './verdict.ts';

/** What bounds a run; fixed when it begins, and raised only by `resume`. */
export interface RunLimits extends Budget {
  readonly loopGuard: LoopGuard | null;
  /** Reads in flight at once; at least 1. */
  readonly maxParallel: number;
  /** Results in a row that hold nothing; the run ends on this one. Null where they may go on. */
  readonly maxEmptyResults: number | null;
  /** How often a reply that failed is asked for again, in one step. */
  readonly modelRetries: number;
  /** Whether a proposed answer is checked before it counts. */
  readonly checksAnswer: boolean;
}

/**
 * `read`: the model wrote it. `ready`: the gates let it run. `asking`: waits for a person. `started`: given to the
 * tool. The others are final: `refused` never started; `unknown` started, and nobody knows whether its effect happened.
 */
export type CallStatus = 'read' | 'ready' | 'asking' | 'started' | 'succeeded' | 'failed' | 'unknown' | 'refused';

export interface CallState {
  readonly callId: string;
  readonly tool: string;
  readonly input: JsonValue | null;
  readonly repaired: boolean;
  readonly status: CallStatus;
  readonly effect: Effect;
  readonly endsRun: boolean;
  /** It succeeded, and its result holds nothing. */
  readonly empty: boolean;
  /** Tool and canonical input; equal for equal calls. */
  readonly key: string;
  /** Stands for the result when steps are compared. */
  readonly resultKey: string;
}

/** A call whose repetition would do something twice: an effect that happened, or may have. */
export interface EffectRecord {
  readonly callId: string;
  readonly tool: string;
  readonly input: JsonValue | null;
  readonly key: string;
  readonly status: 'succeeded' | 'unknown';
}

/** The machine's context. Bounded: what grows with the run is at most `maxToolCalls` effects. */
export interface ReactContext {
  readonly limits: RunLimits;
  /** Running time at the last door. */
  readonly atMs: number;
  /** Model calls charged. */
  readonly step: number;
  /** The number of the try of this step's model call, from 1. */
  readonly attempt: number;
  /** The running time from which the model may be asked: what a server asked to be waited for. */
  readonly askAtMs: number;
  /** Model calls of agents that ran as tools. */
  readonly nestedSteps: number;
  /** Tool calls started, with those of agents that ran as tools. */
  readonly toolCalls: number;
  readonly tokens: TokenCount;
  readonly violations: number;
  readonly violationsInRow: number;
  readonly toolErrorsInRow: number;
  /** Successes in a row whose results hold nothing, in the order of the calls. */
  readonly emptyInRow: number;
  /** The violation of this step. */
  readonly violation: StepViolation | null;
  /** The calls of this reply. */
  readonly calls: readonly CallState[];
  readonly answer: string | null;
  /** An answer that is being checked. */
  readonly proposed: string | null;
  readonly approvalUntilMs: number | null;
  readonly effects: readonly EffectRecord[];
  /** Keys of the last steps, newest last. */
  readonly window: readonly string[];
  readonly loop: 'none' | 'warn' | 'end';
  readonly stopReason: Exclude<StopReason, 'suspended'> | null;
  /** What went wrong, where an error ended the run. */
  readonly failure: { readonly message: string; readonly hint: string } | null;
}

/** Such as `'OBSERVATION'` or `{ THOUGHT: 'reasoning' }`. */
export type StatePath = string | { readonly [state: string]: string };

/** What is known of a call beside its state in the machine. Times are running time. */
export interface CallNotes {
  readonly observation: string | null;
  readonly output: JsonValue | null;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
}

/** A step in progress. */
export interface OpenStep {
  readonly number: number;
  readonly startedAtMs: number;
  readonly thought: string | null;
  /** The reply as it is written back; null until it has been read. */
  readonly reply: string | null;
  /** What the model is told of a violation. */
  readonly hint: string | null;
  readonly tokens: TokenCount;
  /** What the adapter wants back with the reply. */
  readonly providerData?: JsonValue;
  /** By call id. */
  readonly notes: { readonly [callId: string]: CallNotes };
}

/** The conversation and the steps so far. */
export interface KeptHistory {
  readonly messages: readonly Message[];
  readonly steps: readonly Step[];
  readonly open: OpenStep | null;
}

/**
 * A run at rest, as plain data. Restored only into a machine of the same hash; a damaged or foreign document is
 * refused whole.
 */
export interface Snapshot {
  readonly format: 'fuseloop.snapshot/1';
  readonly machineHash: string;
  readonly runId: string;
  readonly task: string;
  /** The names of all that were ever tools of the run, in the order in which they came. */
  readonly tools: readonly string[];
  readonly state: StatePath;
  readonly context: ReactContext;
  /**
   * What had been spent and is not in `context` yet: by agents that ran as tools at that moment, and for a reply that was
   * being read. It is charged when the run goes on.
   */
  readonly uncharged?: Spent;
  readonly history: KeptHistory;
  /** Running time so far. */
  readonly atMs: number;
  readonly startedAtMs: number;
  /**
   * Of the run's life in one process: another one begins each time it goes on. Two documents of one run that went different
   * ways are told apart by it.
   */
  readonly life?: string;
  /** How often the run was taken up since anything came of it, where it was: it may be what ends its process. */
  readonly retaken?: number;
  readonly sequence: number;
  /** Prompts sent so far. */
  readonly modelCalls: number;
}
