/**
 * A proxy on the loopback for tests: `CONNECT`, and requests with a whole URL. It knows every host: whatever is asked for, it
 * asks on the loopback, at the same port.
 */
import { createServer, request } from 'node:http';
import { connect, type Socket } from 'node:net';

export interface ProxyServer {
  /** Up to the port. */
  readonly origin: string;
  /** The method and the target of each request, such as `CONNECT models.test:443`. */
  readonly seen: readonly string[];
  close(): Promise<void>;
}

export interface ProxyOptions {
  /** `user:password`: others are refused with 407. */
  readonly credentials?: string;
  /** Refuses everybody. */
  readonly status?: number;
  /** Takes connections and says nothing. */
  readonly silent?: true;
}

export async function startProxyServer({ credentials, status, silent }: ProxyOptions = {}): Promise<ProxyServer> {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const wanted = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
  const refusal = (given: string | undefined) => status ?? (given === wanted ? null : 407);
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };

  const server = createServer((incoming, response) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    const refused = refusal(incoming.headers['proxy-authorization']);
    if (silent) return;
    if (refused !== null) return void response.writeHead(refused).end('The proxy says no.');
    const { port, pathname, search } = new URL(incoming.url ?? '');
    const { method, headers } = incoming;
    const asked = request({ port, path: pathname + search, method, headers, host: '127.0.0.1' }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    asked.on('error', () => response.destroy());
    incoming.pipe(asked);
  });
  server.on('connect', ({ url = '', headers }, socket: Socket) => {
    keep(socket);
    seen.push(`CONNECT ${url}`);
    const refused = refusal(headers['proxy-authorization']);
    if (silent) return;
    if (refused !== null) return void socket.end(`HTTP/1.1 ${refused} No\r\ncontent-length: 0\r\n\r\n`);
    const target = connect(Number(url.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    keep(target);
    socket.on('close', () => target.destroy());
    target.on('close', () => socket.destroy());
  });
  server.on('connection', keep);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    seen,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
