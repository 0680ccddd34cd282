/** Connections that do not come about, proxies, and time: one suite for all adapters over HTTP. */
import { getEventListeners } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { AgentError } from '../../src/core/errors.ts';
import type { GivenTimeouts } from '../../src/models/http/time-limits.ts';
import { type ProxyOptions, startProxyServer } from '../support/proxy-server.ts';
import type { ServerAnswer } from '../support/server-answer.ts';
import { collect, lastOf, open, requestOf, textOf } from './asking.ts';
import type { Serve } from './hostile.ts';

const proxyNames = ['http_proxy', 'https_proxy', 'no_proxy'].flatMap((name) => [name, name.toUpperCase()]);

async function proxy(options?: ProxyOptions) {
  const server = await startProxyServer(options);
  onTestFinished(() => server.close());
  return server;
}

interface Silence {
  readonly port: number;
  /** Settle when the first connection is there, and when all that were are gone. */
  opened(): Promise<void>;
  closed(): Promise<void>;
}

/** Takes connections and never says a word. */
async function silence(): Promise<Silence> {
  const sockets = new Set<Socket>();
  const waiting = new Set<() => void>();
  let made = 0;
  const check = () => {
    for (const look of waiting) look();
  };
  const until = (holds: () => boolean) =>
    new Promise<void>((resolve) => {
      waiting.add(() => void (holds() && resolve()));
      check();
    });
  const server = createServer((socket) => {
    made++;
    sockets.add(socket);
    socket
      .on('error', () => {})
      .on('close', () => {
        sockets.delete(socket);
        check();
      });
    // Unread, the end of the connection would never be seen.
    socket.resume();
    check();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    port: address.port,
    opened: () => until(() => made > 0),
    closed: () => until(() => made > 0 && sockets.size === 0),
  };
}

export function hostileConnections(name: string, serve: Serve): void {
  beforeEach(() => {
    for (const variable of proxyNames) vi.stubEnv(variable, undefined);
  });
  afterEach(() => void vi.unstubAllEnvs());

  describe(`${name}: TLS`, () => {
    test.each([true, false])('a certificate that nobody has signed, through a proxy: %s', async (proxied) => {
      const way = proxied ? await proxy() : null;
      const { model, server } = await serve({ text: 'Hi' }, { tls: true, ...(way && { proxy: way.origin }) });
      const last = lastOf(await collect(model.generate(requestOf())));
      expect(last).toMatchObject({
        failure: 'connection',
        message: expect.stringMatching(/self.signed/),
        hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
      });
      expect(last).not.toHaveProperty('retry');
      expect(server.requests).toHaveLength(0);
      expect(way?.seen ?? []).toHaveLength(proxied ? 1 : 0);
      await server.allClosed();
    });
  });

  describe(`${name}: proxies`, () => {
    test('the option: the whole URL is asked for, and connections are used again', async () => {
      const { origin, seen } = await proxy();
      const { model, server } = await serve({ text: 'Hi' }, { proxy: origin });
      for (let count = 1; count <= 3; count++) expect(textOf(await collect(model.generate(requestOf())))).toBe('Hi');
      expect(seen).toEqual(Array(3).fill(expect.stringContaining(`POST ${server.origin}/`)));
      expect(server.requests[0]?.headers.host).toBe(new URL(server.origin).host);
      expect(server.requests[0]?.headers).not.toHaveProperty('proxy-authorization');
    });

    test.each(['http_proxy', 'HTTP_PROXY'])('%s, for a host that only the proxy knows', async (variable) => {
      const { origin, seen } = await proxy();
      vi.stubEnv(variable, origin);
      const { model } = await serve({ text: 'Hi' }, { host: 'models.test' });
      expect(textOf(await collect(model.generate(requestOf())))).toBe('Hi');
      expect(seen).toEqual([expect.stringMatching(/^POST http:\/\/models\.test:/)]);
    });

    test.each(['https_proxy', 'HTTPS_PROXY'])('%s: a tunnel', async (variable) => {
      const { origin, seen } = await proxy();
      vi.stubEnv(variable, origin.replace('http://', ''));
      vi.stubEnv('http_proxy', 'http://wrong.invalid');
      const { model } = await serve({ text: 'Hi' }, { host: 'models.test', tls: true });
      const last = lastOf(await collect(model.generate(requestOf())));
      expect(last).toHaveProperty('message', expect.stringMatching(/self.signed/));
      expect(seen).toEqual([expect.stringMatching(/^CONNECT models\.test:\d+$/)]);
    });

    test.each([
      ['fd00::1', 'fd00::1', false],
      ['fd00:0:0::1', 'fd00::1', false],
      ['a.example,[fd00::1]', 'fd00::1', false],
      ['fd00::2', 'fd00::1', true],
      ['fd00', 'fd00::1', true],
    ])('no_proxy %j and the address [%s]', async (list, host, isAsked) => {
      const { origin, seen } = await proxy({ status: 503 });
      vi.stubEnv('HTTP_PROXY', origin);
      vi.stubEnv('NO_PROXY', list);
      const { model } = await serve({ text: 'Hi' }, { host: `[${host}]`, timeouts: { connectMs: 500 } });
      await collect(model.generate(requestOf()));
      expect(seen.length > 0).toBe(isAsked);
    });

    test.each([
      ['models.test', false],
      ['MODELS.test', false],
      ['test', false],
      ['.test', false],
      ['*.test', false],
      ['*', false],
      ['a.example, test', false],
      ['a.example test', false],
      ['models.test:1', true],
      ['dels.test', true],
      ['a.models.test', true],
      ['10.0.0.0/8', true],
      [',', true],
      ['', true],
    ])('no_proxy %j', async (list, isAsked) => {
      const { origin, seen } = await proxy({ status: 503 });
      vi.stubEnv('HTTP_PROXY', origin);
      vi.stubEnv('NO_PROXY', list);
      const { model } = await serve({ text: 'Hi' }, { host: 'models.test' });
      await collect(model.generate(requestOf()));
      expect(seen.length > 0).toBe(isAsked);
    });

    test('this machine itself is asked directly, unless the option says otherwise; false asks nobody', async () => {
      const { origin, seen } = await proxy();
      vi.stubEnv('HTTP_PROXY', origin);
      const { model } = await serve({ text: 'Hi' });
      expect(textOf(await collect(model.generate(requestOf())))).toBe('Hi');
      const other = await serve({ text: 'Hi' }, { host: 'models.test', proxy: false });
      expect(lastOf(await collect(other.model.generate(requestOf())))).toMatchObject({ failure: 'connection' });
      expect(seen).toEqual([]);
    });

    const url = (origin: string, credentials: string) => origin.replace('://', `://${credentials}@`);

    test.each([
      ['me:hunter2', 'me:hunter2'],
      ['me:', 'me'],
      ['me:hunter 2@', 'me:hunter%202%40'],
    ])('credentials %s', async (credentials, written) => {
      for (const tls of [true, false]) {
        const { origin, seen } = await proxy({ credentials });
        const { model } = await serve({ text: 'Hi' }, { tls, proxy: url(origin, written) });
        const last = lastOf(await collect(model.generate(requestOf())));
        expect(last).toHaveProperty(tls ? 'message' : 'finish', expect.stringMatching(/self.signed|stop/));
        expect(seen).toHaveLength(1);
      }
    });

    const refusals: readonly (readonly [ProxyOptions, boolean])[] = [
      [{ credentials: 'me:hunter3' }, false],
      [{ status: 403 }, false],
      [{ status: 502 }, true],
      [{ status: 503 }, true],
    ];
    test.each(refusals)('refused %j: named without credentials, in both ways', async (options, passes) => {
      for (const tls of [true, false]) {
        const { origin } = await proxy(options);
        const { model, server } = await serve({ text: 'Hi' }, { tls, proxy: url(origin, 'me:hunter2') });
        const last = lastOf(await collect(model.generate(requestOf())));
        expect(last).toMatchObject({ type: 'failed' });
        expect(Object.hasOwn(last ?? {}, 'retry')).toBe(passes);
        expect(JSON.stringify(last)).not.toMatch(/hunter|bWU6/);
        expect(server.requests).toHaveLength(0);
        // Another status than 407 may as well be that of the server itself.
        if (!tls && options.status !== undefined) continue;
        const status = options.status ?? 407;
        expect(last).toMatchObject({
          failure: 'connection',
          message: expect.stringContaining(`the proxy ${origin} answered ${status}`),
          hint: expect.stringContaining('HTTPS_PROXY'),
        });
      }
    });

    test.each([true, false])('nobody listens at the proxy, tls: %s', async (tls) => {
      const gone = await startProxyServer();
      await gone.close();
      const { model } = await serve({ text: 'Hi' }, { tls, proxy: gone.origin });
      const last = lastOf(await collect(model.generate(requestOf())));
      expect(last).toMatchObject({ failure: 'connection', retry: { afterMs: null } });
      if (tls) expect(last).toHaveProperty('message', expect.stringContaining(`the proxy ${gone.origin}`));
    });

    test.each([
      ['proxy', 'socks5://127.0.0.1:1080', undefined],
      ['proxy', 'http://me:hunter2@', undefined],
      ['proxy', '', undefined],
      ['HTTP_PROXY', undefined, 'socks://me:hunter2@proxy.example'],
      ['HTTP_PROXY', undefined, 'http://me:hunter2@a b'],
    ])('%s that is none: named, not shown', async (field, option, value) => {
      vi.stubEnv('HTTP_PROXY', value);
      const made = serve({ text: 'Hi' }, { host: 'models.test', ...(option !== undefined && { proxy: option }) });
      const error: unknown = await made.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(AgentError);
      expect(error).toMatchObject({ code: 'invalid_option', message: expect.stringContaining(field) });
      expect(JSON.stringify(error)).not.toContain('hunter2');
    });
  });

  describe(`${name}: time limits`, () => {
    const dead: readonly (readonly [string, GivenTimeouts, ServerAnswer])[] = [
      ['firstTokenMs', { firstTokenMs: 30 }, { delayMs: 2 ** 30 }],
      ['firstTokenMs', { firstTokenMs: 30 }, { chunks: [], end: 'hang' }],
      ['firstTokenMs', { firstTokenMs: 30 }, { repeat: { text: ': keep-alive\n\n' }, everyMs: 5 }],
      ['firstTokenMs', { firstTokenMs: 0 }, { text: 'Hi', delayMs: 2 ** 30 }],
      ['firstTokenMs', { firstTokenMs: 30 }, { status: 500, chunks: ['Oops'], end: 'hang' }],
      ['totalMs', { totalMs: 40, firstTokenMs: 2 ** 40 }, { delayMs: 2 ** 30 }],
      ['betweenTokensMs', { betweenTokensMs: 30 }, { text: 'Hi', finishReason: null, done: false, end: 'hang' }],
      [
        'betweenTokensMs',
        { betweenTokensMs: 30 },
        { text: 'Hi', finishReason: null, done: false, repeat: { text: ': ping\n\n' }, everyMs: 5 },
      ],
      ['totalMs', { totalMs: 60, betweenTokensMs: 10_000 }, { text: 'x'.repeat(20_000), everyMs: 5 }],
    ];
    test.each(dead)('%s %j', async (limit, timeouts, answer) => {
      const { model, server } = await serve(answer, { timeouts });
      const { signal } = new AbortController();
      const last = lastOf(await collect(model.generate(requestOf({ signal }))));
      const limitMs = Object.entries(timeouts).find(([key]) => key === limit)?.[1];
      expect(last).toMatchObject({
        failure: 'timeout',
        message: expect.stringContaining(`timeouts.${limit}, ${limitMs} ms`),
        retry: { afterMs: null },
      });
      expect(getEventListeners(signal, 'abort')).toHaveLength(0);
      await server.allClosed();
    });

    test('time that the consumer takes is not the server’s', async () => {
      const { model } = await serve(
        { text: 'x'.repeat(100) },
        { timeouts: { betweenTokensMs: 250, firstTokenMs: 5_000 } },
      );
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const events = [];
      for await (const event of model.generate(requestOf())) {
        events.push(event);
        vi.advanceTimersByTime(1_000);
      }
      expect(lastOf(events)).toMatchObject({ type: 'end' });
    });

    test.each([true, false])('connectMs, through a proxy: %s', async (proxied) => {
      const { port, closed } = await silence();
      const where = proxied ? { proxy: `http://127.0.0.1:${port}` } : { port };
      const { model } = await serve({ text: 'Hi' }, { tls: true, timeouts: { connectMs: 50 }, ...where });
      const last = lastOf(await collect(model.generate(requestOf())));
      expect(last).toMatchObject({
        failure: 'timeout',
        message: expect.stringContaining('timeouts.connectMs, 50 ms'),
        retry: { afterMs: null },
      });
      await closed();
    });

    test.each([
      ['abort', true],
      ['abort', false],
      ['return', true],
      ['return', false],
      ['close', true],
      ['close', false],
    ])('%s while connecting, through a proxy: %s: nothing is left', async (how, proxied) => {
      const { port, opened, closed } = await silence();
      const where = proxied ? { proxy: `http://127.0.0.1:${port}` } : { port };
      const { model } = await serve({ text: 'Hi' }, { tls: true, timeouts: { connectMs: 2 ** 30 }, ...where });
      const controller = new AbortController();
      const reply = open(model.generate(requestOf({ signal: controller.signal })));
      const pending = reply.next();
      await opened();
      if (how === 'abort') controller.abort();
      else if (how === 'return') await reply.leave();
      else await model.close();
      await closed();
      expect((await pending).value).toMatchObject({ failure: how === 'close' ? 'refused' : 'aborted' });
      expect((await reply.next()).done).toBe(true);
      expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    });

    test.each([
      ['timeouts', 5],
      ['timeouts', []],
      ['timeouts.totalMs', { totalMs: -1 }],
      ['timeouts.totalMs', { totalMs: Number.NaN }],
      ['timeouts.connectMs', { connectMs: 1.5 }],
      ['timeouts.firstTokenMs', { firstTokenMs: null }],
      ['timeouts.constructor', { constructor: 1 }],
      ['timeouts.total', { total: 1 }],
    ])('%s %j is named', async (field, timeouts) => {
      const made = serve({ text: 'Hi' }, { timeouts: Object(timeouts) === timeouts ? Object(timeouts) : 5 });
      const error: unknown = await made.catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'invalid_option', message: expect.stringContaining(`${field} `) });
    });
  });
}
