/**
 * WebSockets for Node 20, which has none. The only file that loads ws, and not before a socket is needed: who has one of the
 * two inspectors has it too. No socket made here keeps the process alive.
 */
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { type AddressInfo, connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type * as Ws from 'ws';
import { AgentError } from '../../core/errors.ts';
import type { WebSocketLike } from './link.ts';
import type { PeerServer } from './peers.ts';

/** Throws AgentError (`invalid_option`) where ws is missing. `who` needs it; `instead` is what to do without it. */
export function loadWs(who: string, instead: string): typeof Ws {
  const require = createRequire(import.meta.url);
  try {
    return require('ws');
  } catch (thrown) {
    throw new AgentError('invalid_option', `${who} needs the package ws, which cannot be loaded.`, {
      hint: `Install it beside fuseloop: npm install ws@8. ${instead}`,
      cause: thrown,
    });
  }
}

/** Throws where the address cannot be used at all. */
export function openSocket({ WebSocket }: typeof Ws, url: string): WebSocketLike {
  return new WebSocket(url, {
    perMessageDeflate: false,
    handshakeTimeout: 10_000,
    maxPayload: mostReceivedBytes,
    createConnection: () => connectTo(new URL(url)).unref(),
  });
}

const mostReceivedBytes = 2 ** 20;

function connectTo({ protocol, hostname, port }: URL): Socket {
  const host = hostname.replace(/^\[|\]$/g, ''); // [::1]
  if (protocol !== 'wss:') return connectTcp({ host, port: Number(port || 80) });
  return connectTls({ host, port: Number(port || 443), servername: isIP(host) === 0 ? host : '' });
}

export interface ServeOptions {
  /** 0 for any that is free. */
  readonly port: number;
  readonly host: string;
  /** Of the page that asks, or null where it is no page. */
  readonly allows: (origin: string | null) => boolean;
}

export interface Served {
  readonly server: PeerServer;
  /** Rejects with AgentError where the port cannot be had. */
  readonly ready: Promise<number>;
  close(): Promise<void>;
}

export function serveSockets({ WebSocketServer }: typeof Ws, { port, host, allows }: ServeOptions): Served {
  const http = createServer((_request, response) => {
    response.writeHead(426, { 'Content-Type': 'text/plain' }).end('A WebSocket is served here.\n');
  });
  http.on('connection', (socket: Socket) => socket.unref());
  http.unref();
  const server = new WebSocketServer({
    server: http,
    perMessageDeflate: false,
    maxPayload: mostReceivedBytes,
    verifyClient: ({ origin }: { readonly origin?: string }) => allows(origin ?? null),
  });
  server.on('error', () => {}); // the promise tells of it
  const ready = new Promise<number>((settle, refuse) => {
    http.once('listening', () => settle(portOf(http.address())));
    http.on('error', (thrown) => refuse(noPort(host, port, thrown)));
  });
  ready.catch(() => {}); // who does not wait for it does without
  http.listen(port, host);
  http.unref();
  return {
    server,
    ready,
    close: async () => {
      for (const client of server.clients) client.terminate();
      server.close();
      http.closeAllConnections();
      await new Promise<void>((settle) => http.close(() => settle()));
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function noPort(host: string, port: number, thrown: Error): AgentError {
  return new AgentError('invalid_option', `xstateInspectBridge cannot listen on ${host}:${port}: ${thrown.message}`, {
    hint: 'Give it another port, or port: 0 for any that is free.',
    cause: thrown,
  });
}
