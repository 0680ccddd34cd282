/** What stands between a run and an inspector in these tests: real sockets on loopback, and programs of their own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';

export interface Relay {
  readonly url: string;
  /** Connections in the order in which they came. */
  readonly sockets: readonly WebSocket[];
  close(): Promise<void>;
}

/** Hands each message on to all others, as the server of @statelyai/inspect does. `behave` is what it does beside that. */
export async function relay(behave: (socket: WebSocket) => void = () => {}, port = 0): Promise<Relay> {
  const http = createServer();
  const server = new WebSocketServer({ server: http });
  const sockets: WebSocket[] = [];
  server.on('connection', (socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('message', (data) => {
      for (const other of server.clients) if (other !== socket) other.send(data.toString());
    });
    behave(socket);
  });
  http.listen(port, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `ws://127.0.0.1:${portOf(http.address())}`,
    sockets,
    close: async () => {
      for (const client of server.clients) client.terminate();
      http.close();
      await once(http, 'close');
    },
  };
}

/** One that was free a moment ago. */
export async function freePort(): Promise<number> {
  const http = createServer().listen(0, '127.0.0.1');
  await once(http, 'listening');
  const port = portOf(http.address());
  http.close();
  await once(http, 'close');
  return port;
}

function portOf(address: unknown): number {
  if (typeof address === 'object' && address !== null && 'port' in address) return Number(address.port);
  throw new Error('The server does not listen.');
}

/** Waits until the check holds; what it says last is the failure. */
export const eventually = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 10 });

export interface Program {
  readonly lines: readonly unknown[];
  readonly stderr: () => string;
  write(line: string): void;
  stop(): Promise<void>;
  /** Its exit code. */
  readonly ended: Promise<number | null>;
}

/** A program whose output is a line of JSON each. */
export function program(inputs: readonly string[]): Program {
  const child = spawn(process.execPath, inputs, { stdio: 'pipe' });
  const lines: unknown[] = [];
  let open = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const [last = '', ...whole] = (open + text).split('\n').reverse();
    open = last;
    lines.push(...whole.reverse().map((line): unknown => JSON.parse(line)));
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<number | null>((settle) => child.on('close', settle));
  return {
    lines,
    stderr: () => stderr,
    write: (line) => child.stdin.write(`${line}\n`),
    stop: async () => {
      child.kill();
      await ended;
    },
    ended,
  };
}
