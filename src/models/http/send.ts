/** Sends one POST and hands back its bytes. The only file that imports undici; it knows nothing of models. */
import { Agent, type Dispatcher, request } from 'undici';
import type { HttpSettings } from './options.ts';

export interface HttpReply {
  readonly status: number;
  /** By their names in small letters; of a header that came more than once, the first. */
  readonly headers: ReadonlyMap<string, string>;
  /**
   * Throws when the connection breaks. Read to the end, the connection is used again; left before, it is closed.
   */
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface Http {
  /** Rejects where no reply begins: no connection, or `signal` aborted. */
  post(body: string, signal: AbortSignal): Promise<HttpReply>;
  /** Closes the idle connections and breaks off the others. May be called twice. */
  close(): Promise<void>;
}

export type { Dispatcher };

/** What may go wrong with sockets is bounded here; how long a reply may take is the business of `time-limits.ts`. */
const connections = Object.freeze({
  /** Idle connections do not keep a process alive (undici unrefs them); this only bounds how stale one may be. */
  keepAliveMs: 4_000,
  perOrigin: 256,
});

export function openHttp(settings: HttpSettings<Dispatcher>): Http {
  const { url, headers, pool, timeouts } = settings;
  const dispatcher = pool ?? openAgent(timeouts.connectMs);
  return {
    async post(body, signal) {
      // undici gives a connection back one turn after its reply ended; asked earlier, it would open another one.
      await new Promise((resolve) => setImmediate(resolve));
      // Limits of 0 are none: between them and the loop's own limits the stricter would win, and blame the network.
      const noLimits = { headersTimeout: 0, bodyTimeout: 0 };
      const reply = await request(url, { method: 'POST', headers, body, signal, dispatcher, ...noLimits });
      return { status: reply.statusCode, headers: headersOf(reply.headers), bytes: reply.body };
    },
    async close() {
      if (pool === undefined) await dispatcher.destroy();
    },
  };
}

function openAgent(connectMs: number): Agent {
  return new Agent({
    connections: connections.perOrigin,
    keepAliveTimeout: connections.keepAliveMs,
    keepAliveMaxTimeout: connections.keepAliveMs,
    connect: { timeout: connectMs },
  });
}

function headersOf(headers: Dispatcher.ResponseData['headers']): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    const first = typeof value === 'object' ? value[0] : value;
    if (first !== undefined) found.set(name.toLowerCase(), first);
  }
  return found;
}
