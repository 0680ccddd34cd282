/**
 * Everything that can go wrong with a reply over HTTP, as the `failed` event it becomes. Pure. A message says what
 * happened in the server's own words (at most 300 characters, without the secrets), a hint what to do next, and `retry`
 * whether another try may succeed.
 */
import { messageOf } from '../../core/message-of.ts';
import type { ModelFailed, ModelFailure } from '../../core/model.ts';
import { createQuote } from '../common/quote.ts';
import { statusHint } from '../common/status-hint.ts';
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
  /** What to check where an answer cannot be read. */
  readonly baseURLHint: string;
  /**
   * For a refusal that no other try would change: what to do. Null for the common hint. `asksToWait`: the server itself says that
   * another try may succeed.
   */
  hintFor?(status: number, message: string, asksToWait: boolean): string | null;
}

export interface FailingServer {
  /** The function that made the model, such as `openai`. */
  readonly where: string;
  readonly url: URL;
  /** What to do where the server refuses the key. */
  readonly keyHint: string;
  readonly model: string;
  readonly secrets: readonly string[];
}

export function createFailures(server: FailingServer, words: FailureWords): Failures {
  const place = `${server.url.origin}${server.url.pathname}`;
  // Every text from outside passes here.
  const quote = createQuote(server.secrets);
  function describe(thrown: unknown): string {
    const code = codeOf(thrown);
    const message = quote(messageOf(thrown));
    // Errors of several addresses tried at once have a code and no message.
    return code === '' || message.includes(code) ? message : `${message} (${code})`;
  }
  return {
    status: (reply, body) => refusal({ reply, body, server, words, place, quote }),
    connection(thrown) {
      const { failure, ...advice } = connectionAdvice(thrown, server.where);
      return failed(failure, `No reply from ${place}: ${describe(thrown)}.`, advice);
    },
    brokeOff(thrown) {
      const { failure, ...advice } = connectionAdvice(thrown, server.where);
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
      return failed('timeout', message, {
        hint: `Ask again, or raise ${limit} of ${server.where}({ … }).`,
        retry: retryAtWill,
      });
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
  readonly reply: Pick<HttpReply, 'status' | 'headers'>;
  readonly body: string;
  readonly server: FailingServer;
  readonly words: FailureWords;
  readonly place: string;
  readonly quote: (text: string) => string;
}

function refusal({ reply: { status, headers }, body, server, words, place, quote }: Refusal): ModelFailed {
  const error = errorOf(body);
  const target = status >= 300 && status < 400 ? headers.get('location') : undefined;
  const points = target === undefined ? null : `it points to ${placeIn(target, server.url)}`;
  const said = quote(points ?? error?.message ?? body);
  const retryAfter = headers.get('retry-after');
  const asksToWait = retryAfter !== undefined || headers.has('retry-after-ms');
  const own = words.hintFor?.(status, said, asksToWait) ?? null;
  const common = statusHint(status, {
    key: server.keyHint,
    place: `Check the model name (${server.model}) and the base URL; it usually ends in /v1.`,
    retryAfter: retryAfter && quote(retryAfter),
  });
  const retry = own === null ? retryOfStatus(status, headers, error) : null;
  const failure = status === 429 ? 'rate_limited' : 'refused';
  return failed(failure, `${place} answered ${status}: ${said}`, { hint: own ?? common, retry });
}

function errorOf(body: string): ServerError | null {
  const document = parseObject(body);
  return document === null ? null : errorIn(document);
}

/** Where a redirect points to, without what may be a secret in it. */
function placeIn(location: string, base: URL): string {
  if (!URL.canParse(location, base.href)) return 'a place that is no URL';
  const { origin, pathname } = new URL(location, base.href);
  return `${origin}${pathname}`;
}
