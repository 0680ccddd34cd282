/** Sends one POST and hands back its bytes. The only file that imports undici; it knows nothing of models. */
import { Agent, buildConnector, type Dispatcher, request } from 'undici';
import { type Connections, createConnections } from './connections.ts';
import { decoded } from './decode.ts';
import type { HttpSettings } from './options.ts';
import { proxyRefusal } from './tunnel.ts';

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
const pooled = Object.freeze({
  /** Idle connections do not keep a process alive (undici unrefs them); this only bounds how stale one may be. */
  keepAliveMs: 4_000,
  perOrigin: 256,
});

export function openHttp(settings: HttpSettings<Dispatcher>): Http {
  const { url, pool, proxy, timeouts } = settings;
  // A proxy is asked for plain HTTP by the whole URL, as every proxy allows; for the rest it is only a way.
  const forwarder = proxy !== null && url.protocol === 'http:' ? proxy : null;
  const connections = createConnections(buildConnector({ timeout: 0 }), {
    tunnel: forwarder === null ? proxy : null,
    connectMs: timeouts.connectMs,
  });
  const dispatcher = pool ?? openAgent(connections);
  const headers = {
    ...settings.headers,
    ...(forwarder === null ? {} : { host: url.host }),
    ...(forwarder?.authorization ? { 'proxy-authorization': forwarder.authorization } : {}),
  };
  const send = (options: SendOptions) =>
    forwarder === null
      ? request(url, { ...options, dispatcher })
      : dispatcher.request({ ...options, origin: forwarder.origin, path: url.href });
  let waiting = 0;
  return {
    async post(body, signal) {
      waiting++;
      try {
        // undici gives a connection back one turn after its reply ended; asked earlier, it would open another one.
        await new Promise((resolve) => setImmediate(resolve));
        const reply = await untilAborted(send({ method: 'POST', headers, body, signal, ...noLimits }), signal);
        if (forwarder !== null && reply.statusCode === 407) {
          reply.body.on('error', () => {}).destroy();
          throw proxyRefusal(forwarder, 407);
        }
        return replyOf(reply);
      } finally {
        waiting--;
        if (waiting === 0) connections.giveUp();
      }
    },
    async close() {
      // In this order: whoever waits for a connection is told that the model was closed.
      const destroyed = pool === undefined ? dispatcher.destroy() : null;
      connections.giveUp();
      await destroyed;
    },
  };
}

/** undici heeds the signal of a request only from when there is a connection on; nobody is to wait so long. */
function untilAborted(asked: Promise<Dispatcher.ResponseData>, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    asked.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

type SendOptions = Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body' | 'signal'> & typeof noLimits;

/** Limits of 0 are none: between undici's and the loop's own limits the stricter would win, and blame the network. */
const noLimits = Object.freeze({ headersTimeout: 0, bodyTimeout: 0 });

function openAgent({ connect }: Connections<buildConnector.Options>): Agent {
  return new Agent({
    connections: pooled.perOrigin,
    keepAliveTimeout: pooled.keepAliveMs,
    keepAliveMaxTimeout: pooled.keepAliveMs,
    connect,
  });
}

function replyOf({ statusCode: status, headers: given, body }: Dispatcher.ResponseData): HttpReply {
  const headers = headersOf(given);
  const encoding = headers.get('content-encoding') ?? '';
  return { status, headers, bytes: decoded(body, encoding) ?? unreadable(body, encoding) };
}

/** Throws when it is read: what cannot be decoded is a reply all the same, whose status tells something. */
async function* unreadable(body: Dispatcher.ResponseData['body'], encoding: string): AsyncGenerator<Uint8Array> {
  body.on('error', () => {}).destroy();
  const message = `it is encoded as ${encoding}, and only gzip, deflate and br can be read`;
  throw Object.assign(new Error(message), { code: 'UNKNOWN_ENCODING' });
}

function headersOf(headers: Dispatcher.ResponseData['headers']): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    const first = typeof value === 'object' ? value[0] : value;
    if (first !== undefined) found.set(name.toLowerCase(), first);
  }
  return found;
}
