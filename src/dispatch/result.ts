/**
 * From what a tool returned to what the model is told of it: its own schema, then the user's check, then its text, and where
 * it ends the run, the checks of an answer. A result that is not accepted failed. Where the call may not be made again, its effect may have happened, and so the
 * result is `unknown`: that counts as a failure for the fuse, is remembered, and is never started again.
 */

import type { Doubt, LooksLikeError } from '../core/doubt.ts';
import { isErrorLike } from '../core/error-text.ts';
import { fingerprint } from '../core/fingerprint.ts';
import type { JsonValue } from '../core/json.ts';
import { plainJson } from '../core/plain-json.ts';
import type { Redactor } from '../core/redact.ts';
import type { CallState } from '../core/snapshot.ts';
import type { Within } from '../core/within.ts';
import { brief, sentence } from './brief.ts';
import { type CallOutcome, failed, mayRunAgain, unknown } from './call-outcome.ts';
import { checkValue, type Unsettled, whyOf } from './check-value.ts';
import { copyInput } from './copy-input.ts';
import { type Cutter, headAndTail, wholeIfFits } from './cut.ts';
import { letGo } from './let-go.ts';
import type { Messages } from './messages.ts';
import { type Rendered, render } from './observation.ts';
import { errorRecord } from './thrown.ts';
import type { CompiledTool } from './toolbox.ts';

/**
 * Judges a result before the model sees it: true, or a text that says what is wrong. What it throws, no answer in time, and
 * anything else do not accept it.
 */
export type CheckResult = (output: unknown, call: CheckedCall) => boolean | string | PromiseLike<boolean | string>;

export interface CheckedCall {
  readonly toolCallId: string;
  readonly tool: string;
  readonly input: JsonValue | null;
}

/**
 * Judges a text that would be the answer of the run: gives null, or why it does not count, and what the checks noted. `by`:
 * the tool whose output it is. Returns what cancels it.
 */
export type JudgeAnswer = (text: string, done: AnswerIsJudged, by?: string) => () => void;

export type AnswerIsJudged = (refused: string | null, notes?: readonly string[]) => void;

/** As the event tells them: no notes are not told. */
export function noted(notes: readonly string[] = []): { readonly notes?: readonly string[] } {
  return notes.length === 0 ? {} : { notes };
}

export interface ResultOptions {
  readonly messages: Messages;
  readonly within: Within;
  readonly hookMs: number;
  readonly cutter: Cutter;
  readonly checkResult: CheckResult | null;
  /** For what a tool gives that ends the run. */
  readonly judgeAnswer: JudgeAnswer;
  /** Null where no result is doubted. */
  readonly looksLikeError: LooksLikeError | null;
}

/** In characters. A larger output is known by its observation alone: steps and journal are kept in memory. */
const largestOutput = 100_000;

/** Returns what cancels it. */
export function judgeResult(
  value: unknown,
  call: CallState,
  tool: CompiledTool,
  options: ResultOptions,
  settle: (outcome: CallOutcome) => void,
): () => void {
  const { messages, judgeAnswer, within } = options;
  // What is checked may be read by the check: it is quiet before, and closed behind it.
  const isChecked = tool.outputSchema !== null || options.checkResult !== null;
  const leave = (isOver: boolean) => {
    const described = (inside: object, level: number) => letGo(inside, level, within, isOver);
    if (isChecked) plainJson(value, { mostValues, described });
  };
  const done = (outcome: CallOutcome) => {
    leave(true);
    settle(outcome);
  };
  leave(false);
  const cancels: (() => void)[] = [];
  const accept = (output: unknown) => {
    const outcome = presented(output, isMarkedEmpty(value, tool), tool, options);
    if (!tool.endsRun || tool.isDry) return done(outcome);
    const judged: AnswerIsJudged = (why, notes) => {
      if (why === null) return done({ ...outcome, ...noted(notes) });
      done(refused(tool, messages.notAccepted(tool.name, sentence(why), mayRunAgain(tool))));
    };
    cancels.push(judgeAnswer(answerIn(outcome), judged, tool.name));
  };
  const check = (output: unknown) => cancels.push(checkByUser(output, call, tool, options, done, () => accept(output)));
  cancels.push(checkBySchema(value, tool, options, done, check));
  return () => {
    for (const cancel of cancels) cancel();
    leave(true);
  };
}

/** A result as text and record; no check is asked. */
export function presented(
  value: unknown,
  isEmpty: boolean,
  tool: CompiledTool,
  { messages, cutter, looksLikeError, within }: ResultOptions,
): CallOutcome {
  const rendered = render(value, messages.values, (inside, level) => letGo(inside, level, within, true));
  const { text, output } = hidden(rendered, messages.redactor);
  const doubt = isError(value) ? 'text' : doubtOf(text, output, looksLikeError);
  const note = isEmpty ? messages.foundNothing : noteFor(text, doubt, messages);
  return {
    result: 'succeeded',
    ...told(note, text, cutter, messages),
    output: tool.endsRun || text.length <= largestOutput ? output : null,
    resultKey: fingerprint(comparable(text)),
    ...(isEmpty || holdsNothing(text) ? { empty: true } : {}),
  };
}

/** The text that would be the answer: as the machine takes it from the event. */
function answerIn({ output, observation }: CallOutcome): string {
  const text = typeof output === 'string' || output === null ? output : JSON.stringify(output);
  return text === null || text.trim() === '' ? observation : text;
}

/** Before anything is cut, compared or shown to the user's own look. */
function hidden({ text, output }: Rendered, redactor: Redactor): Rendered {
  if (output === null || typeof output === 'string')
    return { text: redactor.text(text), output: output === null ? null : redactor.text(output) };
  const shown = redactor.value(output);
  return { text: redactor.text(JSON.stringify(shown)), output: shown };
}

/** What the model should know before it reads the text: that it is nothing, or looks like an error. */
function noteFor(text: string, doubt: Doubt | null, messages: Messages): string | null {
  if (holdsNothing(text)) return text.trim() === '' ? messages.empty : messages.foundNothing;
  return doubt === null ? null : messages.doubtful(doubt);
}

/** The user's own look is asked at once, and what it throws means nothing. */
function doubtOf(text: string, output: JsonValue | null, looks: LooksLikeError | null): Doubt | null {
  try {
    return looks?.(text, output) ?? null;
  } catch {
    return null;
  }
}

/** The note, and behind it the text where it says anything. */
function told(note: string | null, text: string, cutter: Cutter, messages: Messages) {
  const all = note === null ? text : holdsNothing(text) ? note : `${note}\n${text}`;
  const whole = wholeIfFits(all, cutter);
  return whole === null
    ? { observation: headAndTail(all, cutter, messages), cutFrom: text.length }
    : { observation: whole };
}

function holdsNothing(text: string): boolean {
  const said = text.trim();
  return said === '' || said === '[]' || said === '{}';
}

function isError(value: unknown): boolean {
  try {
    return typeof value === 'object' && value !== null && isErrorLike(value);
  } catch {
    return false;
  }
}

/** The tool's own mark. It is asked at once, and what it throws means nothing. */
function isMarkedEmpty(value: unknown, { empty }: CompiledTool): boolean {
  try {
    return empty?.(value) === true;
  } catch {
    return false;
  }
}

/** A text that is very long is compared by its length, its beginning and its end. */
function comparable(text: string): string {
  if (text.length <= 2 * largestOutput) return text;
  return `${text.length} ${text.slice(0, largestOutput)} ${text.slice(-largestOutput)}`;
}

/** `next` is given what the schema made of the value. */
function checkBySchema(
  value: unknown,
  tool: CompiledTool,
  options: ResultOptions,
  done: (outcome: CallOutcome) => void,
  next: (output: unknown) => void,
): () => void {
  const schema = tool.outputSchema;
  if (schema === null) {
    next(value);
    return () => {};
  }
  const { messages } = options;
  return checkValue(
    () => schema.check(schema.takesJson ? plainJson(value, { mostValues }) : value),
    options,
    (checked) => {
      if (checked.ok) return next(checked.parsed);
      const { fault } = checked;
      if (fault.kind !== 'unfit') return done(notChecked(fault, tool, messages));
      done(refused(tool, messages.badOutput(tool.name, fault.problems, mayRunAgain(tool))));
    },
  );
}

/** Of a value that is checked as JSON: what is behind is not checked, and what is checked has words for it. */
const mostValues = 100_000;

function checkByUser(
  output: unknown,
  { callId, input }: CallState,
  tool: CompiledTool,
  { within, hookMs, messages, checkResult }: ResultOptions,
  done: (outcome: CallOutcome) => void,
  accept: () => void,
): () => void {
  if (checkResult === null || tool.isDry) {
    accept();
    return () => {};
  }
  return within<unknown>(
    hookMs,
    () => checkResult(output, { toolCallId: callId, tool: tool.name, input: copyInput(input) ?? null }),
    (judged) => {
      if (judged.kind !== 'value') return done(notChecked(judged, tool, messages));
      if (judged.value === true) return accept();
      const why = typeof judged.value === 'string' ? sentence(brief(judged.value, messages)) : null;
      done(refused(tool, messages.notAccepted(tool.name, why, mayRunAgain(tool))));
    },
  );
}

function notChecked(settled: Unsettled, tool: CompiledTool, messages: Messages): CallOutcome {
  const outcome = refused(tool, messages.outputNotChecked(tool.name, whyOf(settled, messages), mayRunAgain(tool)));
  return settled.kind === 'late' ? outcome : { ...outcome, error: errorRecord(settled.thrown, messages) };
}

function refused(tool: CompiledTool, observation: string): CallOutcome {
  return mayRunAgain(tool) ? failed(observation) : unknown(observation);
}
