/** What a model of the AI SDK throws or sends as an error, as the failure it becomes, and whether another try may succeed. */
import { APICallError, InvalidResponseDataError, LoadAPIKeyError } from '@ai-sdk/provider';
import { RetryError } from 'ai';
import { expect, test } from 'vitest';
import type { ModelFailed } from '../../src/core/model.ts';
import { aiSdk } from '../../src/models/ai-sdk.ts';
import { delta, fakeModel, stop, streaming, streamOf } from './ai-sdk-setup.ts';
import { collect, lastOf, requestOf, textOf } from './asking.ts';

const atWill = { afterMs: null };

function apiError(statusCode: number | undefined, more: Partial<ConstructorParameters<typeof APICallError>[0]> = {}) {
  return new APICallError({
    message: 'It failed.',
    url: 'https://example.test/v1?key=sk-in-the-url',
    requestBodyValues: { secret: 'sk-in-the-body' },
    ...(statusCode === undefined ? {} : { statusCode }),
    ...more,
  });
}

const wait = (headers: Record<string, string>, status = 429) => apiError(status, { responseHeaders: headers });
const network = (code: string) => new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) });

const circular: { self?: unknown } = {};
circular.self = circular;

const throws = (): never => {
  throw new Error('Do not look.');
};
const unreadable = new Proxy({}, { get: throws, ownKeys: throws, getPrototypeOf: throws, has: throws });

type Row = readonly [what: string, thrown: unknown, failure: string, retry: ModelFailed['retry'], message: string];

/** Thrown by `doStream`, before there is a reply. */
const thrown: readonly Row[] = [
  ['a bad request', apiError(400), 'refused', undefined, 'answered 400: It failed.'],
  ['no rights', apiError(401), 'refused', undefined, '401'],
  ['a time-out of the server', apiError(408), 'refused', atWill, '408'],
  ['a conflict', apiError(409), 'refused', atWill, '409'],
  ['too many requests', apiError(429), 'rate_limited', atWill, '429'],
  ['a server error', apiError(503), 'refused', atWill, '503'],
  ['what its makers say cannot be tried again', apiError(503, { isRetryable: false }), 'refused', undefined, '503'],
  ['a wait in seconds', wait({ 'retry-after': '2' }), 'rate_limited', { afterMs: 2_000 }, '429'],
  [
    'a wait in milliseconds',
    wait({ 'retry-after-ms': '1500', 'retry-after': '9' }),
    'rate_limited',
    { afterMs: 1_500 },
    '429',
  ],
  ['the same in capitals', wait({ 'Retry-After': '3' }, 529), 'refused', { afterMs: 3_000 }, '529'],
  [
    'a wait as a date, by the clock of the server',
    wait({ 'retry-after': 'Sat, 07 Nov 2026 10:00:05 GMT', date: 'Sat, 07 Nov 2026 10:00:00 GMT' }),
    'rate_limited',
    { afterMs: 5_000 },
    '429',
  ],
  ['a wait that says nothing', wait({ 'retry-after': 'soon' }), 'rate_limited', atWill, '429'],
  [
    'an empty account',
    apiError(429, { responseBody: '{"error":{"message":"No money.","code":"insufficient_quota"}}' }),
    'rate_limited',
    undefined,
    '429',
  ],
  [
    'an error without a message',
    apiError(500, { message: '', responseBody: '{"error":{"message":"The disk is full."}}' }),
    'refused',
    atWill,
    'The disk is full.',
  ],
  ['no connection', apiError(undefined, { isRetryable: true }), 'connection', atWill, 'No reply from'],
  ['no connection, untranslated', network('ECONNREFUSED'), 'connection', atWill, 'fetch failed'],
  ['a socket that was closed', network('UND_ERR_SOCKET'), 'connection', atWill, 'fetch failed'],
  ['a time-out', new DOMException('too slow', 'TimeoutError'), 'timeout', atWill, 'too slow'],
  ['an abort that is not ours', new DOMException('gone', 'AbortError'), 'connection', atWill, 'gone'],
  [
    'a missing key',
    new LoadAPIKeyError({ message: 'The key is missing.' }),
    'refused',
    undefined,
    'The key is missing.',
  ],
  [
    'a reply that cannot be read',
    new InvalidResponseDataError({ data: 1, message: 'No choices.' }),
    'unreadable',
    undefined,
    'No choices.',
  ],
  ['a defect', new TypeError('x is undefined'), 'refused', undefined, 'x is undefined (TypeError)'],
  [
    'retries that were used up',
    new RetryError({ message: 'Failed after 3 attempts.', reason: 'maxRetriesExceeded', errors: [apiError(503)] }),
    'refused',
    atWill,
    '503',
  ],
  [
    'an error of the gateway',
    Object.assign(new Error('Busy.'), { statusCode: 502, isRetryable: true }),
    'refused',
    atWill,
    '502',
  ],
  ['an object in a circle', circular, 'refused', undefined, '(circular)'],
  ['what cannot be read', unreadable, 'refused', undefined, 'cannot be shown'],
  ['a text', 'out of order', 'refused', undefined, 'out of order'],
  ['nothing at all', undefined, 'refused', undefined, 'fake-1 (fake.chat)'],
  ['a status that is no number', { statusCode: '429', message: 'odd' }, 'refused', undefined, 'odd'],
];

test.each(thrown)('%s', async (_, value, failure, retry, message) => {
  const model = aiSdk(
    fakeModel('v3', {
      stream: () => {
        throw value;
      },
    }),
  );
  const events = await collect(model.generate(requestOf()));
  expect(events).toEqual([
    {
      type: 'failed',
      failure,
      message: expect.stringContaining(message),
      hint: expect.stringMatching(/\w+ \w+/),
      ...(retry && { retry }),
    },
  ]);
  expect(JSON.stringify(events)).not.toContain('sk-in-the');
});

/** Sent as a part, or thrown by the stream, after some text. */
const later: readonly Row[] = [
  ['an overload', { type: 'overloaded_error', message: 'Overloaded' }, 'refused', atWill, 'Overloaded'],
  ['a server error with a status', { code: 502, message: 'Bad gateway' }, 'refused', atWill, 'Bad gateway'],
  ['a rate limit', { type: 'rate_limit_error', message: 'Slow down' }, 'rate_limited', atWill, 'Slow down'],
  ['a bad request', { type: 'invalid_request_error', message: 'Too long' }, 'refused', undefined, 'Too long'],
  ['a text', 'out of order', 'refused', undefined, 'out of order'],
  ['an error of the API', apiError(503), 'refused', atWill, '503'],
  [
    'an end without a reason',
    new InvalidResponseDataError({ data: undefined, message: 'No finish reason.' }),
    'broke_off',
    atWill,
    'No finish reason.',
  ],
  ['a lost connection', new TypeError('terminated'), 'broke_off', atWill, 'terminated'],
];

test.each(later)('in a stream, %s', async (_, error, failure, retry, message) => {
  const events = await collect(aiSdk(streaming([delta('a'), { type: 'error', error }, stop])).generate(requestOf()));
  expect(textOf(events)).toBe('a');
  expect(lastOf(events)).toMatchObject({ type: 'failed', failure, message: expect.stringContaining(message) });
  expect(lastOf(events)).toEqual(expect.objectContaining(retry ? { retry } : { type: 'failed' }));
  expect('retry' in (lastOf(events) ?? {})).toBe(retry !== undefined);
});

test('a stream that breaks after some text, and one that ends without a finish', async () => {
  const broken = fakeModel('v3', { stream: () => ({ stream: streamOf([], { end: new TypeError('terminated') }) }) });
  for (const model of [broken, streaming([delta('a')])]) {
    const last = lastOf(await collect(aiSdk(model).generate(requestOf())));
    expect(last).toMatchObject({ type: 'failed', failure: 'broke_off', retry: atWill });
  }
});

test('credentials in a message are hidden, and long ones are cut', async () => {
  const message = `Refused for authorization: Bearer abcdef0123456789 ${'x'.repeat(5_000)}`;
  const model = fakeModel('v3', {
    stream: () => {
      throw apiError(400, { message });
    },
  });
  const last = lastOf(await collect(aiSdk(model).generate(requestOf())));
  expect(JSON.stringify(last)).not.toContain('abcdef0123456789');
  expect(last?.type === 'failed' && last.message.length).toBeLessThan(400);
});

const refusals: readonly (readonly [string, string, readonly string[]])[] = [
  ['temperature', "Unsupported value: 'temperature' does not support 0 with this model.", ['temperature']],
  ['stop', "Unsupported parameter: 'stop' is not supported with this model.", ['stopSequences']],
  ['stop_sequences', 'stop_sequences: this field is deprecated', ['stopSequences']],
  ['something else', "Unsupported parameter: 'top_k'.", []],
  ['no setting', 'The temperature outside is 30 degrees; I stop.', []],
];

test.each(refusals)('a server that refuses %s is asked without it from then on', async (_, message, dropped) => {
  const model = fakeModel('v3', {
    stream: (options) => {
      if (dropped.some((name) => name in options) || dropped.length === 0) throw apiError(400, { message });
      return { stream: streamOf([delta('a'), stop]) };
    },
  });
  const adapted = aiSdk(model);
  const first = await collect(adapted.generate(requestOf()));
  expect(lastOf(first)?.type).toBe(dropped.length === 0 ? 'failed' : 'end');
  await collect(adapted.generate(requestOf()));
  expect(
    model.asked.map(({ options }) => ['temperature', 'stopSequences'].filter((name) => !(name in options))),
  ).toEqual(dropped.length === 0 ? [[], []] : [[], dropped, dropped]);
});
