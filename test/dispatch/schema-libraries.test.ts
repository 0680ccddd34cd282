/**
 * Tools with the schemas of real libraries: the same verdict, the same input, and the same field named to the model. What a
 * library cannot is a row of its own.
 */
import { toJsonSchema, toStandardJsonSchema } from '@valibot/to-json-schema';
import { tool as aiTool, jsonSchema, zodSchema } from 'ai';
import * as v from 'valibot';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod-3';
import { zodToJsonSchema } from 'zod-to-json-schema';
import type { InferInput } from '../../src/core/schema.ts';
import type { AnyTool } from '../../src/core/tool.ts';
import { tool } from '../../src/tool.ts';
import { withJsonSchema } from '../../tools/with-json-schema.ts';
import { act, answer, observationAfter, setup } from '../shell/setup.ts';

const zod4 = z.strictObject({
  city: z.string(),
  days: z.int().optional(),
  unit: z.enum(['c', 'f']).default('c'),
  legs: z.array(z.strictObject({ to: z.string(), km: z.number() })).optional(),
});
const zod3 = z3.strictObject({
  city: z3.string(),
  days: z3.number().int().optional(),
  unit: z3.enum(['c', 'f']).default('c'),
  legs: z3.array(z3.strictObject({ to: z3.string(), km: z3.number() })).optional(),
});
const valibot = v.strictObject({
  city: v.string(),
  days: v.optional(v.pipe(v.number(), v.integer())),
  unit: v.optional(v.picklist(['c', 'f']), 'c'),
  legs: v.optional(v.array(v.strictObject({ to: v.string(), km: v.number() }))),
});
const leg = {
  type: 'object',
  properties: { to: { type: 'string' }, km: { type: 'number' } },
  required: ['to', 'km'],
  additionalProperties: false,
} as const;
const plain = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    days: { type: 'integer' },
    unit: { type: 'string', enum: ['c', 'f'], default: 'c' },
    legs: { type: 'array', items: leg },
  },
  required: ['city'],
  additionalProperties: false,
} as const;

const total = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] } as const;

interface Library {
  readonly input: AnyTool['inputSchema'];
  readonly output: AnyTool['outputSchema'];
  /** The model is told the fields, and almost fitting inputs are taken. Default: true. */
  readonly isDescribed?: false;
  /** It puts defaults where nothing was written. Default: true. */
  readonly fillsIn?: false;
}

const outputs = {
  zod4: z.object({ total: z.number() }),
  zod3: z3.object({ total: z3.number() }),
  valibot: v.object({ total: v.number() }),
};

/** Their types are of their own copy of zod, and ours is installed under another name. */
function made(by: unknown, schema: unknown): object {
  const result: unknown = typeof by === 'function' ? Reflect.apply(by, undefined, [schema]) : null;
  if (typeof result !== 'object' || result === null) throw new Error('The converter gave no object.');
  return result;
}

const libraries: Readonly<Record<string, Library>> = {
  'zod 4': { input: zod4, output: outputs.zod4 },
  'zod 3 with its converter': { input: withJsonSchema(zod3, made(zodToJsonSchema, zod3)), output: outputs.zod3 },
  'zod 3 alone': { input: zod3, output: outputs.zod3, isDescribed: false },
  'valibot with its converter': { input: toStandardJsonSchema(valibot), output: outputs.valibot },
  'valibot and its JSON Schema': { input: withJsonSchema(valibot, toJsonSchema(valibot)), output: outputs.valibot },
  'valibot alone': { input: valibot, output: outputs.valibot, isDescribed: false },
  'JSON Schema': { input: plain, output: total, fillsIn: false },
  'the AI SDK’s jsonSchema()': { input: jsonSchema(plain), output: jsonSchema(total), fillsIn: false },
  'the AI SDK’s zodSchema() of zod 4': { input: zodSchema(zod4), output: zodSchema(outputs.zod4) },
  'the AI SDK’s zodSchema() of zod 3': {
    input: made(zodSchema, zod3),
    output: made(zodSchema, outputs.zod3),
  },
};

interface Called {
  readonly status: string | undefined;
  /** What `execute` was given; null where it was not run. */
  readonly input: unknown;
  /** What the model was told. */
  readonly told: string;
  /** The system message. */
  readonly prompt: string;
}

/** One call, written as a text or as JSON, of a tool that gives `result`. */
async function called(library: Library, written: unknown, result: unknown = 'ok', isChecked = false): Promise<Called> {
  let input: unknown = null;
  const weather: AnyTool = {
    description: 'The weather.',
    inputSchema: library.input,
    outputSchema: isChecked ? library.output : undefined,
    readOnly: true,
    execute: (given: unknown) => {
      input = given;
      return result;
    },
  };
  const reply = typeof written === 'string' ? `Thought: t\nAction: weather\nAction Input: ${written}` : null;
  const { run, model } = setup({ replies: [reply ?? act('weather', written), answer('ok')], tools: { weather } });
  const { steps } = await run();
  const prompt = model.requests[0]?.messages[0]?.content ?? '';
  return { status: steps[0]?.calls[0]?.status, input, told: observationAfter(model, 1), prompt };
}

describe.each(Object.entries(libraries))('%s', (_name, library) => {
  const { isDescribed = true, fillsIn = true } = library;
  const unit = fillsIn ? { unit: 'c' } : {};

  it.each<[string, unknown, object]>([
    ['a right input', { city: 'Rome', days: 2, unit: 'f' }, { city: 'Rome', days: 2, unit: 'f' }],
    ['a default where nothing is written', { city: 'Rome' }, { city: 'Rome', ...unit }],
    [
      'a nested list',
      { city: 'Rome', legs: [{ to: 'Pisa', km: 3.5 }] },
      { city: 'Rome', legs: [{ to: 'Pisa', km: 3.5 }], ...unit },
    ],
  ])('takes %s', async (_what, written, input) => {
    expect(await called(library, written)).toMatchObject({ status: 'succeeded', input });
    expect((await called(library, written)).input).toEqual(input);
  });

  it.each<[string, unknown, string]>([
    ['a missing key', { days: 1 }, 'city'],
    ['a wrong type', { city: 7 }, 'city'],
    ['a key too many', { city: 'Rome', planet: 'Earth' }, 'planet'],
    ['a value that is not of the list', { city: 'Rome', unit: 'k' }, 'unit'],
    [
      'a wrong type deep inside',
      {
        city: 'Rome',
        legs: [
          { to: 'a', km: 1 },
          { to: 'b', km: 'far' },
        ],
      },
      'legs.1.km',
    ],
    ['a key that the prototype sets', JSON.parse('{"city":"Rome","__proto__":{"polluted":1}}'), '__proto__'],
    ['a key that the prototype has', { city: 'Rome', constructor: 2 }, 'constructor'],
  ])('refuses %s, by its name', async (_what, written, field) => {
    const { status, input, told } = await called(library, written);
    expect({ status, input }).toEqual({ status: 'refused', input: null });
    const [said = '', expected = ''] = told.split('Expected: {');
    expect(said).toContain('[ToolError] The input of weather cannot be used: ');
    expect(said).toContain(field);
    expect(said).not.toContain('\n');
    expect(expected.startsWith('"city": string, "days"?: integer, "unit"?: string, "legs"?: array}')).toBe(isDescribed);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it.each<[string, unknown, object]>([
    ['a number in quotes', { city: 'Rome', days: '5' }, { city: 'Rome', days: 5, ...unit }],
    ['plain text', 'Rome', { city: 'Rome', ...unit }],
    ['null for what may be left out', { city: 'Rome', days: null, unit: null }, { city: 'Rome', ...unit }],
    [
      'a number in quotes deep inside',
      { city: 'a', legs: [{ to: 'b', km: '1.5' }] },
      { city: 'a', legs: [{ to: 'b', km: 1.5 }], ...unit },
    ],
  ])(isDescribed ? 'takes %s' : 'cannot take %s: the form is not known', async (_what, written, input) => {
    const call = await called(library, written);
    if (isDescribed) expect(call).toMatchObject({ status: 'succeeded' });
    expect(call.input).toEqual(isDescribed ? input : null);
  });

  it('checks the result, and names the field', async () => {
    const asked = { city: 'Rome' };
    expect(await called(library, asked, { total: 3 }, true)).toMatchObject({
      status: 'succeeded',
      told: 'Observation: {"total":3}',
    });
    const { status, told } = await called(library, asked, { total: 'three' }, true);
    expect(status).toBe('failed');
    expect(told).toContain('weather ran, but its result cannot be used: total: ');
  });

  it(isDescribed ? 'the model is told the fields' : 'the model is told the description alone', async () => {
    const { prompt } = await called(library, { city: 'Rome' });
    expect(prompt).toContain('- weather: The weather.');
    const [, shown] = /Input \(JSON Schema\): (.*)/.exec(prompt) ?? [];
    if (!isDescribed) return expect(shown).toBeUndefined();
    expect(JSON.parse(shown ?? '')).toMatchObject({
      ...plain,
      properties: { ...plain.properties, days: { type: 'integer' } },
    });
  });
});

describe('a tool of the AI SDK', () => {
  it('runs unchanged, from its input to its result', async () => {
    const seen: unknown[] = [];
    const look = aiTool({
      description: 'The weather.',
      inputSchema: zod4,
      execute: async (input, { toolCallId, messages, abortSignal }) => {
        seen.push(input, toolCallId, messages.length, abortSignal?.aborted);
        return { sun: true };
      },
    });
    const { run } = setup({ replies: [act('look', { city: 'Rome', days: '2' }), answer('ok')], tools: { look } });
    expect((await run()).steps[0]?.calls).toMatchObject([{ status: 'succeeded', output: { sun: true } }]);
    expect(seen).toEqual([{ city: 'Rome', days: 2, unit: 'c' }, '1.1', 2, false]);
  });

  it('may give its result piece by piece: the last counts', async () => {
    const look = aiTool({
      inputSchema: zod4,
      execute: async function* ({ city }) {
        yield { city, isDone: false };
        yield { city, isDone: true };
      },
    });
    const { run } = setup({ replies: [act('look', { city: 'Rome' }), answer('ok')], tools: { look } });
    expect((await run()).steps[0]?.calls).toMatchObject([{ output: { city: 'Rome', isDone: true } }]);
  });

  it.each<[string, boolean | ((input: { city: string }) => boolean | Promise<boolean>), string]>([
    ['always', true, 'suspended'],
    ['for this input', ({ city }) => city === 'Rome', 'suspended'],
    ['for this input, as a promise', async ({ city }) => city === 'Rome', 'suspended'],
    ['not for this one', ({ city }) => city === 'Pisa', 'final'],
    ['never', false, 'final'],
  ])('with needsApproval asks %s', async (_what, needsApproval, stopReason) => {
    const look = aiTool({ inputSchema: zod4, needsApproval, execute: async () => 'sun' });
    const { run } = setup({ replies: [act('look', { city: 'Rome' }), answer('ok')], tools: { look } });
    expect((await run()).stopReason).toBe(stopReason);
  });

  it('with needsApproval that looks at the call and at what was said', async () => {
    const seen: unknown[] = [];
    const look = aiTool({
      inputSchema: zod4,
      needsApproval: (input, { toolCallId, messages }) => {
        seen.push([input, toolCallId, messages.at(-1)]);
        return false;
      },
      execute: async () => 'sun',
    });
    const { run } = setup({ replies: [act('look', { city: 'Rome' }), answer('ok')], tools: { look } });
    expect((await run()).stopReason).toBe('final');
    expect(seen).toEqual([[{ city: 'Rome', unit: 'c' }, '1.1', { role: 'user', content: 'the task' }]]);
  });

  it('with toModelOutput is shown as it is: outputSchema is what shows less', async () => {
    const look = aiTool({
      inputSchema: zod4,
      outputSchema: z.object({ id: z.string() }),
      execute: async () => ({ id: 'A-7', note: 'vip' }),
      toModelOutput: () => ({ type: 'text', value: 'something else' }),
    });
    const { run, model } = setup({ replies: [act('look', { city: 'Rome' }), answer('ok')], tools: { look } });
    await run();
    expect(observationAfter(model, 1)).toBe('Observation: {"id":"A-7"}');
  });
});

it('execute knows its input from each schema', () => {
  interface Weather {
    readonly city: string;
    readonly unit: 'c' | 'f';
  }
  expectTypeOf<InferInput<typeof zod4>>().toExtend<Weather>();
  expectTypeOf<InferInput<typeof zod3>>().toExtend<Weather>();
  expectTypeOf<InferInput<typeof valibot>>().toExtend<Weather>();
  const described = { zod3: withJsonSchema(zod3, {}), valibot: withJsonSchema(valibot, {}) };
  expectTypeOf<InferInput<typeof described.zod3>>().toExtend<Weather>();
  expectTypeOf<InferInput<typeof described.valibot>>().toExtend<Weather>();
  tool({ inputSchema: described.zod3, execute: ({ city, unit }) => `${city} ${unit}` });
});

describe('refused when the agent is made', () => {
  const execute = () => 1;
  it.each<[string, unknown]>([
    ['a schema of a zod without Standard Schema', { _def: {}, parse: execute, safeParse: execute }],
    ['a schema of a library that validates by a method', { type: 'object', validate: execute }],
    ['nothing', undefined],
    ['a text', 'object'],
    ['a list', [plain]],
  ])('%s', (_what, inputSchema) => {
    const weather: AnyTool = { inputSchema, execute };
    expect(() => setup({ replies: [], tools: { weather } })).toThrow('tools.weather.inputSchema is not a schema.');
  });

  it.each<[string, unknown, unknown, string]>([
    ['withJsonSchema without a schema', plain, {}, 'no Standard Schema'],
    ['withJsonSchema without anything', undefined, {}, 'no Standard Schema'],
    ['withJsonSchema without a JSON Schema', zod3, undefined, 'is no object'],
    ['withJsonSchema with a list', zod3, [], 'is no object'],
  ])('%s', (_what, schema, described, message) => {
    expect(() => Reflect.apply(withJsonSchema, undefined, [schema, described])).toThrow(message);
  });
});
