/** What a reply was read as, and the marks a scanner reports while the reply still streams. Types only. */
import type { JsonValue } from './json.ts';
import type { ViolationCode } from './stop-reasons.ts';

/** A call as the model wrote it, before any gate looked at it. */
export interface ReadCall {
  readonly tool: string;
  /** A JSON value where the reply wrote one, otherwise the text as written; null where no input was written. */
  readonly input: JsonValue | null;
  /** True where the input was not valid JSON and was repaired (quotes, commas, missing closers). */
  readonly repaired?: boolean;
}

/** What calls and answers have in common. */
interface ReadStep {
  readonly thought: string | null;
  /** What stood beside the step and was not used. */
  readonly dropped?: string;
  /** The dialect in whose form the step was written, where that is not the one in use. */
  readonly dialect?: string;
}

/** The total result of reading one whole reply: a step, an answer, or a violation with a hint that teaches. */
export type Reading =
  | (ReadStep & { readonly kind: 'calls'; readonly calls: readonly ReadCall[] })
  | (ReadStep & { readonly kind: 'answer'; readonly answer: string })
  | {
      readonly kind: 'violation';
      readonly thought: string | null;
      readonly code: ViolationCode;
      readonly hint: string;
    };

/**
 * The kinds of stop sequence. `thought` is reported only where it stands behind a call (a new turn begins); an
 * `observation` only once other text follows it on the stream, so that a reply which ends there is read to its end.
 */
export type Stop = 'thought' | 'action' | 'observation' | 'answer';

/** A stop met in the text. `calls` are those that stand surely whole before it. */
export interface Mark {
  readonly stop: Stop;
  readonly thought: string | null;
  readonly calls: readonly ReadCall[];
}
