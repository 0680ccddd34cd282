/**
 * Which failures may be tried again, and how long the server asks to wait. Pure: it never waits, and tries nothing again;
 * the loop does. Sources: RFC 9110 (`retry-after`, `date`), and what providers document: `retry-after-ms`,
 * `x-should-retry` (https://github.com/openai/openai-node, https://learn.microsoft.com/azure/ai-services/openai/quotas-limits).
 */
import type { ServerError } from './server-error.ts';

export interface Retry {
  /** How long the server asks to wait, whole milliseconds; null where it does not say. */
  readonly afterMs: number | null;
}

export const retryAtWill: Retry = Object.freeze({ afterMs: null });

type Headers = ReadonlyMap<string, string>;

/** Of a status other than 2xx; null where the same request would fail again. What the server says itself wins. */
export function retryOfStatus(status: number, headers: Headers, error: ServerError | null): Retry | null {
  const told = headers.get('x-should-retry')?.trim().toLowerCase();
  if (told === 'false') return null;
  const passes = passingStatus(status) && !(status < 500 && error !== null && wantsMoney(error));
  return told === 'true' || passes ? { afterMs: waitOf(headers) } : null;
}

/** Of an error inside a reply that began well: by its status, else by its words and by what it says. */
export function retryOfError(error: ServerError): Retry | null {
  const { status, words, message } = error;
  if (wantsMoney(error) && !(status !== null && status >= 500)) return null;
  if (status !== null && status >= 400) return passingStatus(status) ? retryAtWill : null;
  const said = words.join(' ');
  if (passingWords.test(said)) return retryAtWill;
  return !lastingWords.test(said) && passingWords.test(message.slice(0, 2_000)) ? retryAtWill : null;
}

export function tellsOfRate(error: ServerError): boolean {
  return error.status === 429 || error.words.some((word) => /rate_?limit|too_many_requests|throttl/i.test(word));
}

export function passingStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** An overload, or a fault of the server. */
const passingWords =
  /overload|server_?error|server error|internal|unavailable|exhausted|capacity|busy|time_?out|timed out|rate_?limit|too_many|throttl|try again/i;

/** A fault of the request, or of the account: whatever its message says, another try is in vain. */
const lastingWords = /invalid|authentication|permission|forbidden|unauthorized|not_?found|too_large|context_length/i;

/** An account without money is a 429 too, at OpenAI and others, and waiting does not fill it. */
function wantsMoney({ words }: ServerError): boolean {
  return words.some((word) => moneyWords.test(word.slice(0, 200)));
}

const moneyWords =
  /insufficient_?(?:[a-z]{1,20}_)?(?:quota|balance|credits?|funds)|(?:^|_)(?:billing|payment|credits?_|current_quota)|^arrear/i;

/** Of no time at all says nothing either: a server that is busy is not asked again at once by everybody. */
function waitOf(headers: Headers): number | null {
  const waitMs = toldWait(headers);
  return waitMs === 0 ? null : waitMs;
}

/** Milliseconds first, then seconds or a date. What is negative, past or no number says nothing. */
function toldWait(headers: Headers): number | null {
  const exact = numberIn(headers.get('retry-after-ms'));
  if (exact !== null) return Math.ceil(exact);
  const after = headers.get('retry-after');
  const seconds = numberIn(after);
  if (seconds !== null) return Math.ceil(seconds * 1_000);
  const until = dateIn(after);
  if (until === null) return null;
  // Against the server's own clock: ours may be wrong.
  const waitMs = until - (dateIn(headers.get('date')) ?? Date.now());
  return waitMs >= 0 ? waitMs : null;
}

function numberIn(text: string | undefined): number | null {
  const trimmed = text?.trim() ?? '';
  return /^\d{1,12}(?:\.\d{1,12})?$/.test(trimmed) ? Number(trimmed) : null;
}

/** Only what begins as the dates of HTTP do: `Date.parse` makes a date of almost anything, such as `-5`. */
function dateIn(text: string | undefined): number | null {
  const trimmed = text?.trim() ?? '';
  if (trimmed.length > 40 || !/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(trimmed)) return null;
  const atMs = Date.parse(trimmed);
  return Number.isNaN(atMs) ? null : atMs;
}
