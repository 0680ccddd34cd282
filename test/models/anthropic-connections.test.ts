import { describe, expect, test } from 'vitest';
import { serve } from './anthropic-setup.ts';
import { collect, open, readText, requestOf, textOf } from './asking.ts';

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
    const { model, server } = await serve([{ status: 529, body: 'slow down' }, {}], { stream });
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

test('close() breaks off what still streams, and a closed model says so', async () => {
  const { model, server } = await serve(endless);
  const reply = open(model.generate(requestOf()));
  await readText(reply, endless.text.length);
  await model.close();
  await model.close();
  expect((await reply.next()).value).toMatchObject({ type: 'failed' });
  expect(await collect(model.generate(requestOf()))).toMatchObject([
    { type: 'failed', failure: 'refused', hint: expect.stringMatching(/closed/) },
  ]);
  await server.allClosed();
});
