import { expect, test } from 'vitest';
import type { ModelEvent } from '../../src/core/model.ts';
import {
  type ScriptEntry,
  type ScriptedOptions,
  type ScriptedReply,
  scriptedModel,
} from '../../src/models/scripted.ts';
import { collect, lastOf, open, requestOf, textOf } from './asking.ts';
import { modelContract, type Situation } from './model-contract.ts';

modelContract('scripted', async (situation) => {
  const reply = replyFor(situation);
  return { model: scriptedModel([reply, reply, reply, reply]), close: async () => {} };
});

function replyFor({ text, calls = [], ending }: Situation): ScriptedReply {
  const said = { text, calls: calls.map(({ tool, input }) => ({ tool, inputText: input })) };
  if (ending === 'silence') return { ...said, betweenMs: 2 ** 30 };
  if (ending === 'refused' || ending === 'broke_off')
    return { ...said, failure: { failure: ending, message: 'The script fails here.' } };
  return { ...said, finish: ending };
}

const end: ModelEvent = { type: 'end', finish: 'stop', usage: null };
const usage = { inputTokens: 7, outputTokens: 3 };

const table: readonly (readonly [string, ScriptEntry, ScriptedOptions, readonly ModelEvent[]])[] = [
  ['a text', 'Hello', {}, [{ type: 'text', text: 'Hello' }, end]],
  ['an empty text', '', {}, [{ type: 'text', text: '' }, end]],
  [
    'a cut text',
    'Hello',
    { chunkSize: 2 },
    [...['He', 'll', 'o'].map((text) => ({ type: 'text' as const, text })), end],
  ],
  [
    'chunks as given',
    { chunks: ['a', '', 'b'] },
    { chunkSize: 1 },
    [...['a', '', 'b'].map((text) => ({ type: 'text' as const, text })), end],
  ],
  [
    'reasoning first',
    { reasoning: 'hm', text: 'x' },
    {},
    [{ type: 'reasoning', text: 'hm' }, { type: 'text', text: 'x' }, end],
  ],
  [
    'finish and usage',
    { text: 'x', finish: 'length', usage },
    {},
    [
      { type: 'text', text: 'x' },
      { type: 'end', finish: 'length', usage },
    ],
  ],
  ['a function', ({ step }) => `step ${step}`, {}, [{ type: 'text', text: 'step 1' }, end]],
  [
    'a failure',
    { failure: { failure: 'timeout', message: 'm', hint: 'h' } },
    {},
    [{ type: 'failed', failure: 'timeout', message: 'm', hint: 'h' }],
  ],
];

test.each(table)('%s', async (_, reply, options, expected) => {
  expect(await collect(scriptedModel([reply], options).generate(requestOf()))).toEqual(expected);
});

test('a function that throws is a failure that names the script', async () => {
  const broken = () => {
    throw new Error('no such observation');
  };
  const last = lastOf(await collect(scriptedModel([broken]).generate(requestOf())));
  expect(last).toMatchObject({
    type: 'failed',
    failure: 'contract',
    message: expect.stringMatching(/script's function.*no such observation/),
  });
});

test.each([
  [[], 'only 0 replies'],
  [['a'], 'only 1 reply,'],
  [['a', 'b'], 'only 2 replies'],
])('past the end of %j it says so', async (replies, message) => {
  const model = scriptedModel(replies);
  for (const _ of replies) await collect(model.generate(requestOf()));
  const events = await collect(model.generate(requestOf()));
  expect(events).toMatchObject([{ type: 'failed', failure: 'refused', message: expect.stringContaining(message) }]);
});

test('requests are recorded and their signal is not read', async () => {
  const model = scriptedModel(['one', { text: 'two' }], { name: 'demo' });
  const { signal: _, ...rest } = requestOf();
  const request = {
    ...rest,
    get signal(): AbortSignal {
      throw new Error('The signal was read.');
    },
  };
  await collect(model.generate(request));
  await collect(model.generate(request));
  expect(model.requests).toEqual([rest, rest]);
  expect(model.requests[0]?.messages).toBe(request.messages);
  expect([model.provider, model.name]).toEqual(['scripted', 'demo']);
});

test('pauses go through the clock: one before the first event, one between any two', async () => {
  const asked: number[] = [];
  const clock = {
    setTimer(delayMs: number, fire: () => void) {
      asked.push(delayMs);
      queueMicrotask(fire);
      return () => {};
    },
  };
  const model = scriptedModel([{ chunks: ['a', 'b'], delayMs: 500, betweenMs: 20 }], { clock });
  expect(textOf(await collect(model.generate(requestOf())))).toBe('ab');
  expect(asked).toEqual([500, 20, 20]);
});

test('leaving a pause cancels its timer', async () => {
  let cancelled = 0;
  const clock = { setTimer: () => () => void cancelled++ };
  const reply = open(scriptedModel([{ text: 'a', delayMs: 500 }], { clock }).generate(requestOf()));
  const pending = reply.next();
  await reply.leave();
  expect([await pending, cancelled]).toEqual([{ done: true, value: undefined }, 1]);
});

test('a hanging reply is settled by nothing', async () => {
  const controller = new AbortController();
  const reply = open(scriptedModel([{ text: 'a', hang: true }]).generate(requestOf({ signal: controller.signal })));
  await reply.next();
  const settled: string[] = [];
  void reply.next().then(() => settled.push('next'));
  controller.abort();
  void reply.leave().then(() => settled.push('return'));
  // A turn of the event loop runs every promise that could settle.
  await new Promise((resolve) => setImmediate(resolve));
  expect(settled).toEqual([]);
});

test.each([0, -1, Number.NaN])('chunkSize %s is refused', (chunkSize) => {
  expect(() => scriptedModel([], { chunkSize })).toThrow(/chunkSize/);
});
