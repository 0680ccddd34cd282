/** An input that almost fits its schema is taken as it was surely meant, and what was changed is recorded. */
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/core/json.ts';
import { coerceInput } from '../../src/dispatch/coerce.ts';
import { act, answer, observationAfter, returns, setup } from '../shell/setup.ts';

describe('an input that almost fits', () => {
  const schema = (properties: JsonObject, required: readonly string[] = Object.keys(properties)): JsonObject => ({
    type: 'object',
    properties,
    required,
  });
  const number = { type: 'number' };
  const integer = { type: 'integer' };
  const string = { type: 'string' };

  test.each<[string, JsonValue, JsonObject, JsonValue]>([
    ['a number as text', { n: '5' }, schema({ n: number }), { n: 5 }],
    ['a negative fraction as text', { n: '-1.25' }, schema({ n: number }), { n: -1.25 }],
    ['an integer as text', { n: '12' }, schema({ n: integer }), { n: 12 }],
    ['a truth as text', { b: 'true' }, schema({ b: { type: 'boolean' } }), { b: true }],
    ['in a list', { l: ['1', 2, '3'] }, schema({ l: { type: 'array', items: number } }), { l: [1, 2, 3] }],
    ['nested', { o: { n: '1' } }, schema({ o: schema({ n: number }) }), { o: { n: 1 } }],
    ['null for what may be left out', { s: 'x', n: null }, schema({ s: string, n: number }, ['s']), { s: 'x' }],
    ['plain text for the one text', 'tide', schema({ q: string }), { q: 'tide' }],
    ['plain text beside fields that may be left out', 'tide', schema({ q: string, n: number }, ['q']), { q: 'tide' }],
    ['the key __proto__', { __proto__: null, n: '1' }, schema({ n: number }), { n: 1 }],
  ])('%s', (_what, input, jsonSchema, meant) => {
    expect(coerceInput(input, jsonSchema)?.input).toEqual(meant);
  });

  test.each<[string, JsonValue, JsonObject]>([
    ['words for a number', { n: 'five' }, schema({ n: number })],
    ['blanks round a number', { n: ' 5' }, schema({ n: number })],
    ['another base', { n: '0x10' }, schema({ n: number })],
    ['a fraction for an integer', { n: '1.5' }, schema({ n: integer })],
    ['more digits than a number holds', { n: '12345678901234567' }, schema({ n: number })],
    ['a leading zero', { n: '007' }, schema({ n: number })],
    ['a number for a text', { s: 5 }, schema({ s: string })],
    ['a text for a text', { n: '5' }, schema({ n: string })],
    ['plain text for two texts', 'tide', schema({ q: string, r: string })],
    ['plain text for a number', '5', schema({ n: number })],
    ['an object that could not be read', '{"q": "tide', schema({ q: string })],
    ['two objects', ' {"q": "a"}{"q": "b"}', schema({ q: string })],
    ['a list for a text', '["tide"', schema({ q: string })],
    ['an object in backticks', '`{"q": "tide"', schema({ q: string })],
    ['null for what is required', { n: null }, schema({ n: number })],
    ['a choice of types', { n: '5' }, schema({ n: { anyOf: [number, string] } })],
    ['an unknown field', { m: '5' }, schema({ n: number }, [])],
    ['no schema of properties', { n: '5' }, { type: 'object' }],
  ])('is left alone: %s', (_what, input, jsonSchema) => {
    expect(coerceInput(input, jsonSchema)).toBeNull();
  });

  test('runs, and the change is recorded', async () => {
    const inputs: unknown[] = [];
    const find = returns('', { inputSchema: schema({ n: integer }), execute: (input: unknown) => inputs.push(input) });
    const { run, events } = setup({ replies: [act('find', { n: '5' }), answer('done')], tools: { find } });
    const outcome = await run();
    expect(inputs).toEqual([{ n: 5 }]);
    expect(outcome.steps[0]?.calls[0]?.input).toEqual({ n: 5 });
    const checked = events.find((event) => event.type === 'calls.checked');
    expect(checked?.verdicts[0]).toMatchObject({ pass: 'run', coerced: ['n: "5" → 5'] });
  });

  test('what still does not fit is refused as it was written', async () => {
    const find = returns('', { inputSchema: schema({ n: integer, s: string }) });
    const { run, model, events } = setup({ replies: [act('find', { n: '5' }), answer('done')], tools: { find } });
    const outcome = await run();
    expect(outcome.steps[0]?.calls[0]).toMatchObject({ status: 'refused', input: { n: '5' } });
    expect(observationAfter(model, 1)).toContain('The input of find cannot be used');
    expect(events.find((event) => event.type === 'calls.checked')?.verdicts[0]?.gate).toBe('input');
  });

  test('an input that a person edited passes the same gate', async () => {
    const inputs: unknown[] = [];
    const send = returns('', {
      inputSchema: schema({ n: integer }),
      sideEffect: true,
      execute: (input: unknown) => inputs.push(input),
    });
    const { start, clock } = setup({ replies: [act('send', { n: 1 }), answer('done')], tools: { send } });
    const run = start();
    await clock.calm();
    run.approve('1.1', { input: { n: '7' } });
    const outcome = await clock.until(run.outcome);
    expect(inputs).toEqual([{ n: 7 }]);
    expect(outcome.steps[0]?.calls[0]?.input).toEqual({ n: 7 });
  });
});
