/** What fuzzing found: values, errors and schemas of foreign code that once broke the call, or the process. */
import { expect, it } from 'vitest';
import type { ToolRecord } from '../../src/core/tool.ts';
import { tool } from '../../src/tool.ts';
import { act, answer, anyInput, observationAfter, returns, setup } from './setup.ts';

const throws = (thrown: unknown) => returns(null, { execute: () => Promise.reject(thrown) });
const odd = (members: PropertyDescriptorMap) => Object.defineProperties(new Error('x'), members);
const messageThrows = odd({
  message: {
    get: () => {
      throw new Error('no');
    },
  },
});
const hostile = new Proxy(
  {},
  {
    getPrototypeOf: () => {
      throw new Error('no');
    },
  },
);
/** An object that contains another twice, sixty times over: written out it would have 2^60 leaves. */
const shared = Array.from({ length: 60 }).reduce<unknown>((inside) => [inside, inside], 'leaf');
const sparse: unknown[] = [];
sparse.length = 2 ** 31;
const issues = (message: unknown): ToolRecord => ({
  a: {
    ...returns('seen'),
    inputSchema: { '~standard': { version: 1, vendor: 'x', validate: () => ({ issues: [{ message }] }) } },
  },
});

it.each<[string, ToolRecord, string]>([
  ['returns an error whose message throws', { a: returns(messageThrows) }, 'cannot be shown'],
  ['returns an error whose name is a symbol', { a: returns(odd({ name: { value: Symbol('n') } })) }, 'cannot be shown'],
  ['returns a proxy that hides what it is', { a: returns(hostile) }, 'cannot be shown'],
  ['returns an object that grows without end', { a: returns(shared) }, 'of'],
  ['returns a list of two thousand million holes', { a: returns(sparse) }, 'more)'],
  ['throws an object that grows without end', { a: throws(shared) }, 'a failed: '],
  ['throws a list of two thousand million holes', { a: throws(sparse) }, 'more)'],
  ['throws an error whose message is an object', { a: throws(odd({ message: { value: {} } })) }, 'a failed: Error.'],
  ['throws an error without words', { a: throws(odd({ message: { value: 1 }, name: { value: 2 } })) }, 'without words'],
  ['has an issue that is a symbol', issues(Symbol('wrong')), 'Symbol(wrong)'],
  ['has an issue that is an object', issues({ toString: () => 1 }), 'The input of a cannot be used'],
  ['has an issue of a hundred thousand characters', issues('y'.repeat(100_000)), 'yyy…'],
])('a tool that %s has a result of bounded size', async (_what, tools, told) => {
  const { run, model } = setup({ replies: [act('a'), answer('ok')], tools });
  expect(await run()).toMatchObject({ ok: true });
  expect(observationAfter(model, 1)).toContain(told);
  expect(observationAfter(model, 1).length).toBeLessThan(10_000);
});

it.each([
  ['a plain JSON Schema', anyInput],
  ['the AI SDK', { jsonSchema: anyInput, validate: (value: unknown) => ({ success: true, value }) }],
])('a tool that writes into its input changes nothing of the record: %s', async (_what, inputSchema) => {
  const wipe = tool({
    inputSchema,
    execute: (input: unknown) => {
      if (typeof input === 'object' && input !== null) Reflect.set(input, 'n', 'changed');
      return 'done';
    },
  });
  const { run, events } = setup({ replies: [act('wipe', { n: 1 }), answer('ok')], tools: { wipe } });
  expect(await run()).toMatchObject({ steps: [{ calls: [{ input: { n: 1 } }] }, {}] });
  expect(events.find(({ type }) => type === 'calls.checked')).toMatchObject({ verdicts: [{ input: { n: 1 } }] });
});

it.each([
  ['en', 'nested deeper than 200 levels'],
  ['zh', '嵌套超过 200 层'],
] as const)('an edited input that is nested too deeply is refused, in %s', async (language, told) => {
  let deep: object = {};
  for (let level = 0; level < 300; level++) deep = { deep };
  const send = returns('sent', { sideEffect: true });
  const { clock, model, start } = setup({ replies: [act('send'), answer('ok')], tools: { send }, agent: { language } });
  const run = start();
  await clock.calm();
  run.approve('1.1', { input: { deep: JSON.parse(JSON.stringify({ deep: null })), ...deep } });
  expect(await clock.until(run.outcome)).toMatchObject({ ok: true, steps: [{ calls: [{ status: 'refused' }] }, {}] });
  expect(observationAfter(model, 1)).toContain(told);
});
