/** Tools of every kind of schema behave the same, and the AI SDK's own tools work unchanged. */
import { tool as aiTool, jsonSchema } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ToolRecord } from '../../src/core/tool.ts';
import { tool } from '../../src/tool.ts';
import { act, answer, observationAfter, setup } from './setup.ts';

const plain = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
  additionalProperties: false,
} as const;
const weather = (city: unknown) => `sun in ${city}`;

const kinds: Readonly<Record<string, ToolRecord>> = {
  'plain JSON Schema': {
    weather: tool({ description: 'The weather.', inputSchema: plain, execute: ({ city }) => weather(city) }),
  },
  'zod 4': {
    weather: tool({
      description: 'The weather.',
      inputSchema: z.strictObject({ city: z.string(), days: z.int().optional() }),
      execute: ({ city }) => weather(city),
    }),
  },
  'the AI SDK, zod': {
    weather: aiTool({
      description: 'The weather.',
      inputSchema: z.strictObject({ city: z.string(), days: z.int().optional() }),
      execute: async ({ city }) => weather(city),
    }),
  },
  'the AI SDK, jsonSchema()': {
    weather: aiTool({
      description: 'The weather.',
      inputSchema: jsonSchema<{ city: string }>(plain),
      execute: async ({ city }) => weather(city),
    }),
  },
};

describe.each(Object.entries(kinds))('%s', (_kind, tools) => {
  it('runs, and the model is told of it', async () => {
    const { run, model } = setup({ replies: [act('weather', { city: 'Rome' }), answer('ok')], tools });
    expect(await run()).toMatchObject({
      ok: true,
      steps: [{ calls: [{ status: 'succeeded', output: 'sun in Rome' }] }, {}],
    });
    const system = model.requests[0]?.messages[0]?.content ?? '';
    for (const part of ['weather', 'The weather.', '"city"', '"required":["city"]']) expect(system).toContain(part);
  });

  it.each([
    ['a missing key', {}, 'city'],
    ['a wrong type', { city: 7 }, 'city'],
    ['a key too many', { city: 'Rome', planet: 'Earth' }, 'planet'],
  ])('refuses %s, by its name', async (_what, input, named) => {
    const { run, model } = setup({ replies: [act('weather', input), answer('ok')], tools });
    expect(await run()).toMatchObject({ steps: [{ calls: [{ status: 'refused' }] }, {}] });
    expect(observationAfter(model, 1)).toMatch(new RegExp(`\\[ToolError\\] The input of weather.*${named}`, 's'));
  });
});

it('a tool of the AI SDK gets the options that it expects', async () => {
  let seen: Readonly<Record<string, unknown>> = {};
  const look = aiTool({
    inputSchema: z.object({}),
    execute: async (_input, options) => {
      seen = { id: options.toolCallId, messages: options.messages.length, aborted: options.abortSignal?.aborted };
      return 'ok';
    },
  });
  const { run } = setup({ replies: [act('look'), answer('ok')], tools: { look } });
  await run();
  expect(seen).toEqual({ id: '1.1', messages: 2, aborted: false });
});

it('a tool of the AI SDK without execute is refused when the agent is made', () => {
  const look = aiTool({ inputSchema: z.object({}) });
  expect(() => setup({ replies: [], tools: { look } })).toThrow(/"look" has no execute function/);
});
