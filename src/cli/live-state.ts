/** What is remembered of a run while it is watched. Pure. */
import type { JsonValue } from '../core/json.ts';
import type { Policy } from '../core/policy.ts';
import type { Standing } from './progress.ts';
import { noReplyText, type ReplyText } from './reply-text.ts';
import type { Style } from './style.ts';

/** A call of the present step. */
export interface ShownCall {
  readonly callId: string;
  readonly tool: string;
  readonly input: JsonValue | null;
  /** Where a person is asked: by which rule, and what they should know. */
  readonly why?: string;
}

export interface Live extends Standing {
  /** Tokens of the replies before this one. */
  readonly spent: number;
  /** A reply is waited for; it streams; its calls run or wait for a person; the run has ended. */
  readonly phase: 'thinking' | 'writing' | 'acting' | 'over';
  /** Whether the dialect has labels. */
  readonly labels: boolean;
  /** Whether calls come in the provider's own form, so that the reply's text does not show them. */
  readonly native: boolean;
  readonly reply: ReplyText;
  /** Whether the cursor stands behind text. */
  readonly inLine: boolean;
  readonly calls: readonly ShownCall[];
  /** Calls that wait for a person. */
  readonly asking: readonly ShownCall[];
  /** Whether a person is asked now; before, the calls that need nobody run. */
  readonly isWaiting: boolean;
  /** Until when, in milliseconds since 1970. */
  readonly untilMs: number | null;
  readonly policy: Policy | null;
  /** What was last shown under the label of an answer. Whether it is one, the outcome says. */
  readonly answerShown: string | null;
}

export interface LiveOptions {
  readonly style: Style;
  /** Whether each step ends with a line of progress; a terminal has one that is redrawn instead. */
  readonly stepLines: boolean;
}

/** What is remembered next, and the text to print. */
export type Shown = readonly [Live, string];

export const notLive: Live = Object.freeze({
  step: 0,
  atMs: 0,
  tokens: 0,
  limits: { maxSteps: 0, wallClockMs: 0, maxTokens: 0 },
  spent: 0,
  phase: 'thinking',
  labels: false,
  native: false,
  reply: noReplyText,
  inLine: false,
  calls: [],
  asking: [],
  isWaiting: false,
  untilMs: null,
  policy: null,
  answerShown: null,
});
