/**
 * A way through a proxy: `CONNECT`, then the bytes of the server. What fails here names the proxy, without its credentials.
 * Source: RFC 9110, 9.3.6
 */
import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { Socket } from 'node:net';
import { messageOf } from '../../core/message-of.ts';
import type { HttpProxy } from './proxy.ts';

/** What is thrown where the proxy is to blame. `status` is its answer, null where it could not be reached. */
export interface ProxyError extends Error {
  readonly proxy: string;
  readonly status: number | null;
}

/** `target`: host and port. `done` is called once; what is returned gives up, and `done` is told that. */
export function openTunnel(proxy: HttpProxy, target: string, done: (error: Error | null, socket?: Socket) => void) {
  const { hostname, port, secure, authorization } = proxy;
  const headers = { host: target, ...(authorization === null ? {} : { 'proxy-authorization': authorization }) };
  const request = secure ? requestSecure : requestPlain;
  // `agent: false`: the connection is the tunnel, and nobody else's.
  const asked = request({ method: 'CONNECT', hostname, port, path: target, headers, agent: false });
  asked.once('connect', ({ statusCode = 0 }, socket: Socket, head) => {
    if (statusCode < 200 || statusCode >= 300) {
      socket.destroy();
      return done(proxyRefusal(proxy, statusCode));
    }
    if (head.length > 0) socket.unshift(head);
    done(null, socket);
  });
  asked.on('error', (thrown) => done(proxyError(proxy, `the proxy ${proxy.origin} cannot be reached`, thrown)));
  asked.end();
  return () => asked.destroy();
}

export function proxyRefusal({ origin }: HttpProxy, status: number): ProxyError {
  const message = `the proxy ${origin} answered ${status}`;
  return Object.assign(new Error(message), { proxy: origin, status, code: 'PROXY_REFUSED' });
}

function proxyError({ origin }: HttpProxy, message: string, thrown: Error): ProxyError {
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  const error = new Error(`${message}: ${messageOf(thrown)}`, { cause: thrown });
  return Object.assign(error, { proxy: origin, status: null, code });
}

export function isProxyError(thrown: unknown): thrown is ProxyError {
  return thrown instanceof Error && 'proxy' in thrown && 'status' in thrown;
}
