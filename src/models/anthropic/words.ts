/** What the failures of this adapter say beside what all adapters over HTTP say. Pure. */
import type { FailureWords } from '../http/failures.ts';
import type { HttpReply } from '../http/send.ts';

export const anthropicWords: FailureWords = Object.freeze({
  baseURLHint: 'Check that the base URL is that of a server with the Messages API and ends before /v1/messages.',
  hintFor: (status: number, message: string, asksToWait: boolean) => {
    if (status === 404) return 'Check the model name, and the base URL: it ends before /v1/messages.';
    if (status === 402 || (status < 500 && !asksToWait && moneyWords.test(message))) return moneyHint;
    return status === 400 && tooLongWords.test(message) ? tooLongHint : null;
  },
});

/** An account without money answers 400, 402 or 429, and one that reached its own limit too; waiting changes neither. */
const moneyWords = /credit balance|spend(?:ing)? limit|usage limits?\b/i;
const moneyHint = 'Check the credit and the spend limits of the account: waiting does not change them.';

const tooLongWords = /prompt is too long|exceed context limit/i;
const tooLongHint = 'The conversation no longer fits the model: give it fewer or shorter tools, texts and results.';

const resetNames = ['requests', 'input-tokens', 'output-tokens', 'tokens'];

/**
 * A 429 that does not say how long to wait, with the wait that its limits tell: until the last of those that are used up
 * is filled again. Source: https://docs.anthropic.com/en/api/rate-limits
 */
export function withWait(reply: HttpReply, nowMs: number): HttpReply {
  const { status, headers } = reply;
  if (status !== 429 || headers.has('retry-after') || headers.has('retry-after-ms')) return reply;
  const resets = resetNames
    .filter((name) => headers.get(`anthropic-ratelimit-${name}-remaining`)?.trim() === '0')
    .map((name) => instantIn(headers.get(`anthropic-ratelimit-${name}-reset`)))
    .filter((atMs) => atMs !== null);
  if (resets.length === 0) return reply;
  // Against the server's own clock: ours may be wrong.
  const date = Date.parse(headers.get('date') ?? '');
  const waitMs = Math.max(0, Math.max(...resets) - (Number.isNaN(date) ? nowMs : date));
  return { ...reply, headers: new Map([...headers, ['retry-after-ms', String(waitMs)]]) };
}

/** RFC 3339, such as `2026-11-30T16:20:00Z`. */
function instantIn(text: string | undefined): number | null {
  if (text === undefined || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text)) return null;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : atMs;
}
