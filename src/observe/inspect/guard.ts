/**
 * Who may speak with the inspector: a page of its own, at its own address, that knows the token. Other pages of the same
 * browser can send requests to this machine, too, so that each is checked.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export function createToken(): string {
  return randomBytes(16).toString('hex');
}

export interface Guarded {
  readonly token: string;
  readonly port: number;
}

export interface Addressed {
  readonly path: string;
  readonly search: URLSearchParams;
}

/**
 * The `Host` must be a name of this machine with our port: a foreign name that was made to lead here (DNS rebinding) is
 * refused. A browser says of which page a request comes: it must be ours, and with POST it must be said.
 */
export function isAllowed(request: IncomingMessage, { path, search }: Addressed, { token, port }: Guarded): boolean {
  const tokens = search.getAll('token');
  const isToken = isSame(tokens[0] ?? '', token) && tokens.length === 1;
  return isToken && hosts.some((name) => request.headers.host === `${name}:${port}`) && isFromOurPage(request, path);
}

function isFromOurPage({ headers, method }: IncomingMessage, path: string): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (origin === undefined ? method === 'POST' : origin !== `http://${host}`) return false;
  if (site === undefined || site === 'same-origin' || site === 'none') return true;
  // An address that is followed from elsewhere leads to the page alone, and it names the token.
  if (path !== '/') return false;
  return method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

const hosts = ['127.0.0.1', 'localhost', '[::1]'];

/** In a time that tells nothing of either text. */
function isSame(given: string, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(token));
}
