/** Schemas are foreign code: what their check may give, and how the model is told which key is wrong. */
import { describe, expect, it } from 'vitest';
import type { AnyTool } from '../../src/core/tool.ts';
import { act, answer, observationAfter, returns, setup } from '../shell/setup.ts';

type Then = (resolve: (value: unknown) => void) => unknown;
const good = { value: { n: 2 }, success: true };
const thens: readonly (readonly [what: string, then: Then, told: string])[] = [
  ['at once', (resolve) => resolve(good), '{"n":2}'],
  ['later', (resolve) => queueMicrotask(() => resolve(good)), '{"n":2}'],
  ['never', () => {}, 'no result in time'],
  [
    'by throwing',
    () => {
      throw new Error('no schema today');
    },
    'no schema today',
  ],
];

describe.each([
  ['a Standard Schema', (validate: unknown) => ({ '~standard': { version: 1, vendor: 'x', validate } })],
  ['the AI SDK', (validate: unknown) => ({ jsonSchema: { type: 'object' }, validate })],
])('a check of %s that gives a plain thenable, which settles', (_what, schema) => {
  const lazy = (then: Then) => schema(() => ({ then }));

  it.each(thens)('%s: an input', async (_when, then, told) => {
    const look: AnyTool = { inputSchema: lazy(then), execute: (input: unknown) => input };
    const { run, model } = setup({ replies: [act('look'), answer('ok')], tools: { look } });
    expect(await run()).toMatchObject({ ok: true });
    expect(observationAfter(model, 1)).toContain(told);
  });

  it.each(thens)('%s: a result', async (_when, then, told) => {
    const look = { ...returns('seen', { readOnly: true }), outputSchema: lazy(then) };
    const { run, model } = setup({ replies: [act('look'), answer('ok')], tools: { look } });
    expect(await run()).toMatchObject({ ok: true });
    expect(observationAfter(model, 1)).toContain(told);
  });

  it.each(thens)('%s: an answer', async (_when, then, told) => {
    const agent = { budget: { maxViolations: 1 } };
    Object.assign(agent, { answerSchema: lazy(then) });
    const { run, model } = setup({ replies: [answer('{"n":1}'), answer('{"n":1}')], agent });
    const outcome = await run();
    if (told === '{"n":2}') expect(outcome).toMatchObject({ ok: true, answer: { n: 2 } });
    else {
      expect(outcome.stopReason).not.toBe('internal_error');
      expect(JSON.stringify([outcome.steps, model.requests[1] ?? null])).toContain(told);
    }
  });
});

describe('the key that is wrong', () => {
  const properties = Object.fromEntries(
    ['城市', 'a/b~c', '100%', 'ü b#c', '%E5'].map((key) => [key, { type: 'number' }]),
  );

  it.each(Object.keys(properties))('is told as it is written: %s', async (key) => {
    const look: AnyTool = { inputSchema: { type: 'object', properties }, execute: () => 'seen' };
    const { run, model } = setup({ replies: [act('look', { [key]: 'much' }), answer('ok')], tools: { look } });
    expect(await run()).toMatchObject({ ok: true });
    expect(observationAfter(model, 1)).toContain(`cannot be used: ${key}: `);
  });

  it('also deep inside, with its place', async () => {
    const inputSchema = { type: 'object', properties: { 订单: { type: 'array', items: { properties } } } };
    const look: AnyTool = { inputSchema, execute: () => 'seen' };
    const input = { 订单: [{ 城市: 1 }, { 'a/b~c': 'x' }] };
    const { run, model } = setup({ replies: [act('look', input), answer('ok')], tools: { look } });
    await run();
    expect(observationAfter(model, 1)).toContain('订单.1.a/b~c: ');
  });
});
