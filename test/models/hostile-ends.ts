/** Replies that begin, go on or end in an unusual way: one suite for all adapters over HTTP. */
import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { Form } from '../support/server-answer.ts';
import { collect, lastOf, open, requestOf, textOf } from './asking.ts';
import type { Serve } from './hostile.ts';

const overloaded = { message: 'Overloaded.', type: 'overloaded_error', code: 503 };
const tooLong = { message: 'The request exceeds the context size.', type: 'invalid_request_error', code: 400 };

export function hostileEnds(name: string, serve: Serve, form: Form): void {
  const whole = form.events({ text: 'Hi' }, null).join('');
  const document = form.document({ text: 'Hi' });

  describe(`${name}: what a reply begins with counts for more than its head`, () => {
    const heads = ['text/event-stream', 'application/json', 'text/plain', 'application/octet-stream', ''];
    const types = heads.flatMap((type) => [true, false].map((stream) => [type, stream] as const));

    test.each(types)('a document and a stream under "%s", stream asked for: %s', async (type, stream) => {
      const headers = { 'content-type': type };
      const spaces = '\n \t';
      for (const body of [document, spaces + document, whole, `\ufeff${whole}`, `: comment\n\n${whole}`]) {
        const { model, server } = await serve({ body, headers }, { stream });
        const events = await collect(model.generate(requestOf()));
        expect([textOf(events), lastOf(events)?.type], body).toEqual(['Hi', 'end']);
        await model.close();
        await server.close();
      }
    });

    test.each(types)('an error outside `data:` under "%s", stream asked for: %s', async (type, stream) => {
      const headers = { 'content-type': type };
      const json = JSON.stringify({ error: tooLong });
      const bodies = [json, JSON.stringify({ error: tooLong }, null, 2), `error: ${JSON.stringify(tooLong)}\n\n`];
      for (const body of [...bodies, `${json}\n\n`, `: comment\n\n${json}\n\n`, `event: error\n${json}\n\n`]) {
        const { model, server } = await serve({ body, headers }, { stream });
        const last = lastOf(await collect(model.generate(requestOf())));
        expect(last, body).toMatchObject({ failure: 'refused', message: expect.stringContaining('context size') });
        expect(last).not.toHaveProperty('retry');
        await model.close();
        await server.close();
      }
    });

    test('white space without end is no reply, and is not kept', async () => {
      const { model, server } = await serve({ repeat: { text: ' \n'.repeat(50_000), times: 200 } }, { stream: false });
      expect(lastOf(await collect(model.generate(requestOf())))).toMatchObject({ failure: 'unreadable' });
      await server.allClosed();
    });
  });

  describe(`${name}: nothing stays open`, () => {
    const failures: readonly (readonly [string, string, number])[] = [
      ['an error', `data: ${JSON.stringify({ type: 'error', error: overloaded })}\n\n`, 200],
      ['nonsense', 'data: nonsense\n\n', 200],
      ['a long refusal', 'x'.repeat(200_000), 500],
    ];
    const encodings = [undefined, 'gzip', 'br', 'deflate', 'gzip, gzip'];
    test.each(failures.flatMap((row) => encodings.map((encoding) => [...row, encoding] as const)))(
      '%s that never ends: status %#, encoded',
      async (_, body, status, encoding) => {
        const { model, server } = await serve({ body, status, ...(encoding && { encoding }), end: 'hang' });
        const { signal } = new AbortController();
        const last = lastOf(await collect(model.generate(requestOf({ signal }))));
        expect(last).toMatchObject({ type: 'failed' });
        await server.allClosed();
        expect(getEventListeners(signal, 'abort')).toHaveLength(0);
      },
    );

    test.each(encodings)('left in the middle, encoded: %s', async (encoding) => {
      const text = '0123456789 '.repeat(2_000);
      const how = encoding === undefined ? {} : { encoding, encoded: 'truncated' as const };
      const { model, server } = await serve({ text, ...how, end: 'hang' });
      const reply = open(model.generate(requestOf()));
      // Some decoders say nothing before the end: what is waited for is left, too.
      const pending = reply.next();
      await server.request(1);
      await reply.leave();
      await pending;
      await server.allClosed();
    });

    test.each([undefined, 'gzip'])('a refusal whose body hangs is told all the same, encoded: %s', async (encoding) => {
      const answer = { status: 503, headers: { 'retry-after': '7' }, body: 'busy', ...(encoding && { encoding }) };
      const { model, server } = await serve({ ...answer, end: 'hang' });
      const last = lastOf(await collect(model.generate(requestOf())));
      expect(last).toMatchObject({
        failure: 'refused',
        message: expect.stringMatching(encoding === undefined ? /503: busy/ : /503: /),
        retry: { afterMs: 7_000 },
      });
      await server.allClosed();
    });
  });

  test.each<readonly [string, number, string, Readonly<Record<string, string>>, boolean]>([
    ['a fault that speaks of support', 500, 'Tool parser crashed; please contact support.', {}, true],
    ['a fault that speaks of usage limits', 529, 'Overloaded. See our page about usage limits.', {}, true],
    ['a wait beside usage limits', 429, 'Too fast: see usage limits.', { 'retry-after': '2' }, true],
    ['no capacity', 503, '{"error":{"message":"No.","code":"insufficient_capacity"}}', {}, true],
    ['a fault of the bills', 500, '{"error":{"message":"No.","type":"billing_service_error"}}', {}, true],
    ['a load that is not balanced', 429, '{"error":{"message":"No.","code":"load_balance_exceeded"}}', {}, true],
    ['no money, in other words', 429, '{"error":{"message":"No.","code":"InsufficientBalance"}}', {}, false],
    ['no money, with a name between', 429, '{"error":{"message":"No.","code":"insufficient_user_quota"}}', {}, false],
  ])(`${name}: %s`, async (_, status, body, headers, passes) => {
    const { model } = await serve({ status, body, headers });
    const last = lastOf(await collect(model.generate(requestOf())));
    expect(Object.hasOwn(last ?? {}, 'retry')).toBe(passes);
  });

  test.each<readonly [object, boolean]>([
    [{ message: 'Internal server error', type: 'some_error' }, true],
    [{ message: 'The engine is overloaded, try again.', type: 'error' }, true],
    [{ message: 'Try again with a valid key.', type: 'authentication_error' }, false],
  ])(`${name}: an error inside a stream by its words and what it says: %j`, async (error, passes) => {
    const { model } = await serve({ body: `data: ${JSON.stringify({ type: 'error', error })}\n\n` });
    expect(Object.hasOwn(lastOf(await collect(model.generate(requestOf()))) ?? {}, 'retry')).toBe(passes);
  });

  test(`${name}: half a character does not go out, in texts and in names`, async () => {
    const { model, server } = await serve({ text: 'Hi' });
    const half = 'x\ud83d';
    const calls = [{ toolCallId: 'abcdefghi', tool: 't', input: { [half]: half, '\\ud83d': '🙂' } }];
    const messages = [
      { role: 'user' as const, content: half },
      { role: 'assistant' as const, content: half, calls },
      { role: 'tool' as const, content: half, toolCallId: 'abcdefghi' },
    ];
    await collect(
      model.generate(requestOf({ messages, tools: [{ name: 't', description: half, inputSchema: null }] })),
    );
    const sent = JSON.stringify(server.requests[0]?.body);
    expect(sent).toContain('x\ufffd');
    expect(sent.replaceAll(/\\\\+ud83d/g, '')).not.toMatch(/\\ud83d/);
    expect(sent).toContain('🙂');
  });

  test.each([
    ['timeouts.totalMs', { totalMs: 0 }],
    ['timeouts.firstTokenMs', { firstTokenMs: 0 }],
    ['timeouts.connectMs', { connectMs: 0 }],
  ])(`${name}: %s of 0 allows nothing, and the hint says whose it is`, async (limit, timeouts) => {
    const { model, server } = await serve({ text: 'Hi' }, { timeouts });
    const last = lastOf(await collect(model.generate(requestOf())));
    expect(last).toMatchObject({
      failure: 'timeout',
      message: expect.stringContaining(limit),
      hint: expect.stringContaining(`${limit} of ${name}({ … })`),
    });
    expect(server.requests).toHaveLength(0);
  });

  test.each([2 ** 31, 2 ** 40])(`${name}: connectMs of %i does not pass at once`, async (connectMs) => {
    const { model } = await serve({ text: 'Hi' }, { timeouts: { connectMs } });
    expect(lastOf(await collect(model.generate(requestOf())))).toMatchObject({ type: 'end' });
  });
}
