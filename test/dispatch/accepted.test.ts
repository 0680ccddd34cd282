/** Results that are checked before the model sees them: by the tool's own schema, and by the user. */
import { tool as aiTool, jsonSchema } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AgentError } from '../../src/core/errors.ts';
import type { AnyTool, ToolMarks } from '../../src/core/tool.ts';
import { tool } from '../../src/tool.ts';
import { act, answer, anyInput, observationAfter, returns, setup } from '../shell/setup.ts';
import { does, gives, type Told, told } from './told.ts';

const weather = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as const;
const never = () => new Promise<never>(() => {});
const standard = (validate: (value: unknown) => unknown) => ({ '~standard': { version: 1, vendor: 'x', validate } });

describe.each<[string, unknown]>([
  ['zod', z.object({ city: z.string() })],
  ['plain JSON Schema', weather],
  ['the AI SDK, jsonSchema()', jsonSchema(weather)],
  [
    'the AI SDK, with a check of its own',
    jsonSchema<{ city: string }>(weather, {
      validate: (value) => {
        const checked = z.object({ city: z.string() }).safeParse(value);
        return checked.success ? { success: true, value: checked.data } : { success: false, error: checked.error };
      },
    }),
  ],
  [
    'a Standard Schema that takes its time',
    standard(async (value) => z.object({ city: z.string() })['~standard'].validate(value)),
  ],
])('outputSchema: %s', (_kind, outputSchema) => {
  it('lets through what fits', async () => {
    const { settled } = await told(gives({ city: 'Rome' }, { outputSchema }));
    expect(settled).toMatchObject({ result: 'succeeded', observation: '{"city":"Rome"}', output: { city: 'Rome' } });
  });

  it.each<[string, unknown]>([
    ['a wrong type', { city: 7 }],
    ['a missing field', {}],
  ])('says which field is wrong: %s', async (_what, value) => {
    const { settled, sent } = await told(gives(value, { outputSchema, readOnly: true }));
    expect(settled).toMatchObject({ result: 'failed', output: null });
    expect(settled.observation).toMatch(
      /^\[ToolError\] look ran, but its result cannot be used: .*city.*Change the input/s,
    );
    expect(sent).toContain('city');
  });
});

it('the AI SDK’s tool with an outputSchema is checked too', async () => {
  const look = aiTool({
    inputSchema: z.object({}),
    outputSchema: z.object({ n: z.number() }),
    execute: () => JSON.parse('{"n":"one"}'),
  });
  expect((await told(look)).observation).toContain('[ToolError] look ran, but its result cannot be used: n: ');
});

describe('the model sees what the schema makes of the result', () => {
  it.each<[string, unknown, unknown, string]>([
    ['without fields that it does not name', z.object({ a: z.number() }), { a: 1, internal: 'x' }, '{"a":1}'],
    ['with what it fills in', z.object({ a: z.number().default(3) }), {}, '{"a":3}'],
    [
      'a value that is not JSON, to a Standard Schema',
      z.object({ at: z.date() }),
      { at: new Date(0) },
      '{"at":"1970-01-01T00:00:00.000Z"}',
    ],
    [
      'the same, as JSON to a JSON Schema',
      { type: 'object', properties: { at: { type: 'string' } } },
      { at: new Date(0) },
      '{"at":"1970-01-01T00:00:00.000Z"}',
    ],
    ['a text', z.string().min(1), 'seen', 'seen'],
  ])('%s', async (_what, outputSchema, value, observation) => {
    expect((await told(gives(value, { outputSchema }))).observation).toBe(observation);
  });
});

describe('a result that is not accepted', () => {
  const schemaFails = (marks: ToolMarks) => told(gives({}, { ...marks, outputSchema: weather }));
  const checkFails = (marks: ToolMarks) => told(gives({}, marks), { checkResult: () => 'the city is missing' });
  describe.each<[string, (marks: ToolMarks) => Promise<Told>]>([
    ['by its schema', schemaFails],
    ['by the user', checkFails],
  ])('%s', (_who, fails) => {
    it.each<[string, ToolMarks, string, string]>([
      ['a read failed', { readOnly: true }, 'failed', 'Change the input'],
      ['an idempotent tool failed', { idempotent: true }, 'failed', 'Change the input'],
      ['an unmarked tool: nobody knows', {}, 'unknown', 'it will not be run again with this input'],
      [
        'a side effect: nobody knows',
        { sideEffect: true, needsApproval: false } as ToolMarks,
        'unknown',
        'may have taken effect',
      ],
    ])('%s', async (_what, marks, result, observation) => {
      const { settled, outcome } = await fails(marks);
      expect(settled).toMatchObject({ result, observation: expect.stringContaining(observation), output: null });
      expect(outcome.unknown).toHaveLength(result === 'unknown' ? 1 : 0);
    });
  });

  it('is not run again where it may have had an effect, and counts for the fuse', async () => {
    let runs = 0;
    const send = does(() => ({ n: ++runs }), { sideEffect: true, needsApproval: false, outputSchema: weather });
    const { run, model } = setup({ replies: [act('send'), act('send'), act('send')], tools: { send } });
    expect(await run()).toMatchObject({ ok: false, stopReason: 'tool_errors_exhausted' });
    expect(runs).toBe(1);
    expect(observationAfter(model, 2)).toContain('nobody knows whether it took effect');
  });

  it('is no answer, where the tool ends the run', async () => {
    const finish = gives({ n: 1 }, { endsRun: true, outputSchema: weather, readOnly: true });
    const { run } = setup({ replies: [act('finish'), answer('by hand')], tools: { finish } });
    expect(await run()).toMatchObject({ ok: true, answer: 'by hand' });
  });
});

describe('checks that misbehave are bounded', () => {
  const throwsIt = () => {
    throw new Error('no check today');
  };
  it.each<[string, Partial<AnyTool>, object, string]>([
    ['a schema that throws', { outputSchema: standard(throwsIt) }, {}, 'could not be checked (no check today)'],
    ['a schema that hangs', { outputSchema: standard(never) }, {}, 'could not be checked (no result in time)'],
    ['a schema that rejects', { outputSchema: standard(async () => throwsIt()) }, {}, 'no check today'],
    ['a schema that gives nothing', { outputSchema: standard(() => undefined) }, {}, 'could not be checked'],
    ['a schema that refers to itself', { outputSchema: { $ref: '#' } }, {}, '[ToolError] look ran'],
    ['a check that throws', {}, { checkResult: throwsIt }, 'could not be checked (no check today)'],
    ['a check that hangs', {}, { checkResult: never }, 'could not be checked (no result in time)'],
    ['a check that rejects', {}, { checkResult: async () => throwsIt() }, 'no check today'],
    ['a check that gives something else', {}, { checkResult: () => 7 }, 'its result was not accepted. Change'],
    ['a check that says no', {}, { checkResult: () => false }, 'its result was not accepted. Change'],
    ['a check that says much', {}, { checkResult: () => 'no'.repeat(100_000) }, 'was not accepted: nono'],
  ])('%s', async (_what, marks, agent, observation) => {
    const { settled, elapsedMs } = await told(gives({ n: 1 }, { readOnly: true, ...marks }), agent);
    expect(settled).toMatchObject({ result: 'failed', observation: expect.stringContaining(observation) });
    expect(settled.observation.length).toBeLessThan(1_500);
    expect(elapsedMs).toBeLessThanOrEqual(10_000);
  });

  it('an abort during the check ends the run, and leaves nothing behind', async () => {
    const { clock, start } = setup({ replies: [act('look')], agent: { checkResult: never } });
    const run = start();
    await clock.calm();
    run.abort();
    expect(await run.outcome).toMatchObject({ stopReason: 'aborted' });
    expect(clock.armed).toBe(0);
  });
});

describe('checkResult', () => {
  it('is given the output and the call', async () => {
    const seen: unknown[] = [];
    const { settled } = await told(
      gives({ a: 1, extra: 2 }, { outputSchema: z.object({ a: z.number() }) }),
      {
        checkResult: async (...given) => {
          seen.push(...given);
          return true;
        },
      },
      { q: 'x' },
    );
    expect(settled.result).toBe('succeeded');
    expect(seen).toEqual([{ a: 1 }, { toolCallId: '1.1', tool: 'look', input: { q: 'x' } }]);
  });

  it('says what is wrong in its own words, and the result is not shown', async () => {
    const { sent } = await told(gives({ price: -4 }, { readOnly: true }), {
      checkResult: () => 'The price is negative',
    });
    expect(sent).toContain(
      '[ToolError] look ran, but its result was not accepted: The price is negative. Change the input',
    );
    expect(sent).not.toContain('-4');
  });

  it('in Chinese', async () => {
    const { observation } = await told(gives(1), { checkResult: () => '价格不对', language: 'zh' });
    expect(observation).toBe(
      '[ToolError] look 已执行，但结果未被接受：价格不对. look 可能已经生效；不会再用这个输入执行它。请用其他工具确认，或在答案中说明。',
    );
  });

  it('is not asked about a tool that failed', async () => {
    let asked = 0;
    await told(
      does(() => JSON.parse('{')),
      { checkResult: () => ++asked > 0 || true },
    );
    expect(asked).toBe(0);
  });

  it('is not asked in a dry run, and neither is the schema: there is no result', async () => {
    const { settled } = await told(gives({}, { outputSchema: weather, empty: () => true }), {
      policy: 'dryRun',
      checkResult: () => 'it is wrong',
    });
    expect(settled).toMatchObject({
      result: 'succeeded',
      observation: expect.stringMatching(/^\(Dry run: look would/),
    });
  });

  it('must be a function', () => {
    expect(() => setup({ replies: [], agent: JSON.parse('{"checkResult":true}') })).toThrow(AgentError);
  });
});

describe('the types and marks of a tool', () => {
  it('execute must give what outputSchema takes', () => {
    const outputSchema = z.object({ kind: z.enum(['a', 'b']) });
    tool({ inputSchema: anyInput, outputSchema, execute: () => ({ kind: 'a' }) });
    tool({ inputSchema: anyInput, outputSchema, execute: async () => ({ kind: 'b' }) });
    tool({ inputSchema: anyInput, outputSchema: weather, execute: () => 7 });
    // @ts-expect-error the kind is a text
    tool({ inputSchema: anyInput, outputSchema, execute: () => ({ kind: 7 }) });
    // @ts-expect-error it is an object
    tool({ inputSchema: anyInput, outputSchema, execute: async () => 'a' });
    tool({ inputSchema: anyInput, execute: () => [1], empty: (output) => output.length === 0 });
    // @ts-expect-error a list has no such member
    tool({ inputSchema: anyInput, execute: () => [1], empty: (output) => output.size === 0 });
    expect(outputSchema).toBeDefined();
  });

  it.each<[string, Partial<AnyTool>, string]>([
    ['an outputSchema that is none', { outputSchema: 'text' }, 'tools.look.outputSchema is not a schema'],
    ['an empty mark that is none', JSON.parse('{"empty":true}'), 'has an empty mark that is no function'],
  ])('%s is refused when the agent is made', (_what, marks, message) => {
    expect(() => setup({ replies: [], tools: { look: { ...returns(1), ...marks } } })).toThrow(message);
  });
});

describe('a result that holds nothing says so', () => {
  const hits = (output: unknown) =>
    typeof output === 'object' && output !== null && 'total' in output && output.total === 0;
  it.each<[string, unknown, Partial<AnyTool>, string]>([
    ['undefined', undefined, {}, '(The tool succeeded and returned nothing.)'],
    ['null', null, {}, '(The tool succeeded and returned nothing.)'],
    ['an empty text', '', {}, '(The tool succeeded and returned nothing.)'],
    ['blanks', ' \n\t ', {}, '(The tool succeeded and returned nothing.)'],
    ['an empty list', [], {}, '(The tool succeeded and found nothing.)'],
    ['an empty object', {}, {}, '(The tool succeeded and found nothing.)'],
    ['an empty map', new Map(), {}, '(The tool succeeded and found nothing.)'],
    ['an empty set', new Set(), {}, '(The tool succeeded and found nothing.)'],
    ['an empty list as a text', '[]\n', {}, '(The tool succeeded and found nothing.)'],
    [
      'what the tool calls empty',
      { total: 0, hits: [] },
      { empty: hits },
      '(The tool succeeded and found nothing.)\n{"total":0,"hits":[]}',
    ],
    [
      'an error that the tool calls empty',
      'Error: none',
      { empty: () => true },
      '(The tool succeeded and found nothing.)\nError: none',
    ],
    ['nothing that the tool calls empty', undefined, { empty: () => true }, '(The tool succeeded and found nothing.)'],
    ['what the tool does not call empty', { total: 1 }, { empty: hits }, '{"total":1}'],
    ['a mark that throws', { total: 1 }, { empty: () => JSON.parse('{') }, '{"total":1}'],
    ['a mark that gives a promise', { total: 1 }, { empty: async () => true }, '{"total":1}'],
    ['zero is something', 0, {}, '0'],
    ['false is something', false, {}, 'false'],
    ['a list with nothing in it is something', [null], {}, '[null]'],
  ])('%s', async (_what, value, marks, observation) => {
    expect((await told(gives(value, marks))).settled).toMatchObject({ result: 'succeeded', observation });
  });

  it('in Chinese', async () => {
    expect((await told(gives([]), { language: 'zh' })).observation).toBe('（工具执行成功，没有找到任何内容。）');
  });
});
