import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startProxyServer } from '../support/proxy-server.ts';
import { certificate } from '../support/self-signed.ts';
import { collect, lastOf, open, readText, requestOf, textOf } from './asking.ts';
import { serve } from './openai-setup.ts';

const endless = { text: 'Thought: wait', finishReason: null, done: false, end: 'hang' } as const;

describe.each([true, false])('stream: %s', (stream) => {
  test('replies one after another share one connection', async () => {
    const { model, server } = await serve({ text: '订单 🙂' }, { stream, seed: 3 });
    for (let count = 1; count <= 10; count++)
      expect(textOf(await collect(model.generate(requestOf())))).toBe('订单 🙂');
    expect([server.requests.length, server.sockets.made]).toEqual([10, 1]);
    expect(server.requests.some((request) => request.closedEarly)).toBe(false);
  });

  test('a refusal keeps the connection', async () => {
    const { model, server } = await serve([{ status: 429, body: 'slow down' }, { text: 'Hi' }], { stream });
    await collect(model.generate(requestOf()));
    expect(textOf(await collect(model.generate(requestOf())))).toBe('Hi');
    expect(server.sockets.made).toBe(1);
  });
});

test('an abort in the middle of a stream closes the connection, and the server sees it', async () => {
  const { model, server } = await serve(endless);
  const controller = new AbortController();
  const reply = open(model.generate(requestOf({ signal: controller.signal })));
  await readText(reply, endless.text.length);
  controller.abort();
  expect((await reply.next()).value).toMatchObject({ type: 'failed', failure: 'aborted' });
  const request = await server.request(1);
  await request.over;
  expect(request.closedEarly).toBe(true);
  await server.allClosed();
});

test('return() in the middle of a stream closes the connection', async () => {
  const { model, server } = await serve(endless);
  for await (const event of model.generate(requestOf())) if (event.type === 'text') break;
  const request = await server.request(1);
  await request.over;
  expect(request.closedEarly).toBe(true);
  await server.allClosed();
});

test('return() before the head of the answer closes the connection', async () => {
  const { model, server } = await serve({ delayMs: 2 ** 30 });
  const reply = open(model.generate(requestOf()));
  const pending = reply.next();
  await server.request(1);
  await reply.leave();
  expect((await pending).value).toMatchObject({ type: 'failed', failure: 'aborted' });
  await server.allClosed();
});

describe.each(['abort', 'return'] as const)('%s', (how) => {
  test('at any event: at most one end mark, nothing thrown, no connection left', async () => {
    const { model, server } = await serve({ text: '订单 failed', reasoning: 'hm', done: true }, { seed: 11 });
    const { length } = await collect(model.generate(requestOf()));
    for (let count = 0; count <= length; count++) {
      const controller = new AbortController();
      const reply = open(model.generate(requestOf({ signal: controller.signal })));
      for (let read = 0; read < count; read++) expect((await reply.next()).done).toBe(false);
      if (how === 'abort') controller.abort();
      else await reply.leave();
      const rest = [await reply.next(), await reply.next(), await reply.next()].filter(({ done }) => !done);
      if (how === 'return' || count === length) expect(rest).toEqual([]);
      else expect(rest.at(-1)?.value).toHaveProperty('type', expect.stringMatching(/failed|end/));
    }
    await model.close();
    await server.allClosed();
  });
});

test('close() breaks off what still streams and leaves no connection', async () => {
  const { model, server } = await serve(endless);
  const reply = open(model.generate(requestOf()));
  await readText(reply, endless.text.length);
  await model.close();
  expect((await reply.next()).value).toMatchObject({ type: 'failed' });
  await server.allClosed();
});

test('a pool of the user is used, and stays open', async () => {
  const pool = new Agent({ connections: 1 });
  onTestFinished(() => pool.destroy());
  const { model, server } = await serve({ text: 'Hi' }, { pool });
  await collect(model.generate(requestOf()));
  await model.close();
  expect(lastOf(await collect(model.generate(requestOf())))).toMatchObject({ type: 'end' });
  expect([server.sockets.made, server.sockets.open]).toEqual([1, 1]);
});

test('a process ends by itself soon after its last reply', async () => {
  const { server } = await serve({ text: 'Hi' });
  const program = `
    import { openai } from './src/models/openai.ts';
    const model = openai({ model: 'm', baseURL: '${server.baseURL}', apiKey: '' });
    const { signal } = new AbortController();
    for (let step = 1; step <= 2; step++) {
      const request = { messages: [], stop: [], maxOutputTokens: 9, temperature: 0, step, signal };
      for await (const event of model.generate(request)) if (event.type === 'end') console.log('end');
    }
    process.stdout.write('last');
    const atMs = performance.now();
    process.on('exit', () => process.stdout.write(' ' + Math.round(performance.now() - atMs)));`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program]);
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  child.stderr.pipe(process.stderr);
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
  expect(output).toMatch(/^end\nend\nlast \d+$/);
  expect(Number(output.split(' ').at(-1))).toBeLessThan(2_000); // Half of the time that a connection is kept.
});

test('through a tunnel, by the environment alone: TLS inside it, one connection for all, and no warning', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fuseloop-'));
  const proxy = await startProxyServer({ credentials: 'me:hunter2' });
  onTestFinished(async () => {
    await proxy.close();
    await rm(folder, { recursive: true });
  });
  const { server } = await serve({ text: 'Hi' }, { tls: true, seed: 3 });
  const port = new URL(server.origin).port;
  await writeFile(join(folder, 'certificate.pem'), certificate);
  const program = `
    import { openai } from './src/models/openai.ts';
    const model = openai({ model: 'm', baseURL: 'https://models.test:${port}/v1', apiKey: '' });
    const { signal } = new AbortController();
    for (let step = 1; step <= 2; step++) {
      const request = { messages: [], stop: [], maxOutputTokens: 9, temperature: 0, step, attempt: 1, signal };
      for await (const event of model.generate(request)) if (event.type !== 'text') console.log(event.type);
    }`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
    env: {
      PATH: process.env.PATH,
      HTTPS_PROXY: proxy.origin.replace('://', '://me:hunter2@'),
      NODE_EXTRA_CA_CERTS: join(folder, 'certificate.pem'),
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += text;
    });
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
  expect(output).toBe('end\nend\n');
  expect(proxy.seen).toEqual([`CONNECT models.test:${port}`]);
  expect(server.requests).toHaveLength(2);
});
