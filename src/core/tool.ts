/** What a tool is. Types, and the name under which the run that calls one is handed to it. */
import type { Budget } from './limits.ts';
import type { Message } from './model.ts';
import type { InferInput, InputSchema, SchemaOf } from './schema.ts';
import type { TraceEvent } from './trace.ts';
import type { Spent } from './usage.ts';

/** What is left of a run's budget, less what agents that run as its tools were given. */
export type Left = Pick<Budget, 'maxSteps' | 'maxTokens' | 'maxToolCalls' | 'wallClockMs'>;

/** The run that calls a tool, for an agent that runs as one. */
export interface ParentRun {
  left(): Left;
  /** What an agent spends is spent here: `budget` is kept for it until it is over, and then what it has spent. Returns what says so. */
  lend(budget: Partial<Left>, spent: () => Spent): () => void;
  /** An event of the agent, for the trace of the run. */
  readonly record: (event: TraceEvent) => void;
}

export const parentRun: unique symbol = Symbol('parentRun');

/** What `execute` is given beside its input. The names are those of the AI SDK. */
export interface ToolCallOptions {
  readonly toolCallId: string;
  /** The same for every try of the same call, over resume and crash: `runId:toolCallId`. */
  readonly idempotencyKey: string;
  /** The number of this try of the call, from 1; after a resume or a crash it begins at 1 again. */
  readonly attempt: number;
  /** Of this try alone: aborted on its time-out, and on abort and end of the run. Made when it is first read. */
  readonly abortSignal: AbortSignal;
  /** The conversation so far: a copy that cannot be written into. */
  readonly messages: readonly Message[];
  /** Whatever the caller passed as `context` to `run`. */
  readonly context: unknown;
  /** The same, by the AI SDK's name. */
  readonly experimental_context?: unknown;
  /** Of our own agents as tools. */
  readonly [parentRun]?: ParentRun;
}

/** What `needsApproval` is given beside the input. */
export type ApprovalOptions = Pick<ToolCallOptions, 'toolCallId' | 'messages' | 'context' | 'experimental_context'>;

/**
 * How a tool is marked: what a call does to the world. Without a mark it is treated as a side effect for retries, running
 * side by side and resume, but runs without asking. docs/tools.md has the table.
 */
export interface ToolMarks {
  /** Changes nothing in the world: runs beside other reads, and again. Not with `sideEffect`. */
  readonly readOnly?: boolean | undefined;
  /**
   * Changes something in the world: a person is asked first, unless `needsApproval` says otherwise, and a call that succeeded
   * is not made again with the same input unless a person allows it.
   */
  readonly sideEffect?: boolean | undefined;
  /** May be run again with the same input without a further effect, also after a crash. */
  readonly idempotent?: boolean | undefined;
  /** A success of this tool is the answer of the run, once each `checkAnswer` accepts it. Not with an `answerSchema`. */
  readonly endsRun?: boolean | undefined;
  /** Milliseconds, of each try; default `timeouts.toolMs` of the agent, 15,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * How often a call is tried again, where `execute` threw or took longer than `timeoutMs`; default 0. Between tries it
   * waits, at most a quarter of a second first, then at most twice as long each time, up to five seconds; a wait that the run
   * has no time for is not begun. A `ToolError` and a result that is not accepted are final. It means nothing for a tool that
   * is neither `readOnly` nor `idempotent`: an effect that may have happened is never tried again.
   */
  readonly retries?: number | undefined;
  /** The most calls that are started in one run, over resume and crash. Tries of one call count once. */
  readonly maxCallsPerRun?: number | undefined;
  /**
   * At most `calls` starts in any `perMs` milliseconds, over all runs of the agent; both at least 1. A call waits for its
   * place while the run has time, and is refused otherwise. Each try is a start.
   */
  readonly rateLimit?: { readonly calls: number; readonly perMs: number } | undefined;
}

/** What `probe` is given beside the id of the call. */
export interface ProbeOptions<Input> extends Pick<ToolCallOptions, 'idempotencyKey' | 'abortSignal' | 'context'> {
  /** As `execute` was given it. */
  readonly input: Input;
}

/** Whether a call took effect. What is neither of the first two is not known. */
export type Probed<Output> =
  | { readonly happened: true; readonly output: Output }
  | { readonly happened: false }
  | 'unknown'
  | null;

/** A value, a promise of it, or values until there is a result, such as from an asynchronous generator: the last counts. */
export type Gives<Output> = Output | PromiseLike<Output> | AsyncIterable<Output>;

/** What `tool` takes. `execute` may throw, hang and return anything: each becomes one observation. */
export interface ToolDefinition<Schema extends InputSchema, Output> extends ToolMarks {
  /** For the model: what it does, when to use it, what comes back. */
  readonly description?: string | undefined;
  readonly inputSchema: Schema;
  /**
   * Checks what `execute` gives before the model sees it; the model sees what the schema makes of it. A result that does not
   * fit failed. Of a tool that may have an effect it is `unknown`: the effect may have happened, and is not done again.
   */
  readonly outputSchema?: SchemaOf<Output> | undefined;
  readonly execute: (input: InferInput<Schema>, options: ToolCallOptions) => Gives<Output>;
  /**
   * Asked when a run goes on in whose last process a call had started and has no result, about a tool that is neither
   * `readOnly` nor `idempotent`. Where it happened, `output` is taken as the result, and checked as one. Where it did not, the
   * call runs, with the same idempotency key. Otherwise, and where it throws or takes longer than `timeoutMs`, the call stays
   * `unknown`.
   */
  readonly probe?:
    | ((
        toolCallId: string,
        options: ProbeOptions<InferInput<Schema>>,
      ) => Probed<NoInfer<Output>> | PromiseLike<Probed<NoInfer<Output>>>)
    | undefined;
  /** Whether a result holds nothing; the model is then told so. Nothing, blanks, `[]` and `{}` need no mark. */
  readonly empty?: ((output: NoInfer<Output>) => boolean) | undefined;
  /**
   * Asks a person first: always, never, or for some inputs, within `timeouts.hookMs`; the default follows from `sideEffect`.
   * A function asks with all that it gives but false; where it throws or is late, the call is refused.
   */
  readonly needsApproval?:
    | boolean
    | ((input: InferInput<Schema>, options: ApprovalOptions) => boolean | PromiseLike<boolean>)
    | undefined;
}

/**
 * Any tool, of ours or of the AI SDK. Wide on purpose: what it holds is checked when the agent is made, and a tool
 * without `execute` is refused there.
 */
export interface AnyTool extends ToolMarks {
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
  readonly empty?: ((output: never) => unknown) | undefined;
  readonly probe?: ((toolCallId: string, options: never) => unknown) | undefined;
  readonly execute?: ((input: never, options: never) => unknown) | undefined;
  readonly needsApproval?: boolean | ((input: never, options: never) => unknown) | undefined;
}

/** The tools of an agent by name. */
export type ToolRecord = { readonly [name: string]: AnyTool };

/** A tool with its input and output types. */
export type Tool<Input = never, Output = unknown> = AnyTool & {
  readonly execute: (input: Input, options: ToolCallOptions) => Output | PromiseLike<Output>;
};
