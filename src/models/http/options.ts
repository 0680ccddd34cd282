/** Reads what all adapters over HTTP take from the user and the environment, once, when the model is created. */
import { AgentError } from '../../core/errors.ts';
import { findProxy, type HttpProxy } from './proxy.ts';
import { type GivenTimeouts, type HttpTimeouts, readHttpTimeouts } from './time-limits.ts';

export interface HttpOptions<Pool = unknown> {
  /** Where the server is found. A query is kept. Default: the provider's variable of the environment, then its own URL. */
  readonly baseURL?: string | undefined;
  /** Default: the provider's variable of the environment. `''` sends none. */
  readonly apiKey?: string | undefined;
  /** Sent with every request; they win over our own. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** When to give up; see `HttpTimeouts`. */
  readonly timeouts?: GivenTimeouts | undefined;
  /**
   * The URL of an HTTP proxy, for every host; false for none. Default: HTTPS_PROXY or HTTP_PROXY, by the scheme of the base URL,
   * but for the hosts in NO_PROXY and this machine itself.
   */
  readonly proxy?: string | false | undefined;
  /**
   * An undici dispatcher of your own, such as a shared pool. It stays yours: `close()` does not close it, and connecting,
   * with `connectMs` and proxies, is its business.
   */
  readonly pool?: Pool | undefined;
}

/** The options as they are used: complete, checked, and with all that must never be shown in `secrets`. */
export interface HttpSettings<Pool = unknown> {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeouts: HttpTimeouts;
  readonly proxy: HttpProxy | null;
  readonly pool: Pool | undefined;
  readonly secrets: readonly string[];
}

/** What is the provider's own. */
export interface HttpProvider {
  /** Names in the environment, such as `OPENAI_BASE_URL` and `OPENAI_API_KEY`. */
  readonly baseURLName: string;
  readonly apiKeyName: string;
  /** Also the example in messages, such as `https://api.openai.com/v1`. */
  readonly baseURL: string;
  /** What is asked below the base URL, such as `/chat/completions`. */
  readonly path: string;
  /** The domain whose hosts answer nobody without a key, such as `openai.com`. */
  readonly keyDomain: string;
  /** The header that carries the key, such as `authorization: Bearer KEY`. */
  readonly keyHeader: (apiKey: string) => readonly [name: string, value: string];
  /** Sent with every request where the user gives no other. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Throws an AgentError (`invalid_option`) that names the option and shows no secret. */
export function readHttpOptions<Pool>(options: HttpOptions<Pool>, provider: HttpProvider): HttpSettings<Pool> {
  const { headers: given = {}, pool } = options;
  const url = readUrl(options.baseURL ?? (process.env[provider.baseURLName] || provider.baseURL), provider);
  const apiKey = (options.apiKey ?? process.env[provider.apiKeyName] ?? '').trim();
  const headers = readHeaders(apiKey, given, provider);
  const needsKey = url.hostname === provider.keyDomain || url.hostname.endsWith(`.${provider.keyDomain}`);
  if (needsKey && ![provider.keyHeader('')[0], 'authorization'].some((name) => headers.has(name)))
    throw refuse(
      'apiKey is missing.',
      `Set ${provider.apiKeyName} or pass apiKey: ${url.hostname} answers nobody without one.`,
    );
  if (pool !== undefined && typeof options.proxy === 'string')
    throw refuse('proxy and pool are given both.', 'Give one: a pool of your own has its own way to the server.');
  const { proxy, secrets } = findProxy(pool === undefined ? options.proxy : false, url);
  return {
    url,
    headers: Object.fromEntries(headers),
    timeouts: readHttpTimeouts(options.timeouts),
    proxy,
    pool,
    secrets: [apiKey, ...secrets, ...secretsIn(Object.entries(given)), ...secretsIn([...url.searchParams])].filter(
      (secret) => secret !== '',
    ),
  };
}

/** The server's name of a model; what else an adapter wants is its own business. */
export function readModelName(model: unknown, example: string): string {
  if (typeof model === 'string' && model.trim() !== '') return model;
  throw refuse(`model is ${JSON.stringify(model)}.`, `model is the server's name of a model, such as '${example}'.`);
}

export function refuse(message: string, hint: string): AgentError {
  return new AgentError('invalid_option', message, { hint });
}

/** The text itself is not shown where it may hold a password. */
function readUrl(base: string, provider: HttpProvider): URL {
  const url = URL.canParse(base) ? new URL(base) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw refuse(
      url === null && !base.includes('@') ? `baseURL is ${JSON.stringify(base)}.` : 'baseURL is no http or https URL.',
      `baseURL is an http or https URL that ends before ${provider.path}, such as '${provider.baseURL}'.`,
    );
  if (url.username !== '' || url.password !== '')
    throw refuse('baseURL holds a user name or password.', 'Put credentials into apiKey or headers.');
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${provider.path}`;
  url.hash = '';
  return url;
}

/** `Headers` throws on what cannot be sent. Its message would show the value, so that it is not passed on. */
function readHeaders(apiKey: string, given: Readonly<Record<string, string>>, provider: HttpProvider): Headers {
  // `identity`: a proxy that compresses a stream holds its pieces back.
  const headers = new Headers({ 'content-type': 'application/json', 'accept-encoding': 'identity' });
  for (const [name, value] of Object.entries(provider.headers ?? {})) headers.set(name, value);
  if (apiKey !== '') setHeader(headers, provider.keyHeader(apiKey), 'apiKey');
  for (const header of Object.entries(given)) setHeader(headers, header, `headers[${JSON.stringify(header[0])}]`);
  return headers;
}

function setHeader(headers: Headers, [name, value]: readonly [name: string, value: string], field: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw refuse(
      `${field} cannot be sent as an HTTP header.`,
      'Header names are ASCII words; values hold no line break and no character beyond Latin-1.',
    );
  }
}

/** The values of headers, and of a query, that carry credentials, whole and without their scheme word. */
function secretsIn(pairs: readonly (readonly [name: string, value: string])[]): readonly string[] {
  return pairs
    .filter(([name]) => /auth|key|token|secret|cookie/i.test(name))
    .flatMap(([, value]) => [value.trim(), value.trim().split(' ').at(-1) ?? '']);
}
