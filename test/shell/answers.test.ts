/** Answers pass a gate: the tools that must have succeeded, the schema, the checks; the first refusal decides. */
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { createAgent } from '../../src/agent.ts';
import type { AgentOptions } from '../../src/agent-options.ts';
import type { CheckAnswer } from '../../src/core/check-answer.ts';
import { AgentError } from '../../src/core/errors.ts';
import type { Language } from '../../src/core/language.ts';
import type { ToolRecord } from '../../src/core/tool.ts';
import { type ScriptEntry, scriptedModel } from '../../src/models/scripted.ts';
import { groundedNumbers } from '../../tools/grounded-numbers.ts';
import { act, answer, observationAfter, returns, setup } from './setup.ts';

const never = () => new Promise<true>(() => {});
/** What no check may give, by its type. */
const odd = (value: unknown) => () => value;
const resists = Object.defineProperty({}, 'note', {
  get() {
    throw new Error('no');
  },
});
const fails = () => {
  throw new Error('The database is away.');
};

const long = 'word '.repeat(400_000);
const cutLong = `${long.slice(0, 500)}…`;
const withStack = 'It broke.\n    at check (/srv/check.js:1:2)\n    at run (/srv/run.js:3:4)';

interface Row {
  readonly what: string;
  readonly check: unknown;
  /** What the model is told; null where the answer counts. */
  readonly told: string | null;
  readonly notes?: readonly string[];
  readonly language?: Language;
}

const refused = 'The answer was not accepted. Check it, and write it again.';
const checks: readonly Row[] = [
  { what: 'true', check: () => true, told: null },
  { what: 'a promise of true', check: async () => true, told: null },
  { what: 'a note', check: () => ({ note: 'unsure' }), told: null, notes: ['unsure'] },
  {
    what: 'notes of several, in their order',
    check: [() => ({ note: 'a' }), () => true, async () => ({ note: 'b' })],
    told: null,
    notes: ['a', 'b'],
  },
  { what: 'no check at all', check: [], told: null },
  { what: 'a text', check: () => 'It is more.', told: 'It is more.' },
  { what: 'a promise of a text', check: async () => 'It is more.', told: 'It is more.' },
  { what: 'the first text of two', check: [() => 'one', () => 'two'], told: 'one' },
  { what: 'a text behind what accepts', check: [async () => true, () => 'two'], told: 'two' },
  { what: 'a text behind a note', check: [() => ({ note: 'lost' }), () => 'two'], told: 'two' },
  { what: 'false', check: () => false, told: refused },
  { what: 'nothing', check: odd(undefined), told: refused },
  { what: 'null', check: odd(null), told: refused },
  { what: 'a number', check: odd(1), told: refused },
  { what: 'an empty text', check: () => ' ', told: refused },
  { what: 'a note that is no text', check: odd({ note: 7 }), told: refused },
  { what: 'a note that cannot be read', check: odd(resists), told: refused },
  {
    what: 'false, in Chinese',
    check: () => false,
    language: 'zh',
    told: '答案没有被接受。请检查后重写。',
  },
  {
    what: 'an error',
    check: fails,
    told: 'The answer could not be checked (The database is away.). Write it again.',
  },
  {
    what: 'a rejection',
    check: async () => fails(),
    told: 'The answer could not be checked (The database is away.). Write it again.',
  },
  {
    what: 'an error, in Chinese',
    check: fails,
    language: 'zh',
    told: '无法检查答案（The database is away.）。请重写。',
  },
  {
    what: 'silence, in Chinese',
    check: never,
    language: 'zh',
    told: '无法检查答案（没有及时得到结果）。请重写。',
  },
  { what: 'a text without an end', check: () => long, told: cutLong },
  { what: 'a note without an end', check: () => ({ note: long }), told: null, notes: [cutLong] },
  { what: 'a text with a stack', check: () => withStack, told: 'It broke.' },
  { what: 'a note with a stack', check: () => ({ note: withStack }), told: null, notes: ['It broke.'] },
  { what: 'an empty note', check: () => ({ note: '' }), told: null, notes: [''] },
  { what: 'silence', check: never, told: 'The answer could not be checked (no result in time). Write it again.' },
  {
    what: 'silence behind what accepts',
    check: [() => true, never],
    told: 'The answer could not be checked (no result in time). Write it again.',
  },
];

describe('a check that gives', () => {
  it.each(checks)('$what', async ({ check, told, notes = [], language = 'en' }) => {
    const agent = { checkAnswer: check, language, budget: { maxSteps: 1 } };
    const { run, clock }: ReturnType<typeof setup> = Reflect.apply(setup, undefined, [
      { replies: [answer('42')], agent },
    ]);
    const outcome = await run();
    if (told === null) expect(outcome).toMatchObject({ ok: true, answer: '42', notes, violations: 0 });
    else expect(outcome).toMatchObject({ ok: false, stopReason: 'max_steps', violations: 1 });
    const violation = told === null ? null : { code: 'answer_rejected', hint: told };
    expect(outcome.steps).toMatchObject([{ answer: told === null ? '42' : null, violation }]);
    expect(clock.armed).toBe(0);
  });

  it('a text has the model told of it, and notes of an answer that was sent back are lost', async () => {
    const notes = (text: string) => ({ note: `saw ${text}` });
    const { run, model } = setup({
      replies: [answer('41'), answer('42')],
      agent: { checkAnswer: [notes, (text) => text === '42' || 'It is more.'] },
    });
    expect(await run()).toMatchObject({ ok: true, answer: '42', notes: ['saw 42'] });
    expect(observationAfter(model, 1)).toContain('[FormatError] It is more.');
  });

  it('is given the text, the steps before, the task and the value', async () => {
    const seen: unknown[][] = [];
    const { run } = setup({
      replies: [act('look'), answer('42')],
      agent: {
        checkAnswer: (text, steps, about) => {
          seen.push([text, steps.map(({ calls }) => calls.map(({ observation }) => observation)), about]);
          return true;
        },
      },
    });
    await run();
    expect(seen).toEqual([['42', [['seen']], { task: 'the task', value: '42' }]]);
  });

  it('is not heard any more after an abort', async () => {
    let accept: (judged: true) => void = () => {};
    const { start, clock, events } = setup({
      replies: [answer('42')],
      agent: {
        checkAnswer: [
          () => true,
          () =>
            new Promise<true>((resolve) => {
              accept = resolve;
            }),
        ],
      },
    });
    const run = start();
    await clock.pass(1);
    run.abort('enough');
    accept(true);
    expect(await clock.until(run.outcome)).toMatchObject({ ok: false, stopReason: 'aborted' });
    expect(events.map(({ type }) => type)).not.toContain('answer.accepted');
    expect(clock.armed).toBe(0);
  });
});

describe('the gate decides in its order', () => {
  const order = (replies: readonly ScriptEntry[], tools: ToolRecord = {}) => {
    const asked: string[] = [];
    const clockless = setup({ replies: [] }).clock;
    const model = scriptedModel(replies, { clock: clockless });
    const agent = createAgent({
      model,
      clock: clockless,
      tools: { save: returns('saved'), ...tools },
      requireTools: ['save'],
      answerSchema: z.object({ total: z.number() }),
      checkAnswer: [
        (text) => {
          asked.push(`first ${text}`);
          return text.includes('12') || 'It is 12.';
        },
        (_text, _steps, { value }) => {
          asked.push(`second ${value.total}`);
          return true;
        },
      ],
      budget: { maxSteps: replies.length },
    });
    return { agent, asked, model, run: () => clockless.until(agent.run('the task')) };
  };

  it('tools, then form, then each check', async () => {
    const { run, asked } = order([
      answer('none'),
      act('save'),
      answer('none'),
      answer('{"total": 11}'),
      answer('{"total": 12}'),
    ]);
    const outcome = await run();
    expect(outcome).toMatchObject({ ok: true, answer: { total: 12 }, violations: 3 });
    expect(outcome.steps.map(({ violation }) => violation?.hint.slice(0, 40) ?? null)).toEqual([
      'The answer does not count yet: save must',
      null,
      'The answer cannot be used: Invalid input',
      'It is 12.',
      null,
    ]);
    expect(asked).toEqual(['first {"total": 11}', 'first {"total": 12}', 'second 12']);
  });
});

describe('requireTools', () => {
  const save = returns('saved');
  const broken = { inputSchema: { type: 'object' }, execute: fails };
  const rows: readonly (readonly [
    string,
    ToolRecord,
    readonly string[],
    readonly string[],
    readonly (string | null)[],
  ])[] = [
    [
      'one that was not called',
      { save },
      ['save'],
      [answer('x')],
      ['The answer does not count yet: save must succeed before. Call save first.'],
    ],
    ['one that succeeded', { save }, ['save'], [act('save'), answer('x')], [null, null]],
    [
      'one that failed',
      { save: broken },
      ['save'],
      [act('save'), answer('x')],
      [null, 'The answer does not count yet: save must succeed before. Call save first.'],
    ],
    [
      'one of two',
      { save, look: save },
      ['look', 'save'],
      [act('look'), answer('x')],
      [null, 'The answer does not count yet: save must succeed before. Call save first.'],
    ],
    [
      'both',
      { save, look: save },
      ['look', 'save'],
      [answer('x')],
      ['The answer does not count yet: look, save must succeed before. Call look first.'],
    ],
    [
      'one called constructor',
      { constructor: save },
      ['constructor'],
      [answer('x')],
      ['The answer does not count yet: constructor must succeed before. Call constructor first.'],
    ],
    ['none', { save }, [], [answer('x')], [null]],
  ];
  it.each(rows)('%s', async (_what, tools, requireTools, replies, hints) => {
    const { run } = setup({ replies, tools, agent: { requireTools, budget: { maxSteps: replies.length } } });
    const outcome = await run();
    expect(outcome.ok).toBe(hints.at(-1) === null);
    expect(outcome.steps.map(({ violation }) => violation?.hint ?? null)).toEqual(hints);
  });

  it('says so in Chinese', async () => {
    const { run } = setup({
      replies: [answer('x')],
      tools: { save },
      agent: { requireTools: ['save'], language: 'zh', budget: { maxSteps: 1 } },
    });
    const [step] = (await run()).steps;
    expect(step?.violation?.hint).toBe('答案还不算数：在此之前 save 必须成功。请先调用 save。');
  });

  it('holds over a resume', async () => {
    const send = returns('sent', { sideEffect: true });
    const { run, agent, clock } = setup({
      replies: [act('save'), act('send'), answer('done')],
      tools: { save, send },
      agent: { requireTools: ['save', 'send'] },
    });
    const left = await run();
    if (left.ok || left.snapshot === undefined) throw new Error('It was not suspended.');
    const again = agent.resume(JSON.parse(JSON.stringify(left.snapshot)));
    await clock.pass(1);
    again.approve('2.1');
    expect(await clock.until(again.outcome)).toMatchObject({ ok: true, answer: 'done', violations: 0 });
  });

  const finish = returns('the end', { endsRun: true });
  const gateRows = [
    [
      'before the required one',
      [act('finish'), act('save'), act('finish')],
      ['save'],
      ['required', undefined, undefined],
    ],
    ['that is required itself', [answer('x'), act('finish')], ['finish'], [undefined]],
    [
      'beside another',
      [act('finish'), act('save'), act('finish')],
      ['finish', 'save'],
      ['required', undefined, undefined],
    ],
  ] as const;
  it.each(gateRows)('a tool that ends the run, %s', async (_what, replies, requireTools, gates) => {
    const { run, events } = setup({
      replies,
      tools: { save, finish },
      agent: { requireTools, budget: { maxSteps: replies.length } },
    });
    expect(await run()).toMatchObject({ ok: true, answer: 'the end', notes: [] });
    const verdicts = events.flatMap((event) => (event.type === 'calls.checked' ? event.verdicts : []));
    expect(verdicts.map(({ gate }) => gate)).toEqual(gates);
  });

  it('what a tool gave that ends the run is checked as an answer is, with the same notes', async () => {
    const seen: unknown[][] = [];
    const { run } = setup({
      replies: [act('save'), act('finish')],
      tools: { save, finish },
      agent: {
        checkAnswer: [
          (text, steps, about) => {
            seen.push([text, steps.map(({ number }) => number), about]);
            return { note: 'unsure' };
          },
          groundedNumbers(),
          async () => ({ note: 'still' }),
        ],
      },
    });
    expect(await run()).toMatchObject({ ok: true, answer: 'the end', notes: ['unsure', 'still'] });
    expect(seen).toEqual([['the end', [1], { task: 'the task', value: 'the end' }]]);
  });

  it('what a tool gave that ends the run holds figures that nobody observed', async () => {
    const sum = returns({ total: 1300 }, { endsRun: true, readOnly: true });
    const { run, model } = setup({
      replies: [act('sum'), answer('none')],
      tools: { sum },
      agent: { checkAnswer: groundedNumbers({ otherwise: 'sendBack' }) },
    });
    expect(await run()).toMatchObject({
      ok: true,
      answer: 'none',
      violations: 0,
      steps: [{ calls: [{ status: 'failed' }] }, {}],
    });
    expect(observationAfter(model, 1)).toContain(
      '[ToolError] sum ran, but its result was not accepted: The answer holds',
    );
  });

  it('of one reply, a call that has not run yet does not count', async () => {
    const { run, model } = setup({
      replies: [
        {
          text: '',
          calls: [
            { tool: 'save', input: {} },
            { tool: 'finish', input: {} },
          ],
        },
        { text: '', calls: [{ tool: 'finish', input: {} }] },
      ],
      tools: { save, finish },
      agent: { requireTools: ['save'], dialect: 'native' },
    });
    const outcome = await run();
    expect(outcome).toMatchObject({ ok: true, answer: 'the end' });
    expect(outcome.steps.map(({ calls }) => calls.map(({ status }) => status))).toEqual([
      ['succeeded', 'refused'],
      ['succeeded'],
    ]);
    expect(observationAfter(model, 1)).toBe(
      '[ToolError] finish was not run: save must succeed before. Call save first.',
    );
  });
});

describe('is refused when the agent is made', () => {
  const tools = {
    save: returns('saved'),
    finish: returns('', { endsRun: true }),
    over: returns('', { endsRun: true }),
  };
  const answerSchema = z.object({ total: z.number() });
  it.each<readonly [string, Partial<AgentOptions<typeof answerSchema>>, RegExp, RegExp]>([
    ['a name that is no tool', { tools, requireTools: ['safe'] }, /"safe", which is no tool/, /save, finish, over/],
    ['a name where there are no tools', { requireTools: ['safe'] }, /"safe", which is no tool/, /no tools/],
    ['two tools that end the run', { tools, requireTools: ['finish', 'over'] }, /finish and over/, /one of them/],
    [
      'a tool that never runs',
      { tools, requireTools: ['save'], policy: 'readOnly' },
      /"save", which the policy does not let run/,
      /change the policy/,
    ],
    [
      'an unknown name before the policy',
      { tools, requireTools: ['x'], policy: 'readOnly' },
      /"x", which is no tool/,
      /./,
    ],
    ['a schema beside a tool that ends the run', { tools, answerSchema }, /"finish" ends the run/, /endsRun/],
  ])('%s', (_what, options, message, hint) => {
    const make = () => createAgent({ model: scriptedModel([]), ...options });
    expect(make).toThrow(AgentError);
    expect(make).toThrow(message);
    expect(make).toThrow(expect.objectContaining({ code: 'invalid_option', hint: expect.stringMatching(hint) }));
  });

  it.each([
    ['a name alone', { requireTools: 'save' }, /requireTools is no list of texts/],
    ['null for a list', { requireTools: null }, /requireTools is no list of texts/],
    ['no text', { requireTools: ['save', 7] }, /requireTools is no list of texts/],
    ['a list in the list', { requireTools: [['save']] }, /requireTools is no list of texts/],
    ['no schema', { answerSchema: 7 }, /answerSchema is not a schema/],
    ['no function', { checkAnswer: 'yes' }, /checkAnswer is no function/],
    ['no function in a list', { checkAnswer: [() => true, null] }, /checkAnswer is no function/],
  ])('%s', (_what, options, message) => {
    const given = { model: scriptedModel([]), tools: { save: returns('') } };
    expect(() => Reflect.apply(createAgent, undefined, [{ ...given, ...options }])).toThrow(message);
  });
});

describe('a run that goes on', () => {
  it('in the middle of the check is checked again, and has the notes of the second check', async () => {
    let checks = 0;
    const { start, agent, clock } = setup({
      replies: [answer('42')],
      agent: { checkAnswer: () => (checks++ === 0 ? never() : { note: `check ${checks}` }) },
    });
    const run = start();
    await clock.pass(1);
    const left = JSON.parse(JSON.stringify(run.snapshot()));
    expect(left.state).toEqual({ ACTION: 'checkingAnswer' });
    run.abort();
    const again = agent.resume(left);
    expect(await clock.until(again.outcome)).toMatchObject({ ok: true, answer: '42', notes: ['check 2'] });
  });

  it('with another agent is held to the checks of that one', async () => {
    const send = returns('sent', { sideEffect: true });
    const replies = [act('send'), answer('41'), answer('42')];
    const first = setup({ replies, tools: { send } });
    const left = await first.run();
    if (left.ok || left.snapshot === undefined) throw new Error('It was not suspended.');
    const { agent, clock } = setup({
      replies: replies.slice(1),
      tools: { send },
      agent: { checkAnswer: (text) => text === '42' || 'It is more.' },
    });
    const again = agent.resume(left.snapshot);
    await clock.pass(1);
    again.deny('1.1');
    expect(await clock.until(again.outcome)).toMatchObject({ ok: true, answer: '42', violations: 1 });
  });
});

it('the types of a check follow the schema', () => {
  const answerSchema = z.object({ total: z.number() });
  expectTypeOf<NonNullable<AgentOptions['checkAnswer']>>().toEqualTypeOf<
    CheckAnswer<string> | readonly CheckAnswer<string>[]
  >();
  expectTypeOf<NonNullable<AgentOptions<typeof answerSchema>['checkAnswer']>>().toEqualTypeOf<
    CheckAnswer<{ total: number }> | readonly CheckAnswer<{ total: number }>[]
  >();
});
