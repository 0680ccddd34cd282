/** Sends one POST and hands back its bytes. The only file that imports undici; it knows nothing of models. */
import { Agent, type Dispatcher, request } from 'undici';

export interface HttpReply {
  readonly status: number;
  readonly contentType: string;
  /** The `retry-after` header as it came. */
  readonly retryAfter: string | null;
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

/** What may go wrong with sockets is bounded here; how long a reply may take is the business of the loop. */
const connections = Object.freeze({
  connectTimeoutMs: 10_000,
  /** Idle connections do not keep a process alive (undici unrefs them); this only bounds how stale one may be. */
  keepAliveMs: 4_000,
  perOrigin: 256,
});

export function openHttp(url: URL, headers: Readonly<Record<string, string>>, pool: Dispatcher | undefined): Http {
  const dispatcher = pool ?? openAgent();
  return {
    async post(body, signal) {
      // undici gives a connection back one turn after its reply ended; asked earlier, it would open another one.
      await new Promise((resolve) => setImmediate(resolve));
      // Limits of 0 are none: between them and the loop's own limits the stricter would win, and blame the network.
      const timeouts = { headersTimeout: 0, bodyTimeout: 0 };
      const reply = await request(url, { method: 'POST', headers, body, signal, dispatcher, ...timeouts });
      return {
        status: reply.statusCode,
        contentType: headerOf(reply.headers['content-type']) ?? '',
        retryAfter: headerOf(reply.headers['retry-after']),
        bytes: reply.body,
      };
    },
    async close() {
      if (pool === undefined) await dispatcher.destroy();
    },
  };
}

function openAgent(): Agent {
  return new Agent({
    connections: connections.perOrigin,
    keepAliveTimeout: connections.keepAliveMs,
    keepAliveMaxTimeout: connections.keepAliveMs,
    connect: { timeout: connections.connectTimeoutMs },
  });
}

function headerOf(value: string | readonly string[] | undefined): string | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? value : (value[0] ?? null);
}
