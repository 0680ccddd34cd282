import { describe, expect, onTestFinished, test } from 'vitest';
import { anthropic } from '../../src/models/anthropic.ts';
import { sseEvent } from '../support/anthropic-server.ts';
import { startProxyServer } from '../support/proxy-server.ts';
import { apiKey, serve } from './anthropic-setup.ts';
import { collect, lastOf, requestOf, textOf } from './asking.ts';

const json = (type: string, message: string) =>
  JSON.stringify({ type: 'error', error: { type, message }, request_id: 'r' });

const again = { afterMs: null };

/** The status, its body, the failure, and what the hint says; whether another try may succeed. */
const statuses: readonly (readonly [number, string, string, RegExp, object | undefined])[] = [
  [
    400,
    json('invalid_request_error', 'prompt is too long: 208310 tokens > 200000 maximum'),
    'refused',
    /shorter/,
    undefined,
  ],
  [
    400,
    json('invalid_request_error', 'Your credit balance is too low to access the API.'),
    'refused',
    /credit/,
    undefined,
  ],
  [
    400,
    json('invalid_request_error', 'messages: at least one message is required'),
    'refused',
    /message says why/,
    undefined,
  ],
  [401, json('authentication_error', 'invalid x-api-key'), 'refused', /ANTHROPIC_API_KEY/, undefined],
  [402, json('billing_error', 'Payment required'), 'refused', /credit/, undefined],
  [403, json('permission_error', 'No.'), 'refused', /rights/, undefined],
  [404, json('not_found_error', 'model: claude-tset'), 'refused', /model name.*\/v1\/messages/, undefined],
  [413, json('request_too_large', 'Request exceeds the maximum size'), 'refused', /too long/, undefined],
  [429, json('rate_limit_error', 'Number of request tokens has exceeded'), 'rate_limited', /Wait/, again],
  [
    429,
    json('rate_limit_error', 'You have reached your monthly spend limit.'),
    'rate_limited',
    /spend limits/,
    undefined,
  ],
  [500, json('api_error', 'Internal server error'), 'refused', /later/, again],
  [504, json('timeout_error', 'Timed out'), 'refused', /later/, again],
  [529, json('overloaded_error', 'Overloaded'), 'refused', /later/, again],
];

test.each(statuses)('status %i %s', async (status, body, failure, hint, retry) => {
  const { model, server } = await serve({ status, body });
  const [failed, ...more] = await collect(model.generate(requestOf()));
  expect([failed, more]).toMatchObject([{ type: 'failed', failure, hint: expect.stringMatching(hint) }, []]);
  expect(failed?.type === 'failed' && failed.retry).toEqual(retry);
  expect(failed?.type === 'failed' && failed.message).toContain(
    `answered ${status}: ${JSON.parse(body).error.message}`,
  );
  expect(server.requests).toHaveLength(1);
});

describe('how long to wait, where the limits alone say it', () => {
  const date = 'Tue, 01 Jul 2031 12:00:00 GMT';
  const limit = (name: string, remaining: string, reset: string) => ({
    [`anthropic-ratelimit-${name}-limit`]: '100',
    [`anthropic-ratelimit-${name}-remaining`]: remaining,
    [`anthropic-ratelimit-${name}-reset`]: reset,
  });

  test.each([
    ['the one that is used up', limit('requests', '0', '2031-07-01T12:00:07Z'), 7_000],
    ['with an offset', limit('requests', '0', '2031-07-01T14:00:07.250+02:00'), 7_250],
    [
      'another is not',
      { ...limit('input-tokens', '0', '2031-07-01T12:00:07Z'), ...limit('requests', '9', '2031-07-01T12:01:00Z') },
      7_000,
    ],
    [
      'the later of two',
      { ...limit('tokens', '0', '2031-07-01T12:00:07Z'), ...limit('output-tokens', '0', '2031-07-01T12:00:09Z') },
      9_000,
    ],
    ['it is filled by now', limit('requests', '0', '2031-07-01T11:59:00Z'), null],
    ['none is used up', limit('requests', '1', '2031-07-01T12:00:07Z'), null],
    ['no instant', limit('requests', '0', '2031'), null],
    ['no real instant', limit('requests', '0', '2031-77-01T12:00:07Z'), null],
    ['the server says it itself', { ...limit('requests', '0', '2031-07-01T12:00:07Z'), 'retry-after': '3' }, 3_000],
    ['in milliseconds', { ...limit('requests', '0', '2031-07-01T12:00:07Z'), 'retry-after-ms': '350' }, 350],
  ])('%s', async (_, headers, afterMs) => {
    const { model } = await serve({
      status: 429,
      body: json('rate_limit_error', 'No.'),
      headers: { date, ...headers },
    });
    expect(lastOf(await collect(model.generate(requestOf())))).toMatchObject({
      failure: 'rate_limited',
      retry: { afterMs },
    });
  });

  test('of another status they say nothing', async () => {
    const headers = { date, ...limit('requests', '0', '2031-07-01T12:00:07Z') };
    const { model } = await serve({ status: 529, body: json('overloaded_error', 'No.'), headers });
    expect(lastOf(await collect(model.generate(requestOf())))).toMatchObject({ retry: { afterMs: null } });
  });
});

test.each([
  ['the key', { status: 401, body: `Bad key ${apiKey}` }],
  ['a key where the quote is cut', { status: 500, body: `${'x'.repeat(290)}${apiKey}` }],
  ['a key in an error inside a 200', { body: `data: ${json('api_error', `${apiKey} is over its quota`)}\n\n` }],
  ['a key in something unreadable', { body: `data: ${apiKey}\n\n` }],
  ['a key in a stop reason', { finishReason: apiKey }],
  ['a key in base64', { status: 500, body: Buffer.from(apiKey).toString('base64') }],
  ['a key in retry-after', { status: 429, body: '', headers: { 'retry-after': apiKey } }],
  ['a key in the query', { status: 500, body: 'The key qk-0123456789 is wrong' }],
  ['a header', { status: 403, body: 'The token hunter2-hunter2 is not known' }],
])('never shown: %s', async (_, answer) => {
  const { server } = await serve(answer);
  const baseURL = `${server.baseURL}?api-key=qk-0123456789`;
  const model = anthropic({ model: 'm', apiKey, baseURL, headers: { 'X-Auth': 'Token hunter2-hunter2' } });
  onTestFinished(() => model.close());
  const last = JSON.stringify(lastOf(await collect(model.generate(requestOf()))));
  expect(last).toContain('failed');
  expect(last).not.toMatch(/sk-ant|0123|hunter2|c2stYW50/);
});

test('a certificate that nobody has signed', async () => {
  const { model } = await serve({}, { tls: true });
  const last = lastOf(await collect(model.generate(requestOf())));
  expect(last).toMatchObject({ type: 'failed', failure: 'connection', hint: expect.stringContaining('certificate') });
  expect(last).not.toHaveProperty('retry');
});

test('a proxy is asked, with the key in no word of it', async () => {
  const proxy = await startProxyServer();
  onTestFinished(() => proxy.close());
  const { model, server } = await serve({}, { proxy: proxy.origin });
  expect(textOf(await collect(model.generate(requestOf())))).toBe('Hi');
  expect(proxy.seen).toEqual([expect.stringContaining('/v1/messages')]);
  expect(proxy.seen.join()).not.toContain(apiKey);
  expect(server.requests[0]?.headers['x-api-key']).toBe(apiKey);
});

test.each([
  ['pings alone', { repeat: { text: sseEvent({ type: 'ping' }) } }],
  [
    'deltas without text',
    { repeat: { text: sseEvent({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '' } }) } },
  ],
  ['nothing', { chunks: [], end: 'hang' as const }],
])('a reply of %s passes its time', async (_, answer) => {
  const { model, server } = await serve(answer, { timeouts: { firstTokenMs: 30 } });
  const last = lastOf(await collect(model.generate(requestOf())));
  expect(last).toMatchObject({
    failure: 'timeout',
    message: expect.stringContaining('timeouts.firstTokenMs'),
    retry: again,
  });
  await server.allClosed();
});
