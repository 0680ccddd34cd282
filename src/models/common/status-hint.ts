/** What to do about a status other than 2xx, in the words that all adapters share. Pure. */

export interface StatusAdvice {
  /** For 401 and 403. */
  readonly key: string;
  /** For 404. */
  readonly place: string;
  /** As the server asks, such as `20`; undefined where it does not say. */
  readonly retryAfter?: string | undefined;
}

export function statusHint(status: number, { key, place, retryAfter }: StatusAdvice): string {
  if (status === 401 || status === 403) return key;
  if (status === 404) return place;
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
