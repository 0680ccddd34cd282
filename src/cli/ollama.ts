/** Whether Ollama runs, and with which models. Source: https://github.com/ollama/ollama/blob/main/docs/faq.md */
import { ollamaTags } from './schemas.ts';

export interface Ollama {
  /** Such as `http://127.0.0.1:11434`. */
  readonly origin: string;
  /** May be empty. */
  readonly models: readonly string[];
}

const probeMs = 500;

/** Null where nothing answers in time, or what answers is not Ollama. */
export async function findOllama(host: string | undefined): Promise<Ollama | null> {
  const origin = ollamaOrigin(host);
  if (origin === null) return null;
  try {
    const reply = await fetch(`${origin}/api/tags`, { signal: AbortSignal.timeout(probeMs) });
    const { models } = ollamaTags.parse(await reply.json());
    return { origin, models: models.map(({ name }) => name) };
  } catch {
    return null;
  }
}

/**
 * OLLAMA_HOST as Ollama reads it: `host:port`, `host`, `:port` or a URL. The port is 11434 unless a scheme gives
 * another one, and a server that listens on all addresses is asked on the loopback. Null where it is none of these.
 */
export function ollamaOrigin(host = ''): string | null {
  const scheme = /^https?:\/\//i.exec(host)?.[0] ?? '';
  const [authority = ''] = host.slice(scheme.length).split('/');
  const [, name = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(authority) ?? [null, null, null];
  if (name === null) return null;
  const usual = scheme === '' ? ':11434' : '';
  const reached = name === '' || name === '0.0.0.0' || name === '[::]' ? '127.0.0.1' : name;
  const text = `${scheme || 'http://'}${reached}${port === undefined ? usual : `:${port}`}`;
  return URL.canParse(text) ? text : null;
}
