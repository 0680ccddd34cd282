/**
 * What the probe asks of an engine, in no engine's own words, so that several can be put behind the same inputs. Types
 * only.
 */

/** What a model says next. An engine writes it in its own form: as text, or as a call of the provider's. */
export type Piece =
  /** Text as it is. */
  | string
  | { readonly call: string; readonly input: { readonly [key: string]: unknown } }
  /** An observation that the model made up. */
  | { readonly invented: string }
  | { readonly answer: string };

/** One reply; `call` is counted from 1. It ends where the stream ends. */
export type ProbeModel = (call: number) => AsyncIterable<Piece>;

export interface ProbeTool {
  readonly run: (input: unknown) => unknown;
  /** Changes nothing in the world. */
  readonly readOnly?: boolean;
  readonly timeoutMs?: number;
  /** An asynchronous schema: settles with whether the input is good. */
  readonly validate?: (input: unknown) => Promise<boolean>;
  /** Asks a person first, where it settles with true. */
  readonly needsApproval?: () => Promise<boolean>;
}

/** Whatever is left out has the engine's own default. */
export interface ProbeLimits {
  readonly steps?: number;
  readonly runMs?: number;
  readonly firstPieceMs?: number;
  readonly replyMs?: number;
  readonly hookMs?: number;
}

export interface ProbeInput {
  readonly model: ProbeModel;
  readonly tools: { readonly [name: string]: ProbeTool };
  readonly limits?: ProbeLimits;
  /** Judges an answer before it counts. */
  readonly checkAnswer?: () => Promise<boolean>;
  /** Is told of everything that happens. */
  readonly observe?: () => unknown;
  /** The caller aborts after so long. */
  readonly abortAfterMs?: number;
}

/**
 * `answered`: it says that there is an answer. `stopped`: it says that there is none, and `reason` why. `refused`: the
 * input was refused before the first step. `thrown`: it failed in any other way.
 */
export interface Ending {
  readonly kind: 'answered' | 'stopped' | 'refused' | 'thrown';
  readonly reason: string;
  readonly answer?: string;
}

export interface Engine {
  readonly name: string;
  /** Runs the input to its end, on the real clock. An abort goes in by the signal. */
  start(input: ProbeInput, signal: AbortSignal): Promise<Ending>;
}
