import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openai } from '../../src/models/openai.ts';
import { collect, lastOf, requestOf } from './asking.ts';
import { apiKey, serve } from './openai-setup.ts';

const json = (message: string) => JSON.stringify({ error: { message, type: 'invalid_request_error', param: null } });

const statuses: readonly (readonly [number, string, string, string, RegExp])[] = [
  [400, json('maximum context length is 8192 tokens'), 'refused', '400: maximum context length', /context length/],
  [401, json('Incorrect API key provided'), 'refused', '401: Incorrect API key', /OPENAI_API_KEY/],
  [402, 'Payment Required', 'refused', '402: Payment Required', /message/],
  [403, '', 'refused', '403: nothing', /rights/],
  [404, json('The model does not exist'), 'refused', '404: The model does not exist', /test-model.*\/v1/],
  [413, '', 'refused', '413', /too long/],
  [429, json('Rate limit reached'), 'rate_limited', '429: Rate limit reached', /Wait/],
  [500, `<h1>Oops</h1>${'x'.repeat(500)}`, 'refused', '500: <h1>Oops</h1>xxx', /later/],
  [503, json('Overloaded'), 'refused', '503: Overloaded', /later/],
  [302, '', 'refused', '302', /Redirects/],
];

test.each(statuses)('status %i', async (status, body, failure, message, hint) => {
  const { model, server } = await serve({ status, body });
  const events = await collect(model.generate(requestOf()));
  const expected = { message: expect.stringContaining(message), hint: expect.stringMatching(hint) };
  expect(events).toMatchObject([{ type: 'failed', failure, ...expected }]);
  expect(server.requests).toHaveLength(1);
});

test('the body of a failure is quoted to 300 characters and no half character', async () => {
  const { model } = await serve({ status: 500, body: `${'x'.repeat(299)}🙂${'y'.repeat(100_000)}` });
  const last = lastOf(await collect(model.generate(requestOf())));
  expect(last).toHaveProperty('message', expect.stringMatching(/: x{299}…$/));
});

test('a 429 passes on how long to wait', async () => {
  const { model } = await serve({ status: 429, body: '', headers: { 'retry-after': '20' } });
  expect(lastOf(await collect(model.generate(requestOf())))).toHaveProperty('hint', expect.stringContaining('20'));
});

test.each([
  ['the key', { status: 401, body: `Bad key ${apiKey} (Bearer ${apiKey})` }],
  ['a key where the quote is cut', { status: 500, body: `${'x'.repeat(290)}${apiKey}` }],
  ['a key in an error inside a 200', { body: `data: {"error":"${apiKey} is over its quota"}\n\n` }],
  ['a key in something unreadable', { body: `data: ${apiKey}\n\n` }],
  ['a key in base64', { status: 500, body: Buffer.from(apiKey).toString('base64') }],
  ['a key in retry-after', { status: 429, body: '', headers: { 'retry-after': apiKey } }],
  ['a header that is told of', { status: 500, body: '{"headers":{"authorization":"Bearer hunter2"}}' }],
  ['a key in the query', { status: 500, body: 'The key qk-0123456789 is wrong' }],
  ['a header', { status: 403, body: 'The token hunter2-hunter2 is not known' }],
])('never shown: %s', async (_, answer) => {
  const { server } = await serve(answer);
  const baseURL = `${server.baseURL}?api-key=qk-0123456789`;
  const model = openai({ model: 'test-model', apiKey, baseURL, headers: { 'X-Auth': 'Token hunter2-hunter2' } });
  onTestFinished(() => model.close());
  const last = JSON.stringify(lastOf(await collect(model.generate(requestOf()))));
  expect(last).toContain('failed');
  expect(last).not.toMatch(/sk-test|0123|hunter2|c2stdGVzd/);
});

test('the head of the answer never comes: aborted', async () => {
  const { model, server } = await serve({ delayMs: 2 ** 30 });
  const controller = new AbortController();
  const events = collect(model.generate(requestOf({ signal: controller.signal })));
  await server.request(1);
  controller.abort();
  expect(await events).toMatchObject([{ type: 'failed', failure: 'aborted' }]);
  await server.allClosed();
});

test('the body of a refusal never ends: aborted', async () => {
  const { model, server } = await serve({ status: 500, chunks: ['Oops'], end: 'hang' });
  const controller = new AbortController();
  const headIsIn = new Promise<void>((resolve) => {
    const onHead = () => resolve();
    subscribe('undici:request:headers', onHead);
    onTestFinished(() => void unsubscribe('undici:request:headers', onHead));
  });
  const events = collect(model.generate(requestOf({ signal: controller.signal })));
  await headIsIn;
  controller.abort();
  expect(await events).toMatchObject([{ type: 'failed', failure: 'aborted' }]);
  await server.allClosed();
});

/** A port at which something listens that is no HTTP server, or nothing at all. */
async function port(answer: ((write: (text: string) => void) => void) | null): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => (answer === null ? socket.destroy() : answer((text) => socket.end(text))));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => new Promise((resolve) => server.close(resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  if (answer === null) await close();
  else onTestFinished(async () => void (await close()));
  return address.port;
}

test.each([
  ['nobody listens', 'http', null, 'connection', /ECONNREFUSED/, /running/],
  [
    'the answer is no HTTP',
    'http',
    (write: (text: string) => void) => write('SSH-2.0-x\r\n'),
    'unreadable',
    /./,
    /HTTP/,
  ],
  [
    'the connection is closed before the answer',
    'http',
    (write: (text: string) => void) => write(''),
    'connection',
    /closed/,
    /network/,
  ],
  [
    'the answer is no TLS',
    'https',
    (write: (text: string) => void) => write('HTTP/1.1 200 OK\r\n\r\n'),
    'connection',
    /SSL/,
    /http/,
  ],
] as const)('%s', async (_, scheme, answer, failure, message, hint) => {
  const model = openai({ model: 'm', baseURL: `${scheme}://127.0.0.1:${await port(answer)}/v1`, apiKey: '' });
  onTestFinished(() => model.close());
  expect(await collect(model.generate(requestOf()))).toMatchObject([
    { type: 'failed', failure, message: expect.stringMatching(message), hint: expect.stringMatching(hint) },
  ]);
});

test('a host that is not known', async () => {
  const model = openai({ model: 'm', baseURL: 'http://fuseloop.invalid/v1', apiKey: '' });
  onTestFinished(() => model.close());
  expect(await collect(model.generate(requestOf()))).toMatchObject([
    { type: 'failed', failure: 'connection', hint: expect.stringMatching(/host/) },
  ]);
});

test('a closed model says so', async () => {
  const { model } = await serve({ text: 'Hi' });
  await model.close();
  await model.close();
  expect(await collect(model.generate(requestOf()))).toMatchObject([
    { type: 'failed', failure: 'refused', hint: expect.stringMatching(/closed/) },
  ]);
});
