/** What to do about the errors that every program meets: files, connections, HTTP, JSON. Pure. */
import { causesOf, read } from '../core/error-text.ts';
import type { Language } from '../core/language.ts';

export type AdviceKind = keyof typeof english;

/** The advice for an error, by its HTTP status, its code or its name, or by those of what caused it. Total. */
export function adviceKind(thrown: unknown): AdviceKind | null {
  const chain = chainOf(thrown);
  return firstIn(chain, byStatus) ?? firstIn(chain, byCode) ?? firstIn(chain, byName);
}

export function adviceIn(language: Language, kind: AdviceKind): string {
  return (language === 'zh' ? chinese : english)[kind];
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
  if (typeof status !== 'number') return null;
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

const english = {
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

const chinese: { readonly [kind in AdviceKind]: string } = {
  noFile: '没有这个文件或文件夹：请检查路径，或先列出已有的内容。',
  noAccess: '没有权限：不要重复同样的操作。',
  refused: '该地址没有响应：请检查主机和端口。',
  noHost: '找不到该主机名：请检查拼写。',
  slow: '耗时过长：请减少请求的内容，或稍后再试一次。',
  broken: '连接中断：再试之前，请先确认操作是否已经执行。',
  aborted: '操作在完成之前被取消。',
  notJson: '应为 JSON 的内容不是 JSON：请检查输入，或按文本读取。',
  badRequest: '服务无法处理该请求：请检查输入的名称和值。',
  notSignedIn: '服务不接受当前凭据，而你无法更改：请在答案中说明。',
  forbidden: '服务不允许这样做：不要重复同样的操作。',
  notThere: '服务中没有该名称、编号或地址：请检查，或先搜索正确的。',
  tooMany: '对服务的请求过多：不要立即再次请求；请减少请求的内容，或使用已知信息。',
  serverFault: '服务本身有故障：输入无需修改，稍后可能恢复。',
};
