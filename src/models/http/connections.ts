/**
 * How connections are made: within a limit of time that counts all of it (names, proxy, TLS), and given up when nobody waits
 * for one any more. undici's own limit begins anew behind a proxy, and it goes on connecting for a request that was aborted.
 */
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { HttpProxy } from './proxy.ts';
import { after } from './timer.ts';
import { openTunnel } from './tunnel.ts';

/** As undici calls what connects, and is called back. */
export interface ConnectOptions {
  readonly hostname: string;
  readonly protocol: string;
  readonly port: string;
}
export type Connected = (...result: [error: null, socket: Socket | TLSSocket] | [error: Error, socket: null]) => void;
export type Connect<Options> = (options: Options, connected: Connected) => void;

export interface Connections<Options> {
  readonly connect: Connect<Options>;
  /** Gives up what is still being connected. */
  giveUp(): void;
}

/** `direct` connects without a proxy, or makes TLS of a socket that is there already. */
export function createConnections<Options extends ConnectOptions>(
  direct: (options: Options & { readonly httpSocket?: Socket }, connected: Connected) => unknown,
  { tunnel, connectMs }: { readonly tunnel: HttpProxy | null; readonly connectMs: number },
): Connections<Options> {
  const open = new Set<(error: Error) => void>();

  function connect(options: Options, connected: Connected): void {
    let over = false;
    let abandon = () => {};
    let clear = () => {};
    const settle: Connected = (error, socket) => {
      // What comes after the end is not wanted any more.
      if (over) return void socket?.destroy();
      over = true;
      clear();
      open.delete(stop);
      if (error === null) connected(null, socket);
      else connected(error, null);
    };
    const stop = (error: Error) => {
      settle(error, null);
      abandon();
    };
    open.add(stop);
    clear = after(connectMs, () => stop(passedLimit(connectMs)));
    if (over) return;
    const connectDirectly = (more: Options & { readonly httpSocket?: Socket }) => {
      const socket = direct(more, settle);
      abandon = () => void (isDestroyable(socket) && socket.destroy());
    };
    if (tunnel === null) return connectDirectly(options);
    abandon = openTunnel(tunnel, authorityOf(options), (error, socket) => {
      if (error !== null || socket === undefined) return settle(error ?? new Error('no socket'), null);
      if (over) return void socket.destroy();
      if (options.protocol === 'https:') connectDirectly({ ...options, httpSocket: socket });
      else settle(null, socket);
    });
  }

  return {
    connect,
    giveUp() {
      for (const stop of open) stop(new Error('nobody waits for the connection any more'));
    },
  };
}

function passedLimit(connectMs: number): Error {
  const message = `no connection came about within timeouts.connectMs, ${connectMs} ms`;
  return Object.assign(new Error(message), { code: 'CONNECT_LIMIT' });
}

function isDestroyable(value: unknown): value is { destroy(): unknown } {
  return typeof value === 'object' && value !== null && 'destroy' in value && typeof value.destroy === 'function';
}

function authorityOf({ hostname, protocol, port }: ConnectOptions): string {
  const host = hostname.includes(':') && !hostname.startsWith('[') ? `[${hostname}]` : hostname;
  return `${host}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
