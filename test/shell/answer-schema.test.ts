/** An answer with a schema: how its text is read, what the model is told, and what the outcome holds. */
import { jsonSchema } from 'ai';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { createAgent } from '../../src/agent.ts';
import type { JsonValue } from '../../src/core/json.ts';
import type { Language } from '../../src/core/language.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import type { InputSchema } from '../../src/core/schema.ts';
import type { Snapshot } from '../../src/core/snapshot.ts';
import { type ScriptEntry, scriptedModel } from '../../src/models/scripted.ts';
import type { Run } from '../../src/run.ts';
import { expectEnds } from '../../src/verify/expect-ends.ts';
import { virtualClock } from '../../src/verify/virtual-clock.ts';
import { act, answer, returns } from './setup.ts';

const plain = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
  additionalProperties: false,
} as const;
const kinds = {
  'zod 4': z.strictObject({ city: z.string(), days: z.int().optional() }),
  'JSON Schema': plain,
  'the AI SDK, jsonSchema()': jsonSchema<{ city: string; days?: number }>(plain),
};

async function ask(answerSchema: InputSchema, replies: readonly ScriptEntry[], options: { language?: Language } = {}) {
  const clock = virtualClock();
  const model = scriptedModel(replies, { clock });
  const agent = createAgent({ model, clock, answerSchema, budget: { maxSteps: replies.length }, ...options });
  return { outcome: await clock.until(agent.run('the task')), model, clock };
}

const rome = { city: 'Rome', days: 2 };
const accepted = {
  'JSON alone': '{"city":"Rome","days":2}',
  'JSON on lines': '\n{\n  "city": "Rome",\n  "days": 2\n}\n',
  'a fence': '```json\n{"city":"Rome","days":2}\n```',
  'a fence without a language': '```\n{"city":"Rome","days":2}\n```',
  'a fence on one line': '```json {"city":"Rome","days":2} ```',
  'a fence that is not closed': '```json\n{"city":"Rome","days":2}',
  'words round one fence': 'Here it is:\n```json\n{"city":"Rome","days":2}\n```\nI hope that helps.',
  'words behind it': '{"city":"Rome","days":2}\nI hope that helps.',
  'single quotes': "{'city': 'Rome', 'days': 2}",
  'a trailing comma': '{"city":"Rome","days":2,}',
  'Python words and no quotes': '{city: "Rome", days: 2}',
  'wide signs': '{“city”：“Rome”，“days”：2}',
  'a number as a text': '{"city":"Rome","days":"2"}',
};
const refusals = {
  'a key that is missing': ['{"days":2}', 'city'],
  'a wrong type': ['{"city":7}', 'city'],
  'a key too many': ['{"city":"Rome","planet":"Earth"}', 'planet'],
  'words round it without a fence': ['It is {"city":"Rome"}.', 'cannot be used'],
  'a list': ['[{"city":"Rome"}]', 'cannot be used'],
  'JSON that is cut in a key': ['{"city":"Rome","da', 'its JSON is cut, broken, or more than one value'],
  'JSON that is cut in a value': ['{"city":"Ro', 'its JSON is cut, broken, or more than one value'],
  'JSON whose end is cut': ['{"city":"Rome"', 'its JSON is cut, broken, or more than one value'],
  'a fence that is cut': ['```json\n{"city":"Rome"', 'its JSON is cut, broken, or more than one value'],
  'two values': ['{"city":"Rome"}\n{"city":"Paris"}', 'its JSON is cut, broken, or more than one value'],
  'two fences': ['```\n{"city":"Rome"}\n```\nor\n```\n{"city":"Paris"}\n```', 'more than one value'],
  null: ['null', 'cannot be used'],
  'a number': ['42', 'cannot be used'],
} as const;

describe.each(Object.entries(kinds))('%s', (_kind, schema) => {
  it.each(Object.entries(accepted))('takes %s', async (_what, text) => {
    const { outcome, clock } = await ask(schema, [answer(text)]);
    expect(outcome).toMatchObject({ ok: true, answer: rome, notes: [], violations: 0 });
    expect(clock.armed).toBe(0);
  });

  it.each(Object.entries(refusals))('refuses %s, and says what is wrong', async (_what, [text, named]) => {
    const { outcome, model } = await ask(schema, [answer(text), answer('{"city":"Rome"}')]);
    expect(outcome).toMatchObject({ ok: true, answer: { city: 'Rome' }, violations: 1 });
    const [step] = outcome.steps;
    expect(step).toMatchObject({ answer: null, violation: { code: 'answer_rejected' } });
    expect(step?.violation?.hint).toContain(named);
    expect(model.requests[1]?.messages.at(-1)?.content).toContain(named);
  });

  it('tells the form, in the end of the system message', async () => {
    const { model } = await ask(schema, [answer('{"city":"Rome"}')]);
    const system = model.requests[0]?.messages[0]?.content ?? '';
    const form = system.slice(system.lastIndexOf('\n\n') + 2);
    expect(form).toMatch(/^Whatever the examples show, the final answer itself is one JSON value that fits/);
    expect(JSON.parse(form.slice(form.indexOf('\n')))).toMatchObject({ properties: { city: { type: 'string' } } });
  });
});

describe('other forms', () => {
  const either = z.union([z.string(), z.strictObject({ n: z.int() })]);
  const rows: readonly (readonly [what: string, schema: InputSchema, text: string, value: unknown])[] = [
    ['a text', z.string(), 'Rome', 'Rome'],
    ['a text in quotes', z.string(), '"Rome"', 'Rome'],
    ['a text that reads like a number', z.string(), '42', '42'],
    ['a text that reads like JSON', z.string(), '{"a":1}', '{"a":1}'],
    ['a text with a bracket that stays open', z.string(), '[see the docs', '[see the docs'],
    ['a number', z.number(), '42', 42],
    ['a number in a text', z.number().or(z.string()), '42', 42],
    ['a text where a scalar does not fit', z.union([z.literal('42'), z.boolean()]), '42', '42'],
    ['a truth', z.boolean(), 'true', true],
    ['nothing', z.object({ a: z.int() }).nullable(), 'null', null],
    ['a list', z.array(z.int()), '[1, 2]', [1, 2]],
    ['a list in a fence', z.array(z.int()), 'So:\n```json\n[1, 2]\n```', [1, 2]],
    ['a transform', z.object({ day: z.string().transform((text) => text.length) }), '{"day":"Monday"}', { day: 6 }],
    ['a default', z.object({ days: z.int().default(3) }), '{}', { days: 3 }],
    ['a check that takes time', z.object({ a: z.int() }).refine(async () => true), '{"a":1}', { a: 1 }],
    ['one of two', either, '{"n":1}', { n: 1 }],
    ['a key called __proto__', z.record(z.string(), z.int()), '{"__proto__x":1}', { __proto__x: 1 }],
  ];
  it.each(rows)('%s', async (_what, schema, text, value) => {
    const { outcome } = await ask(schema, [answer(text)]);
    expect(outcome).toMatchObject({ ok: true });
    expect(outcome.ok && outcome.answer).toEqual(value);
  });

  it('an object that does not fit is not taken for a text', async () => {
    const { outcome } = await ask(either, [answer('{"n":"one"}')]);
    expect(outcome).toMatchObject({ ok: false, violations: 1 });
  });

  it('a Date is a Date', async () => {
    const schema = z.object({ at: z.iso.date().transform((text) => new Date(text)) });
    const { outcome } = await ask(schema, [answer('{"at":"2026-11-30"}')]);
    expect(outcome.ok && outcome.answer).toEqual({ at: new Date('2026-11-30') });
  });
});

describe('a schema that fails', () => {
  const standard = (validate: () => never | Promise<never>): InputSchema => ({
    '~standard': { version: 1, vendor: 'odd', validate },
  });
  const throws = standard(() => {
    throw new Error('The disk is full.');
  });
  it.each([
    ['throws', throws, 'en', 'The answer could not be checked (The disk is full.). Write it again.'],
    ['throws', throws, 'zh', '无法检查答案（The disk is full.）。请重写。'],
    ['is silent', standard(() => new Promise(() => {})), 'en', '(no result in time)'],
  ] as const)('%s', async (_what, schema, language, told) => {
    const { outcome, clock } = await ask(schema, [answer('x')], { language });
    expect(outcome).toMatchObject({ ok: false, violations: 1 });
    expect(outcome.steps[0]?.violation?.hint).toContain(told);
    expect(clock.armed).toBe(0);
  });

  it('says in Chinese what is wrong and what is expected', async () => {
    const { outcome, model } = await ask(plain, [answer('{"days":2}')], { language: 'zh' });
    expect(outcome.steps[0]?.violation?.hint).toMatch(
      /^答案无法使用：.*"city".*。应为：\{"city": string, "days"\?: integer\}。请按要求的格式重写。$/,
    );
    expect(model.requests[0]?.messages[0]?.content).toContain('最终答案本身必须是符合以下 JSON Schema 的一个 JSON 值');
  });
});

describe.each(['labelled', 'json', 'tags', 'id'] as const)('in the dialect %s', (dialect) => {
  it('the answer is a value', async () => {
    const text = '{"city":"Rome","days":2}';
    const written = {
      labelled: answer(text),
      json: `{"thought":"I know.","final_answer":${text}}`,
      tags: `<think>I know.</think><answer>${text}</answer>`,
      id: answer(text),
    };
    const clock = virtualClock();
    const model = scriptedModel([written[dialect]], { clock });
    const agent = createAgent({ model, clock, dialect, answerSchema: kinds['zod 4'], budget: { maxSteps: 1 } });
    expect(await clock.until(agent.run('the task'))).toMatchObject({ ok: true, answer: rome });
  });
});

describe('a run with a typed answer that goes on', () => {
  const answerSchema = z.object({ day: z.string().transform((text) => text.length) });
  const text = '{"day":"Monday"}';

  it('has the value whichever event it is left at', async () => {
    const clock = virtualClock();
    const replies = [act('look'), answer('no'), answer(text)];
    const left: Snapshot[] = [];
    const make = (from: number, onEvent: () => void) => {
      const model = scriptedModel(replies.slice(from), { clock });
      return createAgent({
        ...{ model, clock, onEvent, answerSchema, requireTools: ['look'] },
        checkAnswer: async () => ({ note: 'seen' }),
        tools: { look: returns('seen', { readOnly: true }) },
      });
    };
    const run: Run<unknown> = make(0, () => run && left.push(JSON.parse(JSON.stringify(run.snapshot())))).start('x');
    await clock.until(run.outcome);
    const states = new Set(left.map(({ state }) => (typeof state === 'string' ? state : Object.values(state).join())));
    for (const state of ['reasoning', 'gating', 'running', 'checkingAnswer']) expect.soft(states).toContain(state);
    const final = left.filter(({ context }) => context.stopReason !== null);
    expect(final.map(({ context }) => context.answer)).toContain(text);
    for (const kept of final) expect(() => make(0, () => {}).resume(kept)).toThrow('The run has ended with final');
    for (const kept of left.filter(({ context }) => context.stopReason === null)) {
      const read = kept.history.open?.reply === null || kept.history.open === null ? 0 : 1;
      const again = make(kept.history.steps.length + read, () => {}).resume(kept);
      expect(await clock.until(again.outcome)).toMatchObject({ ok: true, answer: { day: 6 }, notes: ['seen'] });
    }
  });

  it('is refused where a call would end it with something else', async () => {
    const clock = virtualClock();
    const send = (endsRun: boolean) => returns('sent', { sideEffect: true, endsRun });
    const first = createAgent({ model: scriptedModel([act('send')], { clock }), clock, tools: { send: send(true) } });
    const left = await clock.until(first.run('the task'));
    if (left.ok || left.snapshot === undefined) throw new Error('It was not suspended.');
    const { snapshot } = left;
    const second = createAgent({ model: scriptedModel([]), clock, tools: { send: send(false) }, answerSchema });
    expect(() => second.resume(snapshot)).toThrow(/holds a call of send, which ends the run/);
  });
});

describe('the type of the answer', () => {
  it('follows the schema', () => {
    const model = scriptedModel([]);
    const typed = createAgent({ model, answerSchema: z.object({ n: z.int().transform(String) }) });
    expectTypeOf(typed.run).returns.toEqualTypeOf<Promise<Outcome<{ n: string }>>>();
    expectTypeOf(typed.start('x').outcome).toEqualTypeOf<Promise<Outcome<{ n: string }>>>();
    expectTypeOf(createAgent({ model }).run).returns.toEqualTypeOf<Promise<Outcome<string>>>();
    expectTypeOf(createAgent({ model, answerSchema: plain }).run).returns.toEqualTypeOf<Promise<Outcome<JsonValue>>>();
    expectTypeOf(createAgent({ model, answerSchema: kinds['the AI SDK, jsonSchema()'] }).run).returns.toEqualTypeOf<
      Promise<Outcome<{ city: string; days?: number }>>
    >();
    const output = typed.logic.getInitialSnapshot;
    expectTypeOf<ReturnType<typeof output>['output']>().toEqualTypeOf<Outcome<{ n: string }> | undefined>();
  });

  it('is no obstacle for expectEnds', async () => {
    const model = scriptedModel([answer('{"n":1}')]);
    await expectEnds(createAgent({ model, answerSchema: z.object({ n: z.int() }) }));
  });
});
