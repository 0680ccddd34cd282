/** The contract of the port, whatever the model does: it never throws, it can be left at any time, and leaves nothing. */
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createAgent } from '../../src/agent.ts';
import { type AiSdkLanguageModel, aiSdk } from '../../src/models/ai-sdk.ts';
import { delta, fakeModel, stop, streamOf } from './ai-sdk-setup.ts';
import { collect, lastOf, open, requestOf, textOf } from './asking.ts';

const never = () => new Promise<never>(() => {});
const throws = (): never => {
  throw new Error('It is broken.');
};

/** A stream by hand: what reading and leaving it do. */
function handmade(read: (count: number) => unknown, cancel: () => unknown = () => Promise.resolve()) {
  let count = 0;
  return { stream: { getReader: () => ({ read: () => read(count++), cancel }) } };
}

const part = (value: unknown) => Promise.resolve({ done: false, value });

/** Called as it is, where the tests of models that keep to the rules wrap it into a promise. */
function bare(doStream: (options: object) => unknown): AiSdkLanguageModel {
  return {
    specificationVersion: 'v3',
    provider: 'bare',
    modelId: 'bare-1',
    doStream: (options) => promised(doStream(options)),
  };
}

/** The type of the port of the SDK asks for a promise of an object; these models give what they give. */
function promised(value: unknown): Promise<object> {
  return value instanceof Promise ? value : Promise.resolve(Object(value));
}

const broken: readonly (readonly [string, () => unknown, string])[] = [
  ['throws at once', throws, 'refused'],
  ['gives no stream', () => ({}), 'unreadable'],
  ['gives a stream that is none', () => ({ stream: [delta('a')] }), 'unreadable'],
  ['gives a stream that is read already', () => ({ stream: lockedStream() }), 'unreadable'],
  ['gives a getter that throws', () => Object.defineProperty({}, 'stream', { get: throws }), 'unreadable'],
  ['has a reader that throws', () => handmade(throws), 'broke_off'],
  ['has a reader that gives nothing', () => handmade(() => undefined), 'unreadable'],
  ['has a reader that rejects with nothing', () => handmade(() => Promise.reject()), 'refused'],
  [
    'sends parts that throw',
    () => handmade(() => part(Object.defineProperty({}, 'type', { get: throws }))),
    'broke_off',
  ],
];

function lockedStream() {
  const stream = streamOf([delta('a')]);
  stream.getReader();
  return stream;
}

test.each(broken)('a model that %s', async (_, doStream, failure) => {
  const events = await collect(aiSdk(bare(doStream)).generate(requestOf()));
  expect(events).toMatchObject([{ type: 'failed', failure }]);
});

test.each([
  ['throws', throws],
  ['hangs', never],
  ['rejects', () => Promise.reject(new Error('no'))],
])('a stream whose cancel %s ends all the same, well or left', async (_, cancel) => {
  let cancelled = 0;
  const counting = () => {
    cancelled++;
    return cancel();
  };
  const ending = bare(() => handmade((count) => part([delta('a'), stop][count]), counting));
  const { signal } = new AbortController();
  expect(lastOf(await collect(aiSdk(ending).generate(requestOf({ signal }))))?.type).toBe('end');
  const left = open(aiSdk(ending).generate(requestOf({ signal })));
  await left.next();
  expect((await left.leave()).done).toBe(true);
  expect(cancelled).toBe(2);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

const silent: readonly (readonly [string, () => unknown, pieces: number])[] = [
  ['a call that never settles', never, 0],
  ['a stream that never settles', () => handmade(never), 0],
  ['a stream that falls silent', () => handmade((count) => (count === 0 ? part(delta('a')) : never()), never), 1],
];

test.each(silent)('%s is let go by an abort and by return()', async (_, doStream, pieces) => {
  const controller = new AbortController();
  const aborted = open(aiSdk(bare(doStream)).generate(requestOf({ signal: controller.signal })));
  const returned = open(aiSdk(bare(doStream)).generate(requestOf({ signal: controller.signal })));
  for (let count = 0; count < pieces; count++) await Promise.all([aborted.next(), returned.next()]);
  const pending = [aborted.next(), returned.next()];
  expect((await returned.leave()).done).toBe(true);
  controller.abort();
  const [first] = await Promise.all(pending);
  expect(first?.value).toMatchObject({ type: 'failed', failure: 'aborted' });
  expect(await aborted.next()).toEqual({ done: true, value: undefined });
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
});

test('a stream that comes after the reply was left is closed', async () => {
  const { promise, resolve } = deferred();
  let closed = 0;
  const reply = open(aiSdk(bare(() => promise)).generate(requestOf()));
  const pending = reply.next();
  await reply.leave();
  await pending;
  resolve(handmade(never, () => void closed++));
  await new Promise((turn) => setImmediate(turn));
  expect(closed).toBe(1);
});

function deferred() {
  let resolve: (value: object) => void = () => {};
  const promise = new Promise<object>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

test('parts that tell nothing, without end and always at hand, still end at the limit of the loop', async () => {
  let read = 0;
  const model = aiSdk(bare(() => handmade(() => part({ type: 'raw', count: read++ }))));
  const outcome = await createAgent({ model, modelRetries: 0, timeouts: { modelCallMs: 50 } }).run('x');
  expect(outcome).toMatchObject({ ok: false, stopReason: 'model_error' });
  expect(read).toBeGreaterThan(256);
});

test('what comes behind the end is not told', async () => {
  const model = fakeModel('v3', { stream: () => ({ stream: streamOf([delta('a'), stop, delta('b'), stop]) }) });
  const events = await collect(aiSdk(model).generate(requestOf()));
  expect(textOf(events)).toBe('a');
  expect(events.filter(({ type }) => type === 'end')).toHaveLength(1);
});

test.each<[string, readonly unknown[], boolean]>([
  ['a good end', [delta('a'), stop], false],
  ['a failure', [delta('a'), { type: 'error', error: 'out of order' }], true],
])('after %s the signal of the model is aborted: %j, %s', async (_, parts, aborted) => {
  const model = fakeModel('v3', { stream: () => ({ stream: streamOf(parts, { end: 'hang' }) }) });
  await collect(aiSdk(model).generate(requestOf()));
  expect(model.asked[0]?.options.abortSignal.aborted).toBe(aborted);
});

test('return() aborts the signal of the model', async () => {
  const model = fakeModel('v3', { stream: () => ({ stream: streamOf([delta('a')], { end: 'hang' }) }) });
  const reply = open(aiSdk(model).generate(requestOf()));
  await reply.next();
  await reply.leave();
  expect(model.asked[0]?.options.abortSignal.aborted).toBe(true);
});
