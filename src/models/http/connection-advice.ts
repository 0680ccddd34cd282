/** What to do about a connection that failed, and whether another try may succeed, by the code of Node or undici. Pure. */
import type { ModelFailure } from '../../core/model.ts';
import { passingStatus, type Retry, retryAtWill } from './retry.ts';
import { isProxyError } from './tunnel.ts';

export interface Advice {
  readonly hint: string;
  /** Null where the same request would fail again. */
  readonly retry: Retry | null;
}

export type ConnectionAdvice = Advice & { readonly failure: ModelFailure };

type Row = readonly [codes: RegExp, failure: ModelFailure, lasts: 'passes' | 'lasts', hint: string];

/** The first that fits. What is not named here is a connection that did not come about, or broke: that passes. */
const rows: readonly Row[] = [
  // A name that does not exist will not exist in a second; a name server that is out of reach may be.
  [/^ENOTFOUND$/, 'connection', 'lasts', 'Check the host in the base URL, and the name server.'],
  [/^EAI_AGAIN$/, 'connection', 'passes', 'Check the host in the base URL, and the name server.'],
  [/^ECONNREFUSED$/, 'connection', 'passes', 'Check host and port in the base URL, and that the server is running.'],
  [
    /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_|EPROTO/,
    'connection',
    'lasts',
    'Check https or http in the base URL, and the certificate (NODE_EXTRA_CA_CERTS).',
  ],
  [/^HPE_/, 'unreadable', 'lasts', 'What answered does not speak HTTP: check port, and https or http.'],
  [/^UNKNOWN_ENCODING$/, 'unreadable', 'lasts', 'Have the server, or the proxy before it, send plain bytes.'],
  [
    /^UND_ERR_(?:DESTROYED|CLOSED)$/,
    'refused',
    'lasts',
    'The model (or its pool) was closed. Create a new one, or close it later.',
  ],
  [
    /^(?:CONNECT_LIMIT|UND_ERR_CONNECT_TIMEOUT)$/,
    'timeout',
    'passes',
    'Check the network and the proxy, and ask again, or raise timeouts.connectMs of { … }.',
  ],
  // No error of a connection at all, but one of the request.
  [/^(?:UND_ERR_INVALID_ARG)?$/, 'connection', 'lasts', 'Check the options of the model, and ask again.'],
];

const proxyHint =
  'Check the proxy: the option proxy, or HTTPS_PROXY, HTTP_PROXY and NO_PROXY, and that it lets you through to this host.';

/** `where`: whose options they are, such as `openai`. */
export function connectionAdvice(thrown: unknown, where: string): ConnectionAdvice {
  const code = codeOf(thrown);
  const [, failure, lasts, advice] = rows.find(([codes]) => codes.test(code)) ?? otherwise;
  const hint = advice.replace('{ … }', `${where}({ … })`);
  if (!isProxyError(thrown)) return { failure, hint, retry: lasts === 'lasts' ? null : retryAtWill };
  const passes = thrown.status === null ? lasts === 'passes' : passingStatus(thrown.status);
  return { failure: 'connection', hint: proxyHint, retry: passes ? retryAtWill : null };
}

const otherwise: Row = [/^/, 'connection', 'passes', 'Check the network and the proxy, and ask again.'];

export function codeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return '';
  if ('code' in thrown && typeof thrown.code === 'string') return thrown.code;
  // undici's error for bytes that are no HTTP has a code only where its parser gave one.
  return thrown.name === 'HTTPParserError' ? 'HPE_' : '';
}
