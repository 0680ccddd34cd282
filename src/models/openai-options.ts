/** Reads what the user passed to `openai()` and the environment, once, when the model is created. */
import { AgentError } from '../core/errors.ts';

export interface OpenaiOptions<Pool = unknown> {
  /** The model's name as the server knows it, such as `gpt-4o-mini`. */
  readonly model: string;
  /** Where `/chat/completions` is found. Default: OPENAI_BASE_URL, then https://api.openai.com/v1. A query is kept. */
  readonly baseURL?: string | undefined;
  /** Default: OPENAI_API_KEY. Needed for openai.com only; `''` sends none. */
  readonly apiKey?: string | undefined;
  /** Sent with every request; they win over our own. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default true. False asks for the reply in one piece, so that nothing is seen before it is complete. */
  readonly stream?: boolean | undefined;
  /** The body's name for stop sequences, default `stop`; false never sends them. */
  readonly stopParameter?: string | false | undefined;
  /** An undici dispatcher of your own (a proxy, a shared pool). It stays yours: `close()` does not close it. */
  readonly pool?: Pool | undefined;
}

/** The options as they are used: complete, checked, and with all that must never be shown in `secrets`. */
export interface OpenaiSettings {
  readonly model: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly stream: boolean;
  readonly stopParameter: string | false;
  readonly secrets: readonly string[];
}

export function readOptions(options: OpenaiOptions): OpenaiSettings {
  const { model, stream = true, stopParameter = 'stop', headers: given = {} } = options;
  if (typeof model !== 'string' || model.trim() === '')
    throw refuse(`model is ${JSON.stringify(model)}.`, "model is the server's name of a model, such as 'gpt-4o-mini'.");
  if (typeof stream !== 'boolean')
    throw refuse(`stream is ${JSON.stringify(stream)}.`, 'stream is true or false; the default is true.');
  if (stopParameter !== false && (typeof stopParameter !== 'string' || stopParameter === ''))
    throw refuse(
      `stopParameter is ${JSON.stringify(stopParameter)}.`,
      "stopParameter is a name such as 'stop', or false.",
    );
  const url = readUrl(options.baseURL ?? (process.env.OPENAI_BASE_URL || 'https://api.openai.com/v1'));
  const apiKey = (options.apiKey ?? process.env.OPENAI_API_KEY ?? '').trim();
  const headers = readHeaders(apiKey, given);
  if (!headers.has('authorization') && /(^|\.)openai\.com$/.test(url.hostname))
    throw refuse(
      'apiKey is missing.',
      `Set OPENAI_API_KEY or pass apiKey: ${url.hostname} answers nobody without one.`,
    );
  return {
    model,
    url,
    headers: Object.fromEntries(headers),
    stream,
    stopParameter,
    secrets: [apiKey, ...secretsIn(Object.entries(given)), ...secretsIn([...url.searchParams])].filter(
      (secret) => secret !== '',
    ),
  };
}

function refuse(message: string, hint: string): AgentError {
  return new AgentError('invalid_option', message, { hint });
}

/** The text itself is not shown where it may hold a password. */
function readUrl(base: string): URL {
  const url = URL.canParse(base) ? new URL(base) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw refuse(
      url === null && !base.includes('@') ? `baseURL is ${JSON.stringify(base)}.` : 'baseURL is no http or https URL.',
      "baseURL is an http or https URL up to the version, such as 'https://api.openai.com/v1'.",
    );
  if (url.username !== '' || url.password !== '')
    throw refuse('baseURL holds a user name or password.', 'Put credentials into apiKey or headers.');
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`;
  url.hash = '';
  return url;
}

/** `Headers` throws on what cannot be sent. Its message would show the value, so that it is not passed on. */
function readHeaders(apiKey: string, given: Readonly<Record<string, string>>): Headers {
  // Bodies are read as they come: without `identity` a proxy may compress them.
  const headers = new Headers({ 'content-type': 'application/json', 'accept-encoding': 'identity' });
  if (apiKey !== '') setHeader(headers, 'authorization', `Bearer ${apiKey}`, 'apiKey');
  for (const [name, value] of Object.entries(given))
    setHeader(headers, name, value, `headers[${JSON.stringify(name)}]`);
  return headers;
}

function setHeader(headers: Headers, name: string, value: string, field: string): void {
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
