/**
 * A chat completions server on the loopback for tests: it answers from a script, cuts what it sends at random bytes
 * (from a seed, also inside a character or a line), and remembers what it was asked and how each connection ended.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** Either a completion made from `text` and its neighbours, or raw bytes: `body`, `chunks` or `hexChunks`. */
export interface ServerAnswer {
  readonly text?: string;
  readonly reasoning?: string;
  /** Default `stop`; null sends none. */
  readonly finishReason?: string | null;
  /** Sent in a chunk of its own after the finish reason. */
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number };
  /** Whether a stream ends with `[DONE]`. Default true. */
  readonly done?: boolean;
  /** The line end of a stream. */
  readonly eol?: '\n' | '\r\n' | '\r';
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Each is written on its own. */
  readonly chunks?: readonly string[];
  readonly hexChunks?: readonly string[];
  /** After the last byte: end in good order (default), reset the connection, or leave it open. */
  readonly end?: 'close' | 'reset' | 'hang';
  /** Before the head of the answer. */
  readonly delayMs?: number;
}

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

export interface OpenaiServer {
  readonly baseURL: string;
  readonly requests: readonly ServerRequest[];
  /** Connections ever made, and those still open. */
  readonly sockets: { readonly made: number; readonly open: number };
  /** Settles when the `count`-th request is in (from 1). */
  request(count: number): Promise<ServerRequest>;
  /** Settles when no connection is open. */
  allClosed(): Promise<void>;
  close(): Promise<void>;
}

/** A list is used up, one answer a request; after it comes a 500. One answer or a function serves every request. */
export async function startOpenaiServer(script: ServerScript, seed?: number): Promise<OpenaiServer> {
  const requests: Recorded[] = [];
  const sockets = new Set<Socket>();
  const waiting = createWaiting();
  let made = 0;
  const random = seed === undefined ? null : createRandom(seed);

  const server = createServer(async (incoming, response) => {
    const body = await bodyOf(incoming);
    const recorded = record(incoming, response, body);
    requests.push(recorded);
    waiting.check();
    await send(response, answerFor(script, requests.length - 1, body), { recorded, random });
  });
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
    baseURL: `http://127.0.0.1:${portOf(server.address())}/v1`,
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

type Random = (below: number) => number;

async function send(
  response: ServerResponse,
  answer: ServerAnswer,
  { recorded, random }: { readonly recorded: Recorded; readonly random: Random | null },
): Promise<void> {
  if (answer.delayMs !== undefined) await pauseOrClose(response, answer.delayMs);
  const stream = recorded.body.stream === true;
  const contentType = stream && (answer.status ?? 200) === 200 ? 'text/event-stream' : 'application/json';
  response.writeHead(answer.status ?? 200, { 'content-type': contentType, ...answer.headers });
  response.flushHeaders();
  const pieces = bytesOf(answer, stream, random).flatMap((bytes) => (random === null ? [bytes] : cut(bytes, random)));
  for (const piece of pieces) {
    if (response.destroyed) return;
    await write(response, piece);
    recorded.bytesWritten += piece.length;
  }
  if (answer.end === 'reset') response.socket?.resetAndDestroy();
  else if (answer.end !== 'hang') response.end();
}

function pauseOrClose(response: ServerResponse, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs);
    response.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
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

function bytesOf(answer: ServerAnswer, stream: boolean, random: Random | null): readonly Buffer[] {
  if (answer.hexChunks !== undefined) return answer.hexChunks.map((hex) => Buffer.from(hex, 'hex'));
  if (answer.chunks !== undefined) return answer.chunks.map((text) => Buffer.from(text));
  if (answer.body !== undefined) return [Buffer.from(answer.body)];
  return stream ? streamOf(answer, random) : [Buffer.from(documentOf(answer))];
}

function documentOf({ text = '', reasoning, finishReason = 'stop', usage }: ServerAnswer): string {
  const message = { role: 'assistant', content: text, reasoning_content: reasoning };
  return JSON.stringify({
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: finishReason }],
    usage,
  });
}

function streamOf(answer: ServerAnswer, random: Random | null): readonly Buffer[] {
  const { text = '', reasoning, finishReason = 'stop', usage, done = true, eol = '\n' } = answer;
  const documents = [
    chunkOf({ role: 'assistant', content: '' }, null),
    ...(reasoning === undefined ? [] : [chunkOf({ reasoning_content: reasoning }, null)]),
    ...deltas(text, random).map((content) => chunkOf({ content }, null)),
    ...(finishReason === null ? [] : [chunkOf({}, finishReason)]),
    ...(usage === undefined ? [] : [JSON.stringify({ choices: [], usage })]),
    ...(done ? ['[DONE]'] : []),
  ];
  return documents.map((document) => Buffer.from(`data: ${document}${eol}${eol}`));
}

function chunkOf(delta: object, finishReason: string | null): string {
  return JSON.stringify({
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  });
}

/** Tokens of one to six characters. */
function deltas(text: string, random: Random | null): readonly string[] {
  const characters = Array.from(text);
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; ) {
    const end = start + 1 + (random?.(6) ?? 3);
    pieces.push(characters.slice(start, end).join(''));
    start = end;
  }
  return pieces;
}

function cut(bytes: Buffer, random: Random): readonly Buffer[] {
  const pieces: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = start + 1 + random(24);
    pieces.push(bytes.subarray(start, end));
    start = end;
  }
  return pieces;
}

/** mulberry32 (public domain): small, and the same on every machine. */
function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
