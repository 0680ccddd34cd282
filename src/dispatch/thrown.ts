/**
 * What a tool threw: words and advice for the model, and the whole for the trace. A stack trace is in the latter alone.
 * Total: an error is foreign code, whose members may throw.
 */
import { causesOf, errorText, isErrorLike, type Redact, read } from '../core/error-text.ts';
import { ToolError } from '../core/errors.ts';
import type { ErrorRecord } from '../core/events.ts';
import { messageOf } from '../core/message-of.ts';
import type { Effect } from '../core/verdict.ts';
import { withoutTrace } from '../core/without-trace.ts';
import { adviceKind } from './advice.ts';
import { brief, sentence, shortened, type WithRedactor } from './brief.ts';
import { type Cutter, cut } from './cut.ts';
import type { Messages } from './messages.ts';

/** In code units. */
const longest = { message: 2_000, stack: 8_000, name: 100 } as const;
const deepestCause = 4;

/** `[ToolError] …`, with the tool's own hint, or advice for the kind of error. */
export function thrownObservation(
  tool: string,
  thrown: unknown,
  cutter: Cutter,
  messages: Messages,
  again: boolean,
): string {
  const kind = adviceKind(thrown);
  const advice = hintOf(thrown, messages) ?? (kind === null ? null : messages.advice(kind));
  return messages.thrown(tool, sentence(cut(wordsOf(thrown, messages), cutter, messages)), advice, again);
}

/**
 * The tool says that an effect may have happened; or a side effect's connection broke, or took too long: that says nothing of
 * what was done at its other end.
 */
export function leavesDoubt(thrown: unknown, effect: Effect): boolean {
  const said = isToolError(thrown) ? asError(thrown) : null;
  if (said !== null && read(said, 'unknown') === true) return effect !== 'readOnly';
  if (effect !== 'sideEffect') return false;
  const kind = isToolError(thrown) ? null : adviceKind(thrown);
  return kind === 'slow' || kind === 'broken';
}

/** Name, message, stack and causes, each without secrets and of bounded length. */
export function errorRecord(thrown: unknown, messages: WithRedactor, levels: number = deepestCause): ErrorRecord {
  const { text: redact } = messages.redactor;
  const error = asError(thrown);
  const name = error === null ? typeof thrown : read(error, 'name');
  const message = error === null ? null : read(error, 'message');
  const stack = error === null ? null : read(error, 'stack');
  const [cause] = error === null || levels <= 1 ? [] : causesOf(error);
  return {
    name: typeof name === 'string' ? shortened(redact(name), longest.name) : 'Error',
    message: shortened(redact(typeof message === 'string' ? message : messageOf(thrown)), longest.message),
    stack: typeof stack === 'string' ? shortened(redact(stack), longest.stack) : null,
    cause: cause === undefined ? null : errorRecord(cause, messages, levels - 1),
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
function wordsOf(thrown: unknown, messages: WithRedactor): string {
  const { text: redact } = messages.redactor;
  const error = asError(thrown);
  const message = error === null ? null : read(error, 'message');
  const said = shortened(
    redact(typeof message === 'string' && message !== '' ? message : messageOf(thrown)),
    longest.message,
  );
  const causes = error === null ? [] : causesOf(error).map((cause) => causeWords(cause, messages));
  const whole = withoutTrace(said) || nameOf(error, redact);
  return causes.length === 0 ? whole : `${whole} (${causes.join('; ')})`;
}

function causeWords(cause: unknown, messages: WithRedactor): string {
  const error = asError(cause);
  return error === null ? brief(cause, messages) : errorText(error, messages.redactor.text);
}

function nameOf(error: object | null, redact: Redact): string {
  const name = error === null ? null : read(error, 'name');
  return typeof name === 'string' && name !== '' ? shortened(redact(name), longest.name) : 'an error without words';
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
function hintOf(thrown: unknown, messages: WithRedactor): string | null {
  const error = asError(thrown);
  const hint = error === null ? null : read(error, 'hint');
  return typeof hint === 'string' && hint.trim() !== '' ? sentence(brief(hint.trim(), messages)) : null;
}

function isText(value: object, name: string): boolean {
  return typeof read(value, name) === 'string';
}
