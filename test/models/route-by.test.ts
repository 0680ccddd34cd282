/** Which model is asked: what a function says of the request. */
import { expect, expectTypeOf, test } from 'vitest';
import { createAgent } from '../../src/agent.ts';
import type { AgentError } from '../../src/core/errors.ts';
import type { ModelRequest } from '../../src/core/model.ts';
import type { TraceEvent } from '../../src/core/trace.ts';
import { fallback } from '../../src/models/fallback.ts';
import { routeBy } from '../../src/models/route-by.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { collect, requestOf, textOf } from './asking.ts';

const saying = (name: string) => scriptedModel([name, name], { name });

test('the model that is named is asked, announced, and told as it is', async () => {
  const [small, large] = [saying('gpt-4o-mini'), saying('gpt-4o')];
  const model = routeBy({ small, large }, ({ step }) => (step < 3 ? 'small' : 'large'));
  const first = await collect(model.generate(requestOf({ step: 2 })));
  expect(first[0]).toEqual({ type: 'model', provider: 'scripted', name: 'gpt-4o-mini' });
  expect(textOf(first)).toBe('gpt-4o-mini');
  expect(textOf(await collect(model.generate(requestOf({ step: 3 }))))).toBe('gpt-4o');
  expect([model.provider, model.name]).toEqual(['routeBy', 'gpt-4o-mini | gpt-4o']);
});

test('the keys are known to the compiler', () => {
  const given = { small: saying('a'), large: saying('b') };
  expectTypeOf(routeBy<'small' | 'large'>)
    .parameter(1)
    .toEqualTypeOf<(request: ModelRequest) => 'small' | 'large'>();
  // @ts-expect-error there is no such key
  expect(routeBy(given, () => 'medium').provider).toBe('routeBy');
  // @ts-expect-error a promise is no key
  expect(routeBy(given, async () => 'small').provider).toBe('routeBy');
});

/** Choices that the compiler would refuse. */
const wrong: readonly (readonly [string, () => unknown, string])[] = [
  [
    'throws',
    () => {
      throw new Error('no idea');
    },
    'threw: no idea',
  ],
  ['is unknown', () => 'medium', 'gave "medium", which names none'],
  ['is a name of every object', () => 'constructor', 'gave "constructor", which names none'],
  ['is `__proto__`', () => '__proto__', 'gave "__proto__", which names none'],
  ['is a promise', () => Promise.resolve('small'), 'gave a promise'],
  ['is a promise that is rejected', () => Promise.reject(new Error('x')), 'gave a promise'],
  ['is a model', () => saying('c'), 'gave an object'],
  ['is nothing', () => undefined, 'gave undefined'],
];

test.each(wrong)('a choice that %s fails with words, and without a throw', async (_, choose, message) => {
  const models = { small: saying('a'), large: saying('b') };
  const model = Reflect.apply(routeBy<'small' | 'large'>, undefined, [models, choose]);
  expect(await collect(model.generate(requestOf()))).toEqual([
    {
      type: 'failed',
      failure: 'contract',
      message: expect.stringContaining(message),
      hint: expect.stringContaining('small, large'),
    },
  ]);
});

test('keys that every object has are keys like others', async () => {
  const model = routeBy({ constructor: saying('a'), toString: saying('b') }, () => 'toString');
  expect(textOf(await collect(model.generate(requestOf())))).toBe('b');
});

test('what the chosen one breaks is its own failure', async () => {
  const broken = {
    provider: 'broken',
    name: 'b',
    generate() {
      throw new Error('It is broken.');
    },
  };
  const events = await collect(routeBy({ broken }, () => 'broken').generate(requestOf()));
  expect(events.at(-1)).toMatchObject({
    type: 'failed',
    failure: 'contract',
    message: expect.stringMatching(/adapter broken threw: It is broken/),
  });
});

test('what the chosen one throws after an abort is an abort', async () => {
  const controller = new AbortController();
  const leaving = {
    provider: 'leaving',
    name: 'a',
    generate() {
      controller.abort();
      throw new DOMException('gone', 'AbortError');
    },
  };
  const events = await collect(
    routeBy({ leaving }, () => 'leaving').generate(requestOf({ signal: controller.signal })),
  );
  expect(events.at(-1)).toMatchObject({ type: 'failed', failure: 'aborted' });
});

const refused: readonly (readonly [string, readonly unknown[], string])[] = [
  ['nothing', [], 'undefined'],
  ['no model', [{}, () => 'a'], 'no model'],
  ['a list', [[saying('a')], () => '0'], 'a list'],
  ['what is no model', [{ a: 'gpt-4o' }, () => 'a'], '"a" of routeBy is a string'],
  ['no function', [{ a: saying('a') }], 'undefined in place of a function'],
];

test.each(refused)('%s is refused', (_, given, message) => {
  expect(() => Reflect.apply(routeBy, undefined, given)).toThrow(
    expect.objectContaining<Partial<AgentError>>({
      code: 'invalid_option',
      message: expect.stringContaining(message),
      hint: expect.stringContaining('routeBy({ small, large }'),
    }),
  );
});

test('close closes what can be closed', async () => {
  let closed = 0;
  const closing = { ...saying('a'), close: async () => void closed++ };
  await routeBy({ one: closing, same: closing, other: saying('b') }, () => 'one').close();
  expect(closed).toBe(1);
});

test('in a run: by step, with a fallback within, and the trace says who answered', async () => {
  const small = scriptedModel(['Thought: hm', 'Thought: hm'], { name: 'small' });
  const down = scriptedModel([], { name: 'down' });
  const large = scriptedModel(['Final Answer: 42'], { name: 'large' });
  const events: TraceEvent[] = [];
  const model = routeBy({ small, large: fallback([down, large]) }, ({ step }) => (step < 2 ? 'small' : 'large'));
  const outcome = await createAgent({ model, onEvent: (event) => events.push(event) }).run('x');
  expect(outcome).toMatchObject({ ok: true, answer: '42' });
  const asked = events.flatMap((event) => (event.type === 'model.asked' ? [`${event.step} ${event.name}`] : []));
  expect(asked).toEqual(['1 small', '2 down | large', '2 down', '2 large']);
});
