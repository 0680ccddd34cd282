/**
 * The events of the machine: all that can happen to a run. Every event carries `atMs`, the running time
 * in milliseconds since the run began (monotonic; it stands still while a person decides), and `step` and `callId`
 * where they apply. An event that does not match the present is dropped, never obeyed.
 */
import type { JsonValue } from './json.ts';
import type { ModelFailure } from './model.ts';
import type { ReadCall, Stop } from './reading.ts';
import type { ViolationCode } from './stop-reasons.ts';
import type { Spent, TokenCount } from './usage.ts';
import type { Gate, Verdict } from './verdict.ts';

interface Outside {
  readonly atMs: number;
}

interface OfStep extends Outside {
  readonly step: number;
}

type OfCall = OfStep & { readonly callId: string };

/** The tokens of the model call so far; charged when the reply is left. */
interface OfReply extends OfStep {
  readonly tokens: TokenCount;
  /** The number of the try that it comes from, where that is not the first. */
  readonly attempt?: number;
}

/** A reply of which something was read. */
interface OfReadReply extends OfReply {
  /**
   * What the model thought before it wrote the step, where it is not the thought: what the provider keeps apart, and what stands
   * between `<think>` and `</think>`. In the trace alone; it is never sent back as text.
   */
  readonly reasoning?: string;
}

/** A stop sequence was met and text follows, or the whole reply was read. Once a reply for each kind of stop. */
export interface ReplyStopped extends OfReadReply {
  readonly type: 'reply.stopped';
  readonly stop: Stop;
  readonly thought: string | null;
  readonly calls: readonly ReadCall[];
  /** Where calls are given: the reply up to the end of its first complete step, as it is written back. */
  readonly text: string;
  /** Where calls are given, and so the request is aborted: the most tokens that the reply could still have had. */
  readonly savedTokens?: number;
}

/** The reply ended well. One of calls, answer and violation says what it holds. */
export interface ReplyEnded extends OfReadReply {
  readonly type: 'reply.ended';
  readonly thought: string | null;
  readonly calls: readonly ReadCall[];
  readonly answer: string | null;
  readonly violation: ViolationCode | null;
  /** What the model is told of the violation. */
  readonly hint: string | null;
  readonly text: string;
  /** What stood behind the first complete step and was not used. */
  readonly dropped: string | null;
  /** The dialect in whose form the step was written, where that is not the run's. */
  readonly dialect?: string;
  /** What the adapter wants back with the message that the reply becomes. */
  readonly providerData?: JsonValue;
}

/** The reply was cut by a limit on its length: nothing of it is used. */
export interface ReplyTruncated extends OfReadReply {
  readonly type: 'reply.truncated';
  readonly thought: string | null;
  /** The beginning of an answer, where it was writing one. For people to look at; never an answer. */
  readonly partial: string | null;
  readonly violation: ViolationCode;
  readonly hint: string;
  readonly text: string;
}

export type ReplyFiltered = OfReply & { readonly type: 'reply.filtered' };

export interface ReplyFailed extends OfReply {
  readonly type: 'reply.failed';
  readonly failure: ModelFailure;
  readonly message: string;
  readonly hint: string;
  /** Where another try may succeed: the running time at which it may be made. */
  readonly retryAtMs?: number;
}

/** The prompt was counted and leaves no room in the token budget: it was not sent. */
export interface PromptRefused extends OfStep {
  readonly type: 'prompt.refused';
  readonly promptTokens: number;
}

export interface CallsChecked extends OfStep {
  readonly type: 'calls.checked';
  readonly verdicts: readonly Verdict[];
}

/** A person was asked. `untilMs` is a wall-clock instant (milliseconds since 1970): no answer by then is a refusal. */
export interface ApprovalAsked extends OfStep {
  readonly type: 'approval.asked';
  readonly untilMs: number;
}

export interface ApprovalGranted extends OfCall {
  readonly type: 'approval.granted';
  /** The input to run: as asked, or as the person edited it. */
  readonly input: JsonValue | null;
  readonly key: string;
  /** The name by which the host knows the person; null where it gave none. */
  readonly by: string | null;
  /** Whether the input is not the one that was asked about. */
  readonly edited: boolean;
  /** What the model is told of that, behind the result. */
  readonly observation?: string;
}

export interface ApprovalDenied extends OfCall {
  readonly type: 'approval.denied';
  readonly observation: string;
  /** A person; nobody, in time; or the gate that refused the input as the person edited it. */
  readonly cause: 'person' | 'timeout' | Gate;
  readonly by: string | null;
  /** The reason as the person gave it; empty where there is none. */
  readonly why: string;
  /** Where a gate refused: the input as edited, and what stands for it and the tool. */
  readonly input?: JsonValue | null;
  readonly key?: string;
}

/** `unknown`: it was started and nobody knows whether its effect happened. */
export type CallResult = 'succeeded' | 'failed' | 'unknown';

export interface CallSettled extends OfCall {
  readonly type: 'call.settled';
  readonly result: CallResult;
  /** What the model is told. */
  readonly observation: string;
  /** Code units of the whole result, where the observation is only its beginning and its end. */
  readonly cutFrom?: number;
  /** The tool's output where it succeeded and is JSON; the answer of the run where the tool `endsRun`. */
  readonly output: JsonValue | null;
  /** Stands for the result when steps are compared; short. */
  readonly resultKey: string;
  readonly startedAtMs: number;
  /** There was none in time. */
  readonly timedOut?: true;
  /** The result holds nothing. */
  readonly empty?: boolean;
  /** Where the result is the answer of the run: what the checks noted. */
  readonly notes?: readonly string[];
  /** Where an agent ran as the tool. */
  readonly spent?: Spent;
  /** What the tool, or the check of its result, threw: for the trace. Nothing of it is told to the model. */
  readonly error?: ErrorRecord;
}

/** An error as data. Message and stack are cut, and so is the chain of causes. */
export interface ErrorRecord {
  readonly name: string;
  readonly message: string;
  readonly stack: string | null;
  readonly cause: ErrorRecord | null;
}

export interface AnswerAccepted extends OfStep {
  readonly type: 'answer.accepted';
  readonly answer: string;
  /** What the checks noted; left out where that is nothing. */
  readonly notes?: readonly string[];
}

export interface AnswerRejected extends OfStep {
  readonly type: 'answer.rejected';
  readonly hint: string;
}

/** What ends a run from outside, with the calls that have not begun yet: they wait for their place in a rate limit. */
interface Ending extends Outside {
  /** Of the reply that is being read. */
  readonly tokens: TokenCount;
  readonly waiting?: readonly string[];
  /** Of the agents that run as tools at this moment. */
  readonly spent?: Spent;
}

export interface RunAborted extends Ending {
  readonly type: 'run.aborted';
  readonly why: string;
}

/** The running time is spent. */
export type ClockExpired = Ending & { readonly type: 'clock.expired' };

/** The journal of the run can no longer be written: what would come after it could be done twice. */
export interface StoreFailed extends Ending {
  readonly type: 'store.failed';
  readonly message: string;
  readonly hint: string;
}

/** A guard, a reducer or the shell threw: a defect. */
export interface MachineFailed extends Outside {
  readonly type: 'machine.failed';
  readonly message: string;
}

export type ReactEvent =
  | ReplyStopped
  | ReplyEnded
  | ReplyTruncated
  | ReplyFiltered
  | ReplyFailed
  | PromptRefused
  | CallsChecked
  | ApprovalAsked
  | ApprovalGranted
  | ApprovalDenied
  | CallSettled
  | AnswerAccepted
  | AnswerRejected
  | RunAborted
  | ClockExpired
  | StoreFailed
  | MachineFailed;

export type ReactEventType = ReactEvent['type'];
