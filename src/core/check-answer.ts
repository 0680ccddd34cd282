/** How users judge an answer before it counts. Types only. */
import type { Step } from './outcome.ts';

/**
 * `true` accepts the answer. A text sends it back and says why: a violation, of which the model is told. `{ note }` accepts
 * it, and the note stands in the outcome. False and anything else send it back without a reason. It may be asynchronous,
 * within `timeouts.hookMs`; what it throws does not accept the answer.
 *
 * `answer` is the text as the model wrote it, and `steps` are those before it.
 */
export type CheckAnswer<Value = unknown> = (
  answer: string,
  steps: readonly Step[],
  about: AnswerAbout<Value>,
) => AnswerJudged | PromiseLike<AnswerJudged>;

export type AnswerJudged = boolean | string | { readonly note: string };

export interface AnswerAbout<Value = unknown> {
  readonly task: string;
  /** What `answerSchema` made of the answer; the text itself without one. */
  readonly value: Value;
}
