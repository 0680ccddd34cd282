/** What the model is told of a result: that it is empty, doubtful, of the wrong form, cut, or an error; and what to do. */

import type { Doubt } from '../core/doubt.ts';
import { englishValues, type ValueWords } from '../core/value-words.ts';
import { type AdviceKind, englishAdvice } from './advice.ts';
import { sentence } from './brief.ts';

/** `again`: whether the call may be made again with the same input; otherwise it perhaps took effect. */
export interface ResultMessages {
  badOutput(tool: string, problems: readonly string[], again: boolean): string;
  outputNotChecked(tool: string, why: string, again: boolean): string;
  /** `why` is null where the check only said no. */
  notAccepted(tool: string, why: string | null, again: boolean): string;
  tooManyValues(tool: string, most: number, again: boolean): string;
  /** `advice` is what to do about this kind of error. */
  thrown(tool: string, message: string, advice: string | null, again: boolean): string;
  /** What to do about an error of a kind that is known. */
  advice(kind: AdviceKind): string;
  /** Stands before a text that the tool returned. */
  doubtful(doubt: Doubt): string;
  /** The tool returned nothing at all. */
  readonly empty: string;
  /** What it returned holds nothing. */
  readonly foundNothing: string;
  cut(shown: number, whole: number): string;
  readonly values: ValueWords;
}

export const englishResults: ResultMessages = {
  badOutput: (tool, problems, again) =>
    `[ToolError] ${tool} ran, but its result cannot be used: ${sentence(problems.join('; '))} ${after(tool, again)}`,
  outputNotChecked: (tool, why, again) =>
    `[ToolError] ${tool} ran, but its result could not be checked (${why}) and is not shown. ${after(tool, again)}`,
  notAccepted: (tool, why, again) =>
    `[ToolError] ${tool} ran, but its result was not accepted${why === null ? '.' : `: ${why}`} ${after(tool, again)}`,
  tooManyValues: (tool, most, again) =>
    `[ToolError] ${tool} was left: it gave more than ${most} values without an end. ${after(tool, again)}`,
  thrown: (tool, message, advice, again) =>
    `[ToolError] ${tool} failed: ${message} ${
      !again
        ? after(tool, again)
        : advice === null
          ? 'Correct the input, try another tool, or answer with what is known.'
          : `${advice} Otherwise try another tool, or answer with what is known.`
    }`,
  advice: (kind) => englishAdvice[kind],
  doubtful: (doubt) =>
    `(The tool returned, but this looks like ${englishDoubts[doubt]}: it may have failed. Do not take it for data. Check the input, or try another tool.)`,
  empty: '(The tool succeeded and returned nothing.)',
  foundNothing: '(The tool succeeded and found nothing.)',
  cut: (shown, whole) => `… [truncated: ${whole - shown} of ${whole} characters are not shown here] …`,
  values: englishValues,
};

function after(tool: string, again: boolean): string {
  return again
    ? 'Change the input, try another tool, or answer with what is known.'
    : `${tool} may have taken effect; it will not be run again with this input. Find out with another tool, or say so in the answer.`;
}

const englishDoubts = {
  page: 'an error page',
  trace: 'a stack trace',
  object: 'an error report',
  text: 'an error message',
} as const satisfies { readonly [doubt in Doubt]: string };
