/** What `fallback` takes, when it may ask another model, and how it is closed. */
import { expect, test } from 'vitest';
import type { AgentError } from '../../src/core/errors.ts';
import type { Model, ModelFailed, ModelFailure } from '../../src/core/model.ts';
import { fallback } from '../../src/models/fallback.ts';
import { collect, lastOf, requestOf, textOf } from './asking.ts';
import { ask, failed, telling, text, well } from './fallback-setup.ts';

test('`on` decides, and is asked of no abort', async () => {
  const seen: ModelFailure[] = [];
  const on = ({ failure }: ModelFailed) => {
    seen.push(failure);
    return failure === 'connection';
  };
  const refused = failed('refused', { afterMs: 4 });
  expect(lastOf(await ask([telling('a', [refused]), well('b')], { on }))).toEqual(refused);
  expect(lastOf(await ask([telling('a', [text('x'), refused]), well('b')], { on }))).toEqual(refused);
  expect(textOf(await ask([telling('a', [failed('connection')]), well('b')], { on }))).toBe('b');
  expect(lastOf(await ask([telling('a', [failed('aborted')]), well('b')], { on }))).toEqual(failed('aborted'));
  expect(seen).toEqual(['refused', 'refused', 'connection']);
});

const wrongDecisions: readonly (readonly [string, () => unknown, string])[] = [
  [
    'throws',
    () => {
      throw new Error('no idea');
    },
    'threw: no idea',
  ],
  ['is a promise', () => Promise.resolve(true), 'gave a promise'],
  ['is a promise that is rejected', () => Promise.reject(new Error('x')), 'gave a promise'],
  ['is nothing', () => undefined, 'gave undefined'],
];

test.each(wrongDecisions)('an `on` that %s', async (_, on, message) => {
  const model: unknown = Reflect.apply(fallback, undefined, [[telling('a', [failed('refused')]), well('b')], { on }]);
  expect(lastOf(await collect(checkedModel(model).generate(requestOf())))).toMatchObject({
    type: 'failed',
    failure: 'contract',
    message: expect.stringContaining(message),
  });
});

function checkedModel(value: unknown): Model {
  if (!isModel(value)) throw new Error('That is no model.');
  return value;
}

function isModel(value: unknown): value is Model {
  return typeof value === 'object' && value !== null && 'generate' in value;
}

test('close closes each once, all of them, and tells the first error', async () => {
  const closed: string[] = [];
  const closing = (name: string, error?: Error) => ({
    ...well(name),
    async close() {
      if (error !== undefined) {
        closed.push(name);
        throw error;
      }
      // Later than the error, which does not hide it.
      await new Promise((turn) => setImmediate(turn));
      closed.push(name);
    },
  });
  const [a, c] = [closing('a', new Error('a cannot')), closing('c')];
  await expect(fallback([a, well('b'), a, fallback([c])]).close()).rejects.toThrow('a cannot');
  expect(closed).toEqual(['a', 'c']);
});

const refused: readonly (readonly [string, readonly unknown[], string])[] = [
  ['nothing', [], 'undefined'],
  ['an empty list', [[]], 'no model'],
  ['a model alone', [well('a')], 'an object'],
  ['a list with a text', [[well('a'), 'gpt-4o-mini']], 'number 2 is a string'],
  ['a list with an object', [[{ provider: 'a', name: 'b' }]], 'number 1 is an object'],
  ['a misspelt option', [[well('a')], { onn: () => true }], 'onn is not an option of fallback'],
  ['options that are none', [[well('a')], null], 'options is not an object'],
  ['an `on` that is no function', [[well('a')], { on: 'refused' }], 'on of fallback is a string'],
];

test.each(refused)('%s is refused', (_, given, message) => {
  expect(() => Reflect.apply(fallback, undefined, given)).toThrow(
    expect.objectContaining<Partial<AgentError>>({
      code: 'invalid_option',
      message: expect.stringContaining(message),
      hint: expect.stringMatching(/\w+\W+\w+/),
    }),
  );
});
