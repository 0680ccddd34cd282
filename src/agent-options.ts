/** What an agent is made from, and what one run of it is given. Types only; `agent.ts` checks them. */
import type { ReactMachine } from '../machines/react.machine.ts';
import type { CheckAnswer } from './core/check-answer.ts';
import type { Clock } from './core/clock.ts';
import type { LooksLikeError } from './core/doubt.ts';
import type { Language } from './core/language.ts';
import type { Budget, LoopGuard, Sizes, Timeouts } from './core/limits.ts';
import type { Message, Model } from './core/model.ts';
import type { Policy } from './core/policy.ts';
import type { Redaction } from './core/redact.ts';
import type { InferAnswer, InputSchema } from './core/schema.ts';
import type { Store } from './core/store.ts';
import type { ToolRecord } from './core/tool.ts';
import type { Observer } from './core/trace.ts';
import type { CheckResult } from './dispatch/result.ts';
import type { Dialect } from './protocol/dialect.ts';
import type { PlainText } from './protocol/second-look.ts';

/** `Schema` is that of the answer; without one the answer is a text. */
export interface AgentOptions<Schema extends InputSchema | undefined = undefined> {
  readonly model: Model;
  /** By name. An AI SDK tools record works unchanged. */
  readonly tools?: ToolRecord;
  /** Counted over a whole run; `run` may lower or raise it. */
  readonly budget?: Partial<Budget>;
  readonly timeouts?: Partial<Timeouts>;
  readonly sizes?: Partial<Sizes>;
  /** Ends a run that goes in circles, with `loop_detected`; `'off'` to let it. */
  readonly loopGuard?: Partial<LoopGuard> | 'off';
  /**
   * Results in a row that hold nothing: on this one the run ends with `no_progress`. At least 1; default: no limit. From the
   * third in a row on, the model is advised in any case to change its approach.
   */
  readonly maxEmptyResults?: number;
  /**
   * How often a reply that failed is asked for again, in one step: where the server was busy or the connection broke, and
   * nothing of the reply was acted on. Default 2. Between tries the run waits as long as the server asks, else at most half a
   * second first and then at most twice as long each time, up to eight seconds; a wait that the run has no time for is not
   * begun. A try is no step.
   */
  readonly modelRetries?: number;
  /** How many reads of one reply may be in flight at once; anything else runs alone. At least 1; default 8. */
  readonly maxParallel?: number;
  /**
   * How the model writes a turn: `labelled` (default), `json`, `tags`, `paper`, `native` (the provider's own tool calls), or
   * a dialect of your own, such as `tags({ … })`.
   */
  readonly dialect?: string | Dialect;
  /** What a reply without any label is: `violation` (default), so that the model is told, or `answer`. */
  readonly plainText?: PlainText;
  /**
   * Of the texts that go to the model; default `en`. A bundle for the edge holds those in Chinese where it is made with the
   * condition `fuseloop-chinese`.
   */
  readonly language?: Language;
  /** Your own instructions; they stand before those of the dialect. */
  readonly instructions?: string;
  /** Takes the place of the whole system message, tools and form included. Empty: there is none. */
  readonly system?: string;
  /**
   * What may run: `readOnly` (reads alone), `dryRun` (the rest is told of, and not done), `ask` (a person is asked about the
   * rest), `all` (nobody is asked), or `{ allow: ['save'] }` (these without asking). Default: as each tool is marked.
   */
  readonly policy?: Policy;
  /** Whether three examples are part of the system message; default true. */
  readonly examples?: boolean;
  /** Default 0. */
  readonly temperature?: number;
  /**
   * Makes the answer a value: what tools take as `inputSchema`, also of a text, a number or a list. The model is told the form,
   * and writes JSON, bare or in one code fence; what is no JSON is given to the schema as the text. An answer that does not
   * fit is a violation that names the field. Not with a tool marked `endsRun`.
   */
  readonly answerSchema?: Schema;
  /**
   * Tools that must have succeeded in this run before an answer counts, or a tool marked `endsRun` may be called. The model is
   * told what is missing.
   */
  readonly requireTools?: readonly string[];
  /**
   * Judges a proposed answer, behind `requireTools` and `answerSchema`; of several the first refusal decides. What a tool marked
   * `endsRun` gave is one, but in a dry run: refused, its call `failed`, or is `unknown` where it may not be run again.
   * `(answer, steps, { task, value })` gives true, a text that sends it back and says why, or `{ note }`, which accepts it and
   * stands in the outcome. The model is told at most 500 characters. `groundedNumbers` of `fuseloop/tools` is one.
   */
  readonly checkAnswer?: CheckAnswer<InferAnswer<Schema>> | readonly CheckAnswer<InferAnswer<Schema>>[];
  /**
   * Judges what a tool gave, before the model sees it: true, or a text that says what is wrong with it. May be asynchronous,
   * within `timeouts.hookMs`; what throws, is late or gives anything else does not accept the result.
   */
  readonly checkResult?: CheckResult;
  /**
   * Whether a result that a tool returned is an error all the same, so that the model is told to doubt it. `looksLikeError` of
   * `fuseloop/tools` knows error pages, stack traces and error objects. Default: none is doubted.
   */
  readonly looksLikeError?: LooksLikeError;
  /**
   * What is replaced by `[redacted]` before the model, the trace, an error or a log could have it: texts of at least four
   * characters, patterns, and variables of the environment by name. Headers that hold credentials are hidden anyway.
   */
  readonly redact?: Redaction;
  /**
   * Called with each event of the trace as it happens, and with the run that it is of; several each with a copy of its own. What
   * they throw is ignored; they cannot change a run. `traceFile` of `fuseloop/trace` is one, and `openTelemetry` of `fuseloop/otel`.
   */
  readonly onEvent?: Observer | readonly Observer[];
  /**
   * Where each run is kept, so that another process can go on with it: `fileStore(dir)` of `fuseloop/store`, or another. A tool
   * that is not `readOnly` starts only when it is durable that it does. Where the store fails, or takes longer than
   * `timeouts.hookMs`, the run ends with `store_error`.
   */
  readonly store?: Store;
  /** Time; a test passes its own. */
  readonly clock?: Clock;
  /** A machine made from the parts of `fuseloop/machine`; `fuseloop verify` checks it. Default: the shipped one. */
  readonly machine?: ReactMachine;
  /**
   * Whether every step is held against the laws of the machine; a broken one ends the run with `internal_error`. Default:
   * only where `NODE_ENV` is `development` or `test`. Bundles for platforms other than Node hold no laws, and refuse `true`.
   */
  readonly checkLaws?: boolean;
}

export interface RunOptions {
  /** Aborts the run. `abortSignal` is the same, as the AI SDK names it. */
  readonly signal?: AbortSignal;
  readonly abortSignal?: AbortSignal;
  /** What was said before; roles alternate, and the last is the assistant's. */
  readonly messages?: readonly Message[];
  /** Added to the agent's own instructions. */
  readonly instructions?: string;
  readonly budget?: Partial<Budget>;
  /** Handed to the tools as it is. */
  readonly context?: unknown;
  /** Default: a random UUID. */
  readonly runId?: string;
}

/** Of a run that is handed out. */
export interface StartOptions extends RunOptions {
  /** Whether somebody is there to decide about calls that ask; default true. Where nobody is, such a call suspends the run. */
  readonly attended?: boolean;
}

export type ResumeOptions = Pick<StartOptions, 'signal' | 'abortSignal' | 'budget' | 'context' | 'attended'>;
