/** The journal: the run as it happened, from which everything else is a fold. Types only. */
import type { ErrorRecord, ReactEvent } from './events.ts';
import type { Message, ModelFailed, ModelName, ToolDescription } from './model.ts';
import type { CallRef } from './outcome.ts';
import type { Policy } from './policy.ts';
import type { CallState, RunLimits, StatePath } from './snapshot.ts';
import type { TraceEvent } from './trace.ts';
import type { Spent } from './usage.ts';

/** How a run began: all that the machine's first state and the first prompt were made from. */
export interface RunStarted {
  readonly type: 'run.started';
  readonly format: 'fuseloop.journal/1';
  readonly runId: string;
  readonly task: string;
  /** The system message, what was said before, and the task. */
  readonly messages: readonly Message[];
  readonly limits: RunLimits;
  readonly machineHash: string;
  readonly model: { readonly provider: string; readonly name: string };
  readonly dialect: string;
  readonly tools: readonly string[];
  /** As they go with each request, in the dialect `native`; elsewhere they stand in the system message. */
  readonly sentTools?: readonly ToolDescription[];
  readonly policy: Policy | null;
  /** Of the run's life in one process. */
  readonly life?: string;
}

/** How it ended, or where it pauses. Written once, last. */
export interface RunEnded {
  readonly type: 'run.ended';
  readonly stopReason: string;
  /** Where it pauses: the calls about which a person is asked. */
  readonly waiting?: readonly CallRef[];
  /** The beginning of an answer, or a thought, in the reply that was left: where it is not the last thought that was read. */
  readonly partial?: string;
}

/** A run went on from a snapshot. */
export interface RunResumed {
  readonly type: 'run.resumed';
  readonly runId: string;
  readonly limits: RunLimits;
  /** Of the agent that goes on with it. */
  readonly policy: Policy | null;
  readonly life?: string;
  /** All that were ever tools of this run, in order. */
  readonly tools?: readonly string[];
  /** What agents that ran as tools had spent when it was left; charged now. */
  readonly spent?: Spent;
  /** The time for a person to decide had passed when nobody had the run: who is asked anew has the whole time. */
  readonly askedAnew?: true;
  /** The calls of the step in progress, as the snapshot has them. */
  readonly calls: readonly CallState[];
  /** Of those that have no result: what the model is told of them now. */
  readonly told?: readonly { readonly callId: string; readonly observation: string }[];
  /** Running time so far. */
  readonly atMs?: number;
}

/** Facts about the run that are not events of the machine. */
export interface PromptSent {
  readonly type: 'prompt.sent';
  readonly step: number;
  /** The number of the try, where it is not the first. */
  readonly attempt?: number;
  readonly promptTokens: number;
  /** How many were sent. */
  readonly messages: number;
  /**
   * The last of them: those that the prompt before did not have, or the whole conversation where it is the first of the run, or
   * since it went on. In the trace alone: a journal has what they are made from.
   */
  readonly added?: readonly Message[];
  readonly atMs: number;
}

/** The model passed the request on: which one is asked now, and which failed before it. */
export interface ModelAsked {
  readonly type: 'model.asked';
  readonly step: number;
  readonly attempt?: number;
  readonly atMs: number;
  readonly provider: string;
  readonly name: string;
  readonly insteadOf?: ModelName & Omit<ModelFailed, 'type' | 'retry'>;
}

/** Something happened in a run of an agent that is a tool of this one. */
export interface CallNested {
  readonly type: 'call.nested';
  readonly step: number;
  readonly callId: string;
  readonly atMs: number;
  readonly event: TraceEvent;
  /** What the call's agents have spent so far, which is charged when the call settles. */
  readonly spent?: Spent;
}

/** The loop guard saw the step that is done come again; the model is warned. */
export interface LoopWarned {
  readonly type: 'loop.warned';
  readonly step: number;
  readonly atMs: number;
}

/** A try of a call failed, and another follows. */
export interface CallRetried {
  readonly type: 'call.retried';
  readonly step: number;
  readonly callId: string;
  readonly atMs: number;
  /** The number of the try that failed, from 1. */
  readonly attempt: number;
  /** Until the next try begins. */
  readonly waitMs: number;
  /** What the model would have been told. */
  readonly observation: string;
  /** Null where the try took too long. */
  readonly error: ErrorRecord | null;
}

export type JournalEvent =
  | CallNested
  | CallRetried
  | LoopWarned
  | ModelAsked
  | RunStarted
  | RunResumed
  | RunEnded
  | PromptSent
  | ReactEvent;

export interface JournalEntry {
  /** From 0, without gaps. */
  readonly sequence: number;
  readonly event: JournalEvent;
  /** The state after the event. */
  readonly state: StatePath;
  /** When it was recorded, on the clock of the wall: milliseconds since 1970. */
  readonly wallMs: number;
  /** True where the event did not match the present and changed nothing: late, foreign or twice. */
  readonly ignored?: boolean;
  /** In a trace alone: its writer has cut texts in it, since the line would have been too long. */
  readonly cut?: true;
}
