/**
 * Everything that can go wrong with a reply over HTTP, as the `failed` event it becomes. Pure. A message says what
 * happened in the server's own words (at most 300 characters, without the secrets), a hint what to do next, and `retry`
 * whether another try may succeed.
 */
import { messageOf } from '../../core/message-of.ts';
import type { ModelFailed, ModelFailure } from '../../core/model.ts';
import { createRedactor } from '../../core/redact.ts';
import { type Advice, codeOf, connectionAdvice } from './connection-advice.ts';
import { type Retry, retryAtWill, retryOfError, retryOfStatus, tellsOfRate } from './retry.ts';
import type { HttpReply } from './send.ts';
import { errorIn, parseObject, type ServerError } from './server-error.ts';

export interface Failures {
  /** A status other than 2xx, and the beginning of its body. */
  status(reply: Pick<HttpReply, 'status' | 'headers'>, body: string): ModelFailed;
  /** No reply began: `thrown` came from undici. */
  connection(thrown: unknown): ModelFailed;
  /** The reply began and its end never came: what was thrown, or how it looked. */
  brokeOff(thrown: unknown): ModelFailed;
  /** An error inside a reply with status 200. */
  error(error: ServerError): ModelFailed;
  /** `excerpt`: what was read, where that tells something. */
  unreadable(what: string, excerpt?: string): ModelFailed;
  /** The word at the end of the reply, such as a `finish_reason`, is none that we know. */
  endMark(field: string, word: string): ModelFailed;
  /** `limit`: the name of the option, such as `timeouts.totalMs`. */
  timeout(limit: string, limitMs: number): ModelFailed;
  aborted(): ModelFailed;
}

/** What is the provider's own in a message. */
export interface FailureWords {
  /** The environment's name of the key, such as `OPENAI_API_KEY`. */
  readonly keyName: string;
  /** What to check where an answer cannot be read. */
  readonly baseURLHint: string;
  /** For a refusal that no other try would change: what to do. Null for the common hint. */
  hintFor?(status: number, message: string): string | null;
}

export interface FailingServer {
  readonly url: URL;
  readonly model: string;
  readonly secrets: readonly string[];
}

export function createFailures(server: FailingServer, words: FailureWords): Failures {
  const place = `${server.url.origin}${server.url.pathname}`;
  const redactor = createRedactor(server.secrets);
  // Every text from outside passes here. Secrets go first: a cut one would no longer be found.
  const quote = (text: string) => excerptOf(redactor.text(text));
  function describe(thrown: unknown): string {
    const code = codeOf(thrown);
    const message = quote(messageOf(thrown));
    // Errors of several addresses tried at once have a code and no message.
    return code === '' || message.includes(code) ? message : `${message} (${code})`;
  }
  return {
    status({ status, headers }, body) {
      const document = parseObject(body);
      const error = document === null ? null : errorIn(document);
      const target = status >= 300 && status < 400 ? headers.get('location') : undefined;
      const said = quote(
        target === undefined ? (error?.message ?? body) : `it points to ${placeIn(target, server.url)}`,
      );
      const own = words.hintFor?.(status, said) ?? null;
      const retryAfter = headers.get('retry-after');
      const hint = own ?? statusHint(status, { ...server, ...words, retryAfter: retryAfter && quote(retryAfter) });
      const message = `${place} answered ${status}: ${said}`;
      const retry = own === null ? retryOfStatus(status, headers, error) : null;
      return failed(status === 429 ? 'rate_limited' : 'refused', message, { hint, retry });
    },
    connection(thrown) {
      const { failure, ...advice } = connectionAdvice(thrown);
      return failed(failure, `No reply from ${place}: ${describe(thrown)}.`, advice);
    },
    brokeOff(thrown) {
      const { failure, ...advice } = connectionAdvice(thrown);
      const message = `The reply from ${place} broke off: ${describe(thrown)}.`;
      const lasts = failure === 'refused' || codeOf(thrown) === 'UNKNOWN_ENCODING';
      return lasts ? failed(failure, message, advice) : failed('broke_off', message, brokeOffAdvice);
    },
    error(error) {
      const hint = "The error is the server's own; its message says what it wants.";
      const message = `${place} sent an error in place of a reply: ${quote(error.message)}`;
      return failed(tellsOfRate(error) ? 'rate_limited' : 'refused', message, { hint, retry: retryOfError(error) });
    },
    unreadable(what, excerpt) {
      const message = `The reply from ${place} ${what}${excerpt === undefined ? '.' : `: ${quote(excerpt)}`}`;
      return failed('unreadable', message, { hint: words.baseURLHint, retry: null });
    },
    endMark(field, word) {
      const message = `${place} ended the reply with ${field} ${JSON.stringify(quote(word))}.`;
      const hint = 'Known are stop, length, content_filter and their synonyms; ask again.';
      return failed('broke_off', message, { hint, retry: retryAtWill });
    },
    timeout(limit, limitMs) {
      const message = `The reply from ${place} passed ${limit}, ${limitMs} ms.`;
      return failed('timeout', message, { hint: `Ask again, or raise ${limit}.`, retry: retryAtWill });
    },
    aborted() {
      const hint = 'Nothing to do: whoever owns the signal no longer wanted the reply.';
      return failed('aborted', `The request to ${place} was aborted.`, { hint, retry: null });
    },
  };
}

const brokeOffAdvice: Advice = Object.freeze({
  hint: 'Ask again. If it happens often, look for a proxy or a server that cuts long replies.',
  retry: retryAtWill,
});

function failed(
  failure: ModelFailure,
  message: string,
  { hint, retry }: { readonly hint: string; readonly retry: Retry | null },
): ModelFailed {
  return { type: 'failed', failure, message, hint, ...(retry === null ? {} : { retry }) };
}

interface Refusal {
  readonly model: string;
  readonly keyName: string;
  readonly retryAfter: string | undefined;
}

function statusHint(status: number, { model, keyName, retryAfter }: Refusal): string {
  if (status === 401 || status === 403)
    return `Check the API key (${keyName} or apiKey), its rights, and that it belongs to this base URL.`;
  if (status === 404) return `Check the model name (${model}) and the base URL; it usually ends in /v1.`;
  if (status === 429)
    return retryAfter === undefined
      ? 'Wait and ask again, or check the quota of the account.'
      : `Wait as long as the server asks (retry-after: ${retryAfter}), or check the quota of the account.`;
  if (status === 413) return 'The prompt is too long for this server: give fewer or shorter messages.';
  if (status >= 500) return 'The server failed; ask again later.';
  if (status >= 300 && status < 400)
    return 'Redirects are not followed: set the base URL to where the server really is.';
  return 'The server refused the request; its message says why. Usual reasons are the context length and parameters.';
}

/** Where a redirect points to, without what may be a secret in it. */
function placeIn(location: string, base: URL): string {
  if (!URL.canParse(location, base.href)) return 'a place that is no URL';
  const { origin, pathname } = new URL(location, base.href);
  return `${origin}${pathname}`;
}

/** At most 300 characters in one line, and no half character at the end. */
function excerptOf(text: string): string {
  const line = text.slice(0, 2_000).replace(/\s+/g, ' ').trim();
  if (line === '') return 'nothing';
  return line.length <= 300 ? line : `${line.slice(0, 300).replace(/[\ud800-\udbff]$/, '')}…`;
}
