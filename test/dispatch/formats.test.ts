/** `format` in a JSON Schema is a note for the model: what does not fit it is given to the tool. */
import { expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { act, answer, setup } from '../shell/setup.ts';

const text = { type: 'string', format: 'date' } as const;

it.each<[string, JsonObject, object, 'succeeded' | 'refused']>([
  ['a text that does not fit it', { properties: { day: text } }, { day: 'tomorrow' }, 'succeeded'],
  ['the type beside it counts', { properties: { day: text } }, { day: true }, 'refused'],
  ['a property of that name counts', { properties: { format: { const: 'pdf' } } }, { format: 'doc' }, 'refused'],
  ['and may be required', { properties: { format: {} }, required: ['format'] }, {}, 'refused'],
  [
    'in a definition',
    { $defs: { format: text }, properties: { day: { $ref: '#/$defs/format' } } },
    { day: 'x' },
    'succeeded',
  ],
  ['in a list', { properties: { days: { items: text } } }, { days: ['x'] }, 'succeeded'],
  ['one of several', { properties: { day: { anyOf: [{ type: 'null' }, text] } } }, { day: 'x' }, 'succeeded'],
  ['a value that has that key', { properties: { as: { const: { format: 'a' } } } }, { as: { format: 'b' } }, 'refused'],
  ['one of some values', { properties: { as: { enum: [{ format: 'a' }] } } }, { as: { format: 'a' } }, 'succeeded'],
])('%s', async (_what, schema, input, status) => {
  const given: unknown[] = [];
  const look = { inputSchema: { type: 'object', ...schema }, execute: (input: unknown) => given.push(input) };
  const { run, model } = setup({ replies: [act('look', input), answer('ok')], tools: { look } });
  const outcome = await run();
  expect(outcome.steps[0]?.calls[0]?.status).toBe(status);
  expect(given).toEqual(status === 'succeeded' ? [input] : []);
  expect(model.requests[0]?.messages[0]?.content).toContain(JSON.stringify(look.inputSchema));
});
