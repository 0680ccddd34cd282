/**
 * Which proxy a server is asked through: of the option, else of the environment, read once when the model is created. The
 * names are those that other programs heed (`https_proxy`, `http_proxy`, `no_proxy`, also in capitals; the small ones win).
 * Source: https://curl.se/docs/manpage.html (Environment), https://pkg.go.dev/golang.org/x/net/http/httpproxy
 */
import { AgentError } from '../../core/errors.ts';

export interface HttpProxy {
  /** Without credentials: this may be shown. */
  readonly origin: string;
  readonly hostname: string;
  readonly port: number;
  readonly secure: boolean;
  /** The value of `proxy-authorization`; null without credentials. */
  readonly authorization: string | null;
}

export interface FoundProxy {
  readonly proxy: HttpProxy | null;
  readonly secrets: readonly string[];
}

const none: FoundProxy = Object.freeze({ proxy: null, secrets: [] });

/**
 * `option`: a URL is used for every host, false for none; without it the environment decides. Throws an AgentError that names
 * the option or the variable and does not show its value.
 */
export function findProxy(option: unknown, target: URL): FoundProxy {
  if (option === false) return none;
  if (option !== undefined) return readProxy('proxy', option);
  const scheme = target.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const [name, value] = variable(scheme);
  if (value.trim() === '' || isLoopback(target.hostname)) return none;
  return isExcepted(target, variable('no_proxy')[1]) ? none : readProxy(name, value);
}

function variable(name: string): readonly [name: string, value: string] {
  const capitals = name.toUpperCase();
  const small = process.env[name];
  return small === undefined ? [capitals, process.env[capitals] ?? ''] : [name, small];
}

function readProxy(from: string, value: unknown): FoundProxy {
  const text = typeof value === 'string' ? value.trim() : '';
  // As curl does: a host and a port alone are a proxy that is spoken to in plain HTTP.
  const full = /^[a-z][a-z\d+.-]{0,20}:\/\//i.test(text) ? text : `http://${text}`;
  const url = text !== '' && URL.canParse(full) ? new URL(full) : null;
  const plain = url?.protocol === 'http:';
  if (url === null || (!plain && url.protocol !== 'https:'))
    throw new AgentError('invalid_option', `${from} is no http or https URL of a proxy.`, {
      hint: `${from} is a URL such as http://proxy.example:3128${from === 'proxy' ? ', or false for none' : ''}.`,
    });
  const user = decoded(url.username);
  const password = decoded(url.password);
  const token = Buffer.from(`${user}:${password}`).toString('base64');
  const hasUser = url.username !== '' || url.password !== '';
  return {
    proxy: {
      origin: url.origin,
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port) || (plain ? 80 : 443),
      secure: !plain,
      authorization: hasUser ? `Basic ${token}` : null,
    },
    secrets: hasUser ? secretsOf(url, token) : [],
  };
}

/** As they stand and decoded. A user's name without a password is the credential itself. */
function secretsOf({ username, password }: URL, token: string): readonly string[] {
  const secret = password === '' ? username : password;
  return [secret, decoded(secret), token];
}

/** As it stands where it is no percent-encoding. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A proxy elsewhere could not reach what is meant here. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\./.test(hostname);
}

/** `list`: hosts and the domains below them, with or without a port, between commas or spaces; `*` for all. No address ranges. */
function isExcepted({ hostname, port, protocol }: URL, list: string): boolean {
  const targetPort = port || (protocol === 'https:' ? '443' : '80');
  return list.split(/[,\s]/).some((entry) => {
    if (entry === '*') return true;
    if (hostname === addressIn(entry)) return true;
    const [, host = '', only] = /^(\[[^\]]{0,50}\]|[^:]{1,255})(?::(\d{1,5}))?$/.exec(entry) ?? [];
    if (only !== undefined && only !== targetPort) return false;
    const name = host.toLowerCase().replace(/^\*?\./, '');
    return name !== '' && (hostname === name || hostname.endsWith(`.${name}`));
  });
}

/** An address of IPv6 that stands without its brackets, as a URL has it. */
function addressIn(entry: string): string | null {
  if (!/^[\da-f:.]{2,45}$/i.test(entry) || (!entry.includes('::') && entry.split(':').length !== 8)) return null;
  const url = `http://[${entry}]`;
  return URL.canParse(url) ? new URL(url).hostname : null;
}
