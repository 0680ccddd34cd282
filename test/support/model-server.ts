/**
 * A server of models on the loopback for tests, in the form of whichever provider: it answers from a script, cuts what it
 * sends at random bytes (from a seed, also inside a character or a line), does what servers and proxies do to replies, and
 * remembers what it was asked and how each connection ended.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createRandom, type Random } from './random.ts';
import { certificate, key } from './self-signed.ts';
import { bytesOnWire, type Form, type ServerAnswer } from './server-answer.ts';

export type ServerScript = ServerAnswer | readonly ServerAnswer[] | ((body: RequestBody) => ServerAnswer);

export type RequestBody = Readonly<Record<string, unknown>>;

export interface ServerRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: RequestBody;
  readonly bytesWritten: number;
  /** Whether the client went away before the answer was complete. */
  readonly closedEarly: boolean;
  /** Settles when the answer is out or the client is gone; then the two fields above are final. */
  readonly over: Promise<void>;
}

export interface ModelServer {
  /** Up to the port. */
  readonly origin: string;
  readonly requests: readonly ServerRequest[];
  /** Connections ever made, and those still open. */
  readonly sockets: { readonly made: number; readonly open: number };
  /** Settles when the `count`-th request is in (from 1). */
  request(count: number): Promise<ServerRequest>;
  /** Settles when no connection is open. */
  allClosed(): Promise<void>;
  close(): Promise<void>;
}

export interface ServerOptions {
  /** Without one, nothing is cut. */
  readonly seed?: number | undefined;
  /** With a certificate that nobody has signed. */
  readonly tls?: boolean | undefined;
  /** False: nothing is kept of requests, so that any number of them can be answered. Default true. */
  readonly remembers?: boolean | undefined;
}

/** A list is used up, one answer a request; after it comes a 500. One answer or a function serves every request. */
export async function startModelServer(
  script: ServerScript,
  form: Form,
  { seed, tls = false, remembers = true }: ServerOptions = {},
): Promise<ModelServer> {
  const requests: Recorded[] = [];
  const sockets = new Set<Socket>();
  const waiting = createWaiting();
  let made = 0;
  let asked = 0;
  const random = seed === undefined ? null : createRandom(seed);

  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    // Which models there are: counted neither as a request nor as an answer of the script.
    if (incoming.method === 'GET') return void response.end('{"object":"list","data":[{"id":"first-model"}]}');
    const body = await bodyOf(incoming);
    const recorded = record(incoming, response, body);
    if (remembers) requests.push(recorded);
    waiting.check();
    await send(response, answerFor(script, asked++, body), { form, recorded, random });
  };
  const server = tls ? createSecureServer({ cert: certificate, key }, answer) : createServer(answer);
  // Connections end when the client wants it: a server that hangs up first would hide what is tested.
  server.keepAliveTimeout = 0;
  server.on('connection', (socket) => {
    made++;
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('close', () => {
      sockets.delete(socket);
      waiting.check();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    origin: `${tls ? 'https' : 'http'}://127.0.0.1:${portOf(server.address())}`,
    requests,
    sockets: {
      get made() {
        return made;
      },
      get open() {
        return sockets.size;
      },
    },
    request: (count) => waiting.until(() => requests[count - 1]),
    allClosed: () => waiting.until(() => (sockets.size === 0 ? true : undefined)).then(() => {}),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

/** Promises for a moment when `look` finds something; looked at again on each `check`. */
function createWaiting() {
  let checks: (() => boolean)[] = [];
  return {
    check() {
      checks = checks.filter((isWaiting) => isWaiting());
    },
    until<Value>(look: () => Value | undefined): Promise<Value> {
      return new Promise((resolve) => {
        const isWaiting = () => {
          const value = look();
          if (value !== undefined) resolve(value);
          return value === undefined;
        };
        if (isWaiting()) checks.push(isWaiting);
      });
    },
  };
}

type Recorded = { -readonly [Key in keyof ServerRequest]: ServerRequest[Key] };

function record(incoming: IncomingMessage, response: ServerResponse, body: RequestBody): Recorded {
  const recorded: Recorded = {
    path: incoming.url ?? '',
    headers: incoming.headers,
    body,
    bytesWritten: 0,
    closedEarly: false,
    over: new Promise((resolve) => {
      response.on('close', () => {
        recorded.closedEarly = !response.writableFinished;
        resolve();
      });
    }),
  };
  return recorded;
}

async function bodyOf(incoming: IncomingMessage): Promise<RequestBody> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part);
  const body: unknown = JSON.parse(Buffer.concat(parts).toString());
  if (typeof body !== 'object' || body === null) throw new Error('The body of a request is an object.');
  return { ...body };
}

function answerFor(script: ServerScript, index: number, body: RequestBody): ServerAnswer {
  if (typeof script === 'function') return script(body);
  if (!isList(script)) return script;
  return script[index] ?? { status: 500, body: `The script has only ${script.length} answers.` };
}

function isList(script: ServerAnswer | readonly ServerAnswer[]): script is readonly ServerAnswer[] {
  return Array.isArray(script);
}

async function send(
  response: ServerResponse,
  answer: ServerAnswer,
  { form, recorded, random }: { readonly form: Form; readonly recorded: Recorded; readonly random: Random | null },
): Promise<void> {
  if (answer.delayMs !== undefined) await pauseOrClose(response, answer.delayMs);
  const stream = recorded.body.stream === true;
  const contentType = stream && (answer.status ?? 200) === 200 ? 'text/event-stream' : 'application/json';
  response.writeHead(answer.status ?? 200, {
    'content-type': contentType,
    ...(answer.encoding && { 'content-encoding': answer.encoding }),
    ...answer.headers,
  });
  response.flushHeaders();
  for (const piece of bytesOnWire(answer, form, { stream, random })) {
    if (response.destroyed) return;
    await write(response, piece);
    recorded.bytesWritten += piece.length;
    if (answer.everyMs !== undefined) await pauseOrClose(response, answer.everyMs);
  }
  if (answer.end === 'reset') response.socket?.resetAndDestroy();
  else if (answer.end !== 'hang') response.end();
}

function pauseOrClose(response: ServerResponse, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      response.off('close', over);
      resolve();
    };
    const timer = setTimeout(over, delayMs);
    response.once('close', over);
  });
}

/** Waits until the kernel has the bytes or the client is gone, so that a slow reader slows the answer down. */
function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    response.once('close', resolve);
    response.write(bytes, () => {
      response.off('close', resolve);
      setImmediate(resolve);
    });
  });
}
