/**
 * What a model of the AI SDK throws, or sends as an error, as the `failed` event it becomes. Errors are known by their
 * shape: each version of the SDK has classes of its own. Of a request nothing is shown, of an error its message, at most
 * 300 characters, without credentials.
 * Source: https://ai-sdk.dev/docs/reference/ai-sdk-errors/ai-api-call-error
 */
import { isErrorLike, read } from '../../core/error-text.ts';
import { isJsonObject } from '../../core/json.ts';
import { messageOf } from '../../core/message-of.ts';
import type { ModelFailed } from '../../core/model.ts';
import { plainJson } from '../../core/plain-json.ts';
import { failed } from '../common/failed.ts';
import { createQuote } from '../common/quote.ts';
import { type StatusAdvice, statusHint } from '../common/status-hint.ts';
import { type Retry, retryAtWill, retryOfError, retryOfStatus, tellsOfRate } from '../http/retry.ts';
import { errorIn, parseObject, type ServerError } from '../http/server-error.ts';

/** `begun`: the stream had been opened. */
export function failureOf(place: string, thrown: unknown, { begun }: { readonly begun: boolean }): ModelFailed {
  try {
    return describedFailure(place, thrown, begun);
  } catch {
    // Of a thrown thing even the reading may throw.
    return failed('refused', `${place} failed with an error that cannot be shown.`, { hint: modelHint });
  }
}

function describedFailure(place: string, thrown: unknown, begun: boolean): ModelFailed {
  const error = lastOf(thrown);
  if (!isObject(error)) return errorFailure(place, error);
  const status = read(error, 'statusCode');
  if (typeof status === 'number') return statusFailure(place, status, error);
  if (read(error, 'isRetryable') === true) return connectionFailure(place, error);
  if (!isErrorLike(error)) return errorFailure(place, error);
  const name = quote(read(error, 'name'));
  if (name === 'TimeoutError')
    return failed('timeout', `${place} took too long: ${quote(error)}.`, { hint: 'Ask again.', retry: retryAtWill });
  if (begun) return brokeOff(place, quote(error));
  return name === 'AbortError' || isOfNetwork(error) ? connectionFailure(place, error) : unaskable(place, error, name);
}

export function brokeOff(place: string, how: string): ModelFailed {
  const hint = 'Ask again. If it happens often, look for a proxy or a server that cuts long replies.';
  return failed('broke_off', `The reply from ${place} broke off: ${how}.`, { hint, retry: retryAtWill });
}

/** `what` the reply is or has, and an excerpt where that tells something. */
export function unreadable(place: string, what: string): ModelFailed {
  const hint = 'This is a defect of the model object or its provider package: update it, or tell its makers.';
  return failed('unreadable', `The reply from ${place} ${what}.`, { hint });
}

/** `word`: the provider's own, where there is one. */
export function endMark(place: string, word: string): ModelFailed {
  const hint =
    'A reply ends with stop, tool-calls, length or content-filter; ask again. A model that never says how it ended can be used with { stream: false }.';
  return failed('broke_off', `${place} ended the reply with finishReason ${JSON.stringify(quote(word))}.`, {
    hint,
    retry: retryAtWill,
  });
}

const quoteText = createQuote([]);

/** One line of whatever it is: at most 300 characters, and no half character at the end. */
export function quote(said: unknown): string {
  return quoteText(messageOf(said));
}

/** The SDK's own retries, where a model is wrapped in them, end with the last error. */
function lastOf(thrown: unknown): unknown {
  return (isObject(thrown) ? read(thrown, 'lastError') : undefined) ?? thrown;
}

function statusFailure(place: string, status: number, error: object): ModelFailed {
  const body = read(error, 'responseBody');
  const document = typeof body === 'string' ? parseObject(body.slice(0, 65_536)) : null;
  const said = document === null ? null : errorIn(document);
  const own = read(error, 'message');
  const message = typeof own === 'string' && own !== '' ? own : (said?.message ?? body ?? '');
  const retry = read(error, 'isRetryable') === false ? null : retryOfStatus(status, headersOf(error), said);
  return failed(status === 429 ? 'rate_limited' : 'refused', `${place} answered ${status}: ${quote(message)}`, {
    hint: statusHint(status, statusAdvice),
    ...retrying(retry),
  });
}

const statusAdvice: StatusAdvice = Object.freeze({
  key: 'Check the API key of the provider, and its rights.',
  place: 'Check the name of the model, and the base URL of the provider.',
});

function connectionFailure(place: string, error: object): ModelFailed {
  const hint = 'Check the network, the proxy and the base URL of the provider, and ask again.';
  return failed('connection', `No reply from ${place}: ${quote(error)}.`, { hint, retry: retryAtWill });
}

/** An error as the server wrote it, such as `{ type: 'overloaded_error', message }`. */
function errorFailure(place: string, error: unknown): ModelFailed {
  const said: ServerError = errorIn({ error: plainJson(error, { mostValues: 1_000 }) }) ?? {
    message: messageOf(error),
    words: [],
    status: null,
  };
  const message = `${place} sent an error in place of a reply: ${quote(said.message)}`;
  return failed(tellsOfRate(said) ? 'rate_limited' : 'refused', message, {
    hint: "The error is the server's own; its message says what it wants.",
    ...retrying(retryOfError(said)),
  });
}

/** A key that is missing, a setting that the model does not take, or a defect: the same call would fail again. */
function unaskable(place: string, error: object, name: string): ModelFailed {
  const said = `${quote(error)} (${name})`;
  if (unreadableNames.test(name)) return unreadable(place, `cannot be read: ${said}`);
  return failed('refused', `${place} could not be asked: ${said}.`, { hint: modelHint });
}

const modelHint = 'Check how the model is made: its key, its name, its settings and provider options.';

const unreadableNames = /ResponseData|JSONParse|TypeValidation|EmptyResponse|NoContent/;

/** `fetch` throws a TypeError whose cause has the code. */
function isOfNetwork(error: object): boolean {
  const cause = read(error, 'cause');
  const code = read(error, 'code') ?? (isObject(cause) ? read(cause, 'code') : undefined);
  return typeof code === 'string' && /^(?:E[A-Z]{4,}|EPIPE|UND_ERR_)/.test(code);
}

function headersOf(error: object): ReadonlyMap<string, string> {
  const headers = read(error, 'responseHeaders');
  const entries = isJsonObject(headers) ? Object.entries(headers) : [];
  return new Map(entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name.toLowerCase(), value]] : [])));
}

function retrying(retry: Retry | null): { readonly retry?: Retry } {
  return retry === null ? {} : { retry };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
