/**
 * Which key a server is sent. The environment's key belongs to the server that the environment names, or else to the provider's
 * own: it goes to no other, and never beside a credential of the user's own.
 */
import { AgentError } from '../../core/errors.ts';

/** What of a provider tells whose its key is. */
export interface KeyOwner {
  /** Names in the environment, such as `OPENAI_BASE_URL` and `OPENAI_API_KEY`. */
  readonly baseURLName: string;
  readonly apiKeyName: string;
  /** The provider's own, such as `https://api.openai.com/v1`. */
  readonly baseURL: string;
  /** The domain whose hosts are the provider's own, and answer nobody without a key, such as `openai.com`. */
  readonly keyDomain: string;
}

export interface KeyChoice {
  /** Empty: none is sent. */
  readonly apiKey: string;
  /** What to do where the server refuses the key, or that there is none. */
  readonly keyHint: string;
}

/** As far as it is known here; `pool` and proxies are none of its business. */
export interface KeyOptions {
  readonly apiKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** `url`: what is asked. Throws an AgentError where the provider's own servers would be asked without a key. */
export function chooseKey(options: KeyOptions, url: URL, owner: KeyOwner): KeyChoice {
  const { apiKeyName } = owner;
  const own = Object.keys(options.headers ?? {}).some((name) => credentialHeaders.has(name.toLowerCase()));
  const given = options.apiKey ?? (own ? '' : undefined);
  const ofEnvironment = (process.env[apiKeyName] ?? '').trim();
  const home = homeOf(owner, process.env[owner.baseURLName]);
  const isHome = isAtHome(url, home, owner.keyDomain);
  const apiKey = (given ?? (isHome ? ofEnvironment : '')).trim();
  const isWithheld = given === undefined && !isHome && ofEnvironment !== '';
  const advice = isWithheld
    ? `${apiKeyName} goes to ${home.origin} only. If it is for ${url.origin}, pass apiKey: process.env.${apiKeyName}, or set ${owner.baseURLName} to it.`
    : `Set ${apiKeyName}${isHome ? '' : ` and ${owner.baseURLName}`}, or pass apiKey.`;
  if (apiKey === '' && !own && isOf(owner.keyDomain, url.hostname))
    throw new AgentError('invalid_option', 'apiKey is missing.', {
      hint: `${url.hostname} answers nobody without a key. ${advice}`,
    });
  if (apiKey === '' && !own) return { apiKey, keyHint: `No API key was sent. ${advice}` };
  const from = own ? 'the headers that were given' : `${apiKeyName} or apiKey`;
  return { apiKey, keyHint: `Check the API key (${from}), its rights, and that it belongs to this base URL.` };
}

/** In small letters: what providers and gateways read a key from. */
const credentialHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'api-key',
  'apikey',
  'x-api-key',
  'x-goog-api-key',
  'ocp-apim-subscription-key',
]);

/** Whether the environment's key goes to this server. `named`: the environment's base URL, where it has one. */
export function isKeyFor(url: URL, named: string | undefined, owner: KeyOwner): boolean {
  return isAtHome(url, homeOf(owner, named), owner.keyDomain);
}

function homeOf({ baseURL }: KeyOwner, named: string | undefined): URL {
  const text = named?.trim() || baseURL;
  return new URL(URL.canParse(text) ? text : baseURL);
}

/** The same server, port and scheme; a provider has several hosts, all of them with TLS. */
function isAtHome(url: URL, home: URL, keyDomain: string): boolean {
  if (url.origin === home.origin) return true;
  const isSafe = url.protocol === 'https:' && home.protocol === 'https:';
  return isSafe && isOf(keyDomain, url.hostname) && isOf(keyDomain, home.hostname);
}

function isOf(domain: string, hostname: string): boolean {
  return hostname === domain || hostname.endsWith(`.${domain}`);
}
