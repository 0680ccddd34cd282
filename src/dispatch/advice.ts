/** What to do about the errors that every program meets: files, connections, HTTP, JSON. Pure. */
import { causesOf, read } from '../core/error-text.ts';

export type AdviceKind = keyof typeof englishAdvice;

/**
 * The advice for an error, by its HTTP status, its code, its name or a status in its message, or by those of what caused it.
 * Total.
 */
export function adviceKind(thrown: unknown): AdviceKind | null {
  const chain = chainOf(typeof thrown === 'string' ? { message: thrown } : thrown);
  return firstIn(chain, byStatus) ?? firstIn(chain, byCode) ?? firstIn(chain, byName) ?? firstIn(chain, byMessage);
}

/** An error and its causes: few, because a chain may be a circle. */
const mostCauses = 8;

function chainOf(thrown: unknown): readonly object[] {
  const chain: object[] = [];
  const left: unknown[] = [thrown];
  while (left.length > 0 && chain.length < mostCauses) {
    const next = left.shift();
    if (typeof next !== 'object' || next === null || chain.includes(next)) continue;
    chain.push(next);
    left.push(...causesOf(next));
  }
  return chain;
}

function firstIn(chain: readonly object[], kindOf: (error: object) => AdviceKind | null): AdviceKind | null {
  for (const error of chain) {
    const kind = kindOf(error);
    if (kind !== null) return kind;
  }
  return null;
}

function byStatus(error: object): AdviceKind | null {
  const response = read(error, 'response');
  const status = [
    read(error, 'status'),
    read(error, 'statusCode'),
    typeof response === 'object' && response !== null ? read(response, 'status') : null,
  ].find((value) => typeof value === 'number');
  return typeof status === 'number' ? ofStatus(status) : null;
}

function ofStatus(status: number): AdviceKind | null {
  return statuses.get(status) ?? (status >= 500 && status <= 599 ? 'serverFault' : null);
}

const statuses: ReadonlyMap<number, AdviceKind> = new Map([
  [400, 'badRequest'],
  [401, 'notSignedIn'],
  [403, 'forbidden'],
  [404, 'notThere'],
  [408, 'slow'],
  [410, 'notThere'],
  [422, 'badRequest'],
  [429, 'tooMany'],
]);

function byCode(error: object): AdviceKind | null {
  const code = read(error, 'code');
  return typeof code === 'string' ? (codes.get(code) ?? null) : null;
}

const codes: ReadonlyMap<string, AdviceKind> = new Map([
  ['ENOENT', 'noFile'],
  ['ENOTDIR', 'noFile'],
  ['EACCES', 'noAccess'],
  ['EPERM', 'noAccess'],
  ['ECONNREFUSED', 'refused'],
  ['ENOTFOUND', 'noHost'],
  ['EAI_AGAIN', 'noHost'],
  ['ETIMEDOUT', 'slow'],
  ['ESOCKETTIMEDOUT', 'slow'],
  ['ECONNABORTED', 'slow'],
  ['UND_ERR_CONNECT_TIMEOUT', 'slow'],
  ['UND_ERR_HEADERS_TIMEOUT', 'slow'],
  ['UND_ERR_BODY_TIMEOUT', 'slow'],
  ['ECONNRESET', 'broken'],
  ['EPIPE', 'broken'],
  ['UND_ERR_SOCKET', 'broken'],
]);

function byName(error: object): AdviceKind | null {
  const name = read(error, 'name');
  if (name === 'TimeoutError') return 'slow';
  if (name === 'AbortError') return 'aborted';
  const message = read(error, 'message');
  return name === 'SyntaxError' && typeof message === 'string' && message.includes('JSON') ? 'notJson' : null;
}

/** `Request failed with status code 404`, `HTTP/1.1 503`, `404 Not Found`: near the beginning. */
function byMessage(error: object): AdviceKind | null {
  const message = read(error, 'message');
  const found = typeof message === 'string' ? saidStatus.exec(message.slice(0, 200)) : null;
  return found === null ? null : ofStatus(Number(found[1] ?? found[2]));
}

const saidStatus =
  /\b(?:HTTP(?:\/\d(?:\.\d)?)?(?: ?error)?|(?:status|response)(?:[ _]?code)?)[ :=]{0,3}([45]\d\d)\b|\b([45]\d\d) \(?(?:bad |unauth|forbid|not found|gone\b|request t|unproc|too many|internal s|service un|gateway)/i;

export const englishAdvice = {
  noFile: 'There is no such file or folder: check the path, or list what there is.',
  noAccess: 'The permission is missing: do not try the same again.',
  refused: 'Nothing answers at that address: check host and port.',
  noHost: 'That host name cannot be found: check its spelling.',
  slow: 'It took too long: ask for less, or try once more later.',
  broken: 'The connection broke off: find out whether anything was done before you try once more.',
  aborted: 'It was called off before it was done.',
  notJson: 'Something that should be JSON is not: check what was given, or read it as text.',
  badRequest: 'The service cannot use the request: check the names and values of the input.',
  notSignedIn: 'The service does not accept the credentials, and you cannot change them: say so in the answer.',
  forbidden: 'The service does not allow this: do not try the same again.',
  notThere: 'The service knows nothing of that name, id or address: check it, or search for the right one.',
  tooMany: 'The service has had too many requests: do not ask again at once; ask for less, or use what is known.',
  serverFault: 'The service itself has a fault: the input need not be changed, and it may work later.',
} as const;
