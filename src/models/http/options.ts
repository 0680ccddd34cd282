/** Reads what all adapters over HTTP take from the user and the environment, once, when the model is created. */
import { AgentError } from '../../core/errors.ts';
import { isJsonObject } from '../../core/json.ts';
import { chooseKey, type KeyOwner } from './key.ts';
import { findProxy, type HttpProxy } from './proxy.ts';
import { secretsInHeaders, secretsInQuery } from './secrets.ts';
import { type GivenTimeouts, type HttpTimeouts, readHttpTimeouts } from './time-limits.ts';

export interface HttpOptions<Pool = unknown> {
  /** Where the server is found. A query is kept. Default: the provider's variable of the environment, then its own URL. */
  readonly baseURL?: string | undefined;
  /**
   * `''` sends none. Default: the provider's variable of the environment, but only to the server that the environment names, or
   * else to the provider's own, and only where `headers` bring no credential.
   */
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
  /** The function that took them, such as `openai`. */
  readonly where: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** What to do where the server refuses the key, or that there is none. */
  readonly keyHint: string;
  readonly timeouts: HttpTimeouts;
  readonly proxy: HttpProxy | null;
  readonly pool: Pool | undefined;
  readonly secrets: readonly string[];
}

/** What is the provider's own. Its `baseURL` is also the example in messages. */
export interface HttpProvider extends KeyOwner {
  /** What is asked below the base URL, such as `/chat/completions`. */
  readonly path: string;
  /** The header that carries the key, such as `authorization: Bearer KEY`. */
  readonly keyHeader: (apiKey: string) => readonly [name: string, value: string];
  /** Sent with every request where the user gives no other. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The names of `HttpOptions`. */
export const httpOptionNames = Object.freeze(['baseURL', 'apiKey', 'headers', 'timeouts', 'proxy', 'pool'] as const);

/** `where`: the function that takes them, such as `openai`. Throws an AgentError (`invalid_option`) that names the option and shows no secret. */
export function readHttpOptions<Pool>(
  where: string,
  options: HttpOptions<Pool>,
  provider: HttpProvider,
): HttpSettings<Pool> {
  const { headers: given = {}, pool } = options;
  checkKinds(options.apiKey, given);
  const base = options.baseURL ?? (process.env[provider.baseURLName]?.trim() || provider.baseURL);
  const url = readUrl(base, options.baseURL === undefined ? provider.baseURLName : 'baseURL', provider);
  const { apiKey, keyHint } = chooseKey(options, url, provider);
  const headers = readHeaders(apiKey, given, provider);
  if (pool !== undefined && typeof options.proxy === 'string')
    throw refuse('proxy and pool are given both.', 'Give one: a pool of your own has its own way to the server.');
  const { proxy, secrets } = findProxy(pool === undefined ? options.proxy : false, url);
  const all = [apiKey, ...secrets, ...secretsInHeaders(given), ...secretsInQuery(url)];
  return {
    where,
    url,
    headers: Object.fromEntries(headers),
    keyHint,
    timeouts: readHttpTimeouts(options.timeouts),
    proxy,
    pool,
    secrets: all.filter((secret) => secret !== ''),
  };
}

/** In JavaScript anything can be given. */
function checkKinds(apiKey: unknown, headers: unknown): void {
  if (apiKey !== undefined && typeof apiKey !== 'string') throw refuse('apiKey is no text.', 'apiKey is a text.');
  const isRecord = isJsonObject(headers) && !(headers instanceof Headers);
  if (!isRecord || Object.values(headers).some((value) => typeof value !== 'string'))
    throw refuse('headers is no plain object of texts.', "headers is an object such as { 'x-team': 'search' }.");
}

/** The server's name of a model; what else an adapter wants is its own business. */
export function readModelName(model: unknown, example: string): string {
  if (typeof model === 'string' && model.trim() !== '') return model;
  throw refuse(`model is ${JSON.stringify(model)}.`, `model is the server's name of a model, such as '${example}'.`);
}

export function refuse(message: string, hint: string): AgentError {
  return new AgentError('invalid_option', message, { hint });
}

/** `from`: the option or the variable. The text itself is not shown where it may hold a password. */
function readUrl(base: unknown, from: string, provider: HttpProvider): URL {
  const text = typeof base === 'string' ? base : '';
  const url = URL.canParse(text) ? new URL(text) : null;
  const isShown = url === null && !text.includes('@') && from === 'baseURL';
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw refuse(
      isShown ? `${from} is ${JSON.stringify(base)}.` : `${from} is no http or https URL.`,
      `${from} is an http or https URL that ends before ${provider.path}, such as '${provider.baseURL}'.`,
    );
  if (url.username !== '' || url.password !== '')
    throw refuse(`${from} holds a user name or password.`, 'Put credentials into apiKey or headers.');
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
