/** What servers answer in place of a reply, and what may be tried again of it: one suite for all adapters over HTTP. */
import { describe, expect, test } from 'vitest';
import type { ServerAnswer } from '../support/server-answer.ts';
import { collect, lastOf, requestOf, textOf } from './asking.ts';
import type { Serve } from './hostile.ts';

const error = (code: string | null, type = 'some_error') => JSON.stringify({ error: { message: 'No.', type, code } });
const date = 'Tue, 01 Jul 2031 12:00:00 GMT';

/** The status, the rest of the answer, the failure, and how long the server asks to wait; null where another try is in vain. */
const statuses: readonly (readonly [number, Partial<ServerAnswer>, string, { afterMs: number | null } | null])[] = [
  ...[400, 401, 402, 403, 404, 405, 413, 422].map((status) => [status, {}, 'refused', null] as const),
  ...[408, 409, 500, 501, 502, 503, 504, 529].map((status) => [status, {}, 'refused', { afterMs: null }] as const),
  [429, {}, 'rate_limited', { afterMs: null }],
  [
    503,
    { body: '<html><h1>Bad gateway</h1></html>', headers: { 'content-type': 'text/html' } },
    'refused',
    { afterMs: null },
  ],
  [429, { body: error('rate_limit_exceeded') }, 'rate_limited', { afterMs: null }],
  [429, { body: error('insufficient_quota') }, 'rate_limited', null],
  [429, { body: error(null, 'insufficient_quota') }, 'rate_limited', null],
  [429, { body: error('billing_hard_limit_reached') }, 'rate_limited', null],
  ...(
    [
      [{ 'retry-after': '20' }, 20_000],
      [{ 'retry-after': ' 2 ' }, 2_000],
      [{ 'retry-after': '0.25' }, 250],
      [{ 'retry-after': '0' }, null],
      [{ 'retry-after-ms': '350' }, 350],
      [{ 'retry-after-ms': '350.2', 'retry-after': '20' }, 351],
      [{ 'retry-after-ms': 'soon', 'retry-after': '20' }, 20_000],
      [{ 'retry-after': 'Tue, 01 Jul 2031 12:00:30 GMT', date }, 30_000],
      [{ 'retry-after': 'Tuesday, 01-Jul-31 12:00:30 GMT', date }, 30_000],
      [{ 'retry-after': 'Tue, 01 Jul 2031 11:59:30 GMT', date }, null],
      [{ 'retry-after': 'Tue, 31 Foo 2031 12:00:00 GMT', date }, null],
      [{ 'retry-after': '-5' }, null],
      [{ 'retry-after': 'soon' }, null],
      [{ 'retry-after': '' }, null],
      [{ 'retry-after': '1e9' }, null],
      [{ 'retry-after': '9'.repeat(400) }, null],
      [{ 'retry-after-ms': '-1' }, null],
      [{ 'retry-after-ms': 'NaN' }, null],
    ] as const
  ).flatMap(([headers, afterMs]) => [
    [429, { headers }, 'rate_limited', { afterMs }] as const,
    [503, { headers }, 'refused', { afterMs }] as const,
  ]),
  [400, { headers: { 'x-should-retry': 'true' } }, 'refused', { afterMs: null }],
  [400, { headers: { 'x-should-retry': 'perhaps' } }, 'refused', null],
  [500, { headers: { 'x-should-retry': 'false', 'retry-after': '1' } }, 'refused', null],
  [
    429,
    { headers: { 'x-should-retry': 'True', 'retry-after': '1' }, body: error('insufficient_quota') },
    'rate_limited',
    { afterMs: 1_000 },
  ],
];

/** What is said inside a reply that began well. */
const errors: readonly (readonly [object, string, boolean])[] = [
  [{ message: 'No.', type: 'overloaded_error' }, 'refused', true],
  [{ message: 'No.', type: 'server_error' }, 'refused', true],
  [{ message: 'No.', type: 'api_error', code: 'internal_server_error' }, 'refused', true],
  [{ message: 'No.', code: 502 }, 'refused', true],
  [{ message: 'No.', code: '503', status: 'UNAVAILABLE' }, 'refused', true],
  [{ message: 'No.', code: 429 }, 'rate_limited', true],
  [{ message: 'No.', type: 'rate_limit_error' }, 'rate_limited', true],
  [{ message: 'No.', type: 'insufficient_quota', code: 429 }, 'rate_limited', false],
  [{ message: 'No.', type: 'invalid_request_error' }, 'refused', false],
  [{ message: 'The engine is overloaded.', type: 'invalid_request_error' }, 'refused', false],
  [{ message: 'No.', code: 400, type: 'server_error' }, 'refused', false],
  [{ message: 'No.', type: 'authentication_error' }, 'refused', false],
  [{ message: 'The engine is overloaded.' }, 'refused', true],
  [{ message: 'No.' }, 'refused', false],
];

export function hostileAnswers(name: string, serve: Serve): void {
  describe.each([true, false])(`${name}, stream: %s`, (stream) => {
    test.each(statuses)('status %i %j', async (status, answer, failure, retry) => {
      const { model, server } = await serve({ body: error(null), status, ...answer }, { stream });
      const [last, ...more] = await collect(model.generate(requestOf()));
      expect(last).toMatchObject({ type: 'failed', failure, message: expect.stringContaining(`answered ${status}`) });
      expect([last, more]).toEqual([expect.objectContaining(retry === null ? {} : { retry }), []]);
      expect(Object.hasOwn(last ?? {}, 'retry')).toBe(retry !== null);
      expect(server.requests).toHaveLength(1);
    });

    test.each(errors)('an error inside a 200: %j', async (said, failure, passes) => {
      const document = JSON.stringify({ type: 'error', error: said });
      const { model } = await serve({ body: stream ? `event: error\ndata: ${document}\n\n` : document }, { stream });
      const last = lastOf(await collect(model.generate(requestOf())));
      expect(last).toMatchObject({ type: 'failed', failure, message: expect.stringMatching(/No\.|overloaded/) });
      expect(last).toHaveProperty('hint');
      expect(Object.hasOwn(last ?? {}, 'retry')).toBe(passes);
    });

    test('an HTML page with status 200 is unreadable, and asked for once', async () => {
      const answer = { body: '<html>Sign in</html>', headers: { 'content-type': 'text/html' } };
      const { model } = await serve(answer, { stream });
      const last = lastOf(await collect(model.generate(requestOf())));
      expect(last).toMatchObject({ failure: 'unreadable', message: expect.stringContaining('Sign in') });
      expect(last).not.toHaveProperty('retry');
    });

    test.each([
      ['another place', 'https://example.com/v1/x?token=hunter2#hunter2', 'https://example.com/v1/x'],
      ['a place with a password', 'https://me:hunter2@example.com/', 'https://example.com/'],
      ['a path', '/elsewhere?key=hunter2', '/elsewhere'],
      ['no place', 'http://', 'no URL'],
    ])('a redirect to %s is not followed', async (_, location, shown) => {
      for (const status of [301, 302, 307, 308]) {
        const { model, server } = await serve({ status, headers: { location }, body: 'hunter2' }, { stream });
        const last = lastOf(await collect(model.generate(requestOf())));
        expect(last).toMatchObject({ failure: 'refused', message: expect.stringContaining(shown) });
        expect(last).not.toHaveProperty('retry');
        expect(JSON.stringify(last)).not.toContain('hunter2');
        expect(server.requests).toHaveLength(1);
      }
    });
  });

  const text = 'Thought: 订单 🙂 '.repeat(40);
  const encodings: readonly ServerAnswer[] = [
    ...['gzip', 'x-gzip', 'GZIP', 'deflate', 'br', 'gzip, br', 'identity', 'identity, gzip'].map((encoding) => ({
      encoding,
    })),
    { encoding: 'deflate', encoded: 'raw' },
  ];
  describe.each([true, false])(`${name}, compressed, stream: %s`, (stream) => {
    test.each(encodings)('%j', async (how) => {
      const { model, server } = await serve({ text, ...how }, { stream, seed: 5 });
      expect(server.requests).toHaveLength(0);
      for (let count = 1; count <= 2; count++) {
        const events = await collect(model.generate(requestOf()));
        expect(textOf(events)).toBe(text);
        expect(lastOf(events)).toMatchObject({ type: 'end', finish: 'stop' });
      }
      expect(server.requests[0]?.headers['accept-encoding']).toBe('identity');
      expect(server.sockets.made).toBe(1);
    });

    test.each(['damaged', 'truncated', 'not'] as const)('gzip that is %s: broke off', async (encoded) => {
      const { model, server } = await serve({ text, encoding: 'gzip', encoded }, { stream });
      const last = lastOf(await collect(model.generate(requestOf())));
      expect(last).toMatchObject({ type: 'failed', failure: 'broke_off', retry: { afterMs: null } });
      await model.close();
      await server.allClosed();
    });

    test.each(['zstd', 'gzip, gzip, gzip, gzip', 'constructor'])('%s cannot be read', async (encoding) => {
      const { model } = await serve({ text, encoding, encoded: 'not' }, { stream });
      const last = lastOf(await collect(model.generate(requestOf())));
      expect(last).toMatchObject({ failure: 'unreadable', message: expect.stringContaining(encoding) });
      expect(last).not.toHaveProperty('retry');
    });

    test('a refusal that is compressed is quoted', async () => {
      const answer = { status: 500, body: 'Out of memory', encoding: 'gzip' };
      const last = lastOf(await collect((await serve(answer, { stream })).model.generate(requestOf())));
      expect(last).toHaveProperty('message', expect.stringContaining('Out of memory'));
    });

    test('a bomb is not unpacked beyond the limits', async () => {
      const body = `${stream ? 'data: ' : ''}${' '.repeat(64 * 1024 * 1024)}`;
      const { model, server } = await serve({ body, encoding: 'gzip', end: 'hang' }, { stream });
      expect(lastOf(await collect(model.generate(requestOf())))).toMatchObject({ failure: 'unreadable' });
      await server.allClosed();
    });
  });

  test(`${name}: a compressed stream is read as it comes`, async () => {
    // Whole blocks of the format without its end: what was sent can be read, and the rest never comes.
    const text = Array.from({ length: 200 }, (_, count) => count ** 3).join(' ');
    const { model, server } = await serve({ text, encoding: 'gzip', encoded: 'truncated', end: 'hang' });
    let heard = '';
    for await (const event of model.generate(requestOf())) {
      if (event.type === 'text') heard += event.text;
      if (heard.length > 20) break;
    }
    expect(text.startsWith(heard)).toBe(true);
    await server.allClosed();
  });
}
