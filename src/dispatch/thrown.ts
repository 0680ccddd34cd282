/**
 * What a tool threw: words and advice for the model, and the whole for the trace. A stack trace is in the latter alone.
 * Total: an error is foreign code, whose members may throw.
 */
import { causesOf, errorText, type Hide, isErrorLike, read } from '../core/error-text.ts';
import { ToolError } from '../core/errors.ts';
import type { ErrorRecord } from '../core/events.ts';
import { messageOf } from '../core/message-of.ts';
import { withoutTrace } from '../core/without-trace.ts';
import { adviceKind } from './advice.ts';
import { brief, type Hiding, sentence, shortened } from './brief.ts';
import { type Cutter, cut } from './cut.ts';
import type { Messages } from './messages.ts';

/** In code units. */
const longest = { message: 2_000, stack: 8_000, name: 100 } as const;
const deepestCause = 4;

/** `[ToolError] …`, with the tool's own hint, or advice for the kind of error. */
export function thrownObservation(tool: string, thrown: unknown, cutter: Cutter, messages: Messages): string {
  const kind = adviceKind(thrown);
  const advice = hintOf(thrown, messages) ?? (kind === null ? null : messages.advice(kind));
  return messages.thrown(tool, sentence(cut(wordsOf(thrown, messages), cutter, messages)), advice);
}

/** Name, message, stack and causes, each without secrets and of bounded length. */
export function errorRecord(thrown: unknown, hiding: Hiding, levels: number = deepestCause): ErrorRecord {
  const { text: hide } = hiding.redactor;
  const error = asError(thrown);
  const name = error === null ? typeof thrown : read(error, 'name');
  const message = error === null ? null : read(error, 'message');
  const stack = error === null ? null : read(error, 'stack');
  const [cause] = error === null || levels <= 1 ? [] : causesOf(error);
  return {
    name: typeof name === 'string' ? shortened(hide(name), longest.name) : 'Error',
    message: shortened(hide(typeof message === 'string' ? message : messageOf(thrown)), longest.message),
    stack: typeof stack === 'string' ? shortened(hide(stack), longest.stack) : null,
    cause: cause === undefined ? null : errorRecord(cause, hiding, levels - 1),
  };
}

/** The tool's own word about its input; also of another copy of this library. */
export function isToolError(thrown: unknown): boolean {
  try {
    const error = asError(thrown);
    return thrown instanceof ToolError || (error !== null && read(error, 'name') === 'ToolError');
  } catch {
    return false;
  }
}

/** The message without a stack, and what it was caused by. */
function wordsOf(thrown: unknown, hiding: Hiding): string {
  const { text: hide } = hiding.redactor;
  const error = asError(thrown);
  const message = error === null ? null : read(error, 'message');
  const said = shortened(
    hide(typeof message === 'string' && message !== '' ? message : messageOf(thrown)),
    longest.message,
  );
  const causes = error === null ? [] : causesOf(error).map((cause) => causeWords(cause, hiding));
  const whole = withoutTrace(said) || nameOf(error, hide);
  return causes.length === 0 ? whole : `${whole} (${causes.join('; ')})`;
}

function causeWords(cause: unknown, hiding: Hiding): string {
  const error = asError(cause);
  return error === null ? brief(cause, hiding) : errorText(error, hiding.redactor.text);
}

function nameOf(error: object | null, hide: Hide): string {
  const name = error === null ? null : read(error, 'name');
  return typeof name === 'string' && name !== '' ? shortened(hide(name), longest.name) : 'an error without words';
}

/** Also what only looks like an error: those of another realm, and plain objects with a stack. */
function asError(thrown: unknown): object | null {
  if (typeof thrown !== 'object' || thrown === null) return null;
  try {
    return isErrorLike(thrown) || (isText(thrown, 'message') && (isText(thrown, 'stack') || isText(thrown, 'name')))
      ? thrown
      : null;
  } catch {
    return null;
  }
}

/** `ToolError` and `AgentError` have one, and so do the errors of some databases. */
function hintOf(thrown: unknown, hiding: Hiding): string | null {
  const error = asError(thrown);
  const hint = error === null ? null : read(error, 'hint');
  return typeof hint === 'string' && hint.trim() !== '' ? sentence(brief(hint.trim(), hiding)) : null;
}

function isText(value: object, name: string): boolean {
  return typeof read(value, name) === 'string';
}
