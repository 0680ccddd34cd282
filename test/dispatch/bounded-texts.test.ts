/** What the model is told is bounded, however much a person, a schema or a list of tools would have it say. */
import { describe, expect, it } from 'vitest';
import type { AgentOptions } from '../../src/agent-options.ts';
import type { AnyTool } from '../../src/core/tool.ts';
import { act, answer, hangs, observationAfter, returns, setup } from '../shell/setup.ts';

const many = (marks: Partial<AnyTool>) =>
  Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`tool_number_${n}`, { ...returns('x'), ...marks }]));
const pay = returns('paid', { sideEffect: true });

type Case = readonly [
  what: string,
  agent: Partial<AgentOptions>,
  decide: 'deny' | 'wait' | null,
  en: string,
  zh: string,
];

describe('at most forty names are told', () => {
  it.each<Case>([
    ['of an unknown tool', {}, null, 'The tools are: pay, tool_number_0, ', '可用的工具：pay、tool_number_0、'],
    ['under a policy', { policy: 'readOnly' }, null, 'Allowed: tool_number_0, ', '允许的工具：tool_number_0、'],
    ['after a no', {}, 'deny', 'Other tools: tool_number_0, ', '其他工具：tool_number_0、'],
    ['where nobody answers', {}, 'wait', 'Other tools: tool_number_0, ', '其他工具：tool_number_0、'],
  ])('%s', async (what, options, decide, en, zh) => {
    const isUnknown = what === 'of an unknown tool';
    const left = isUnknown ? 2_961 : 2_960;
    const languages = [
      ['en', en, `, … and ${left} more.`],
      ['zh', zh, `、……还有 ${left} 个。`],
    ] as const;
    for (const [language, begin, end] of languages) {
      const { start, clock, model } = setup({
        replies: [act(isUnknown ? 'nothing_like_any_of_these_at_all' : 'pay'), answer('ok')],
        tools: { pay, ...many({ readOnly: true }) },
        agent: { language, system: '', timeouts: { approvalMs: 1_000 }, ...options },
      });
      const run = start();
      await clock.calm();
      if (decide === 'deny') run.deny('1.1', 'because '.repeat(200_000));
      expect(await clock.until(run.outcome)).toMatchObject({ ok: true });
      const told = observationAfter(model, 1);
      expect(told).toContain(begin);
      expect(told).toContain(end);
      expect(told.length).toBeLessThan(2_000);
    }
  });

  it('of what must succeed before', async () => {
    const { run, model } = setup({
      replies: [answer('a'), answer('b')],
      tools: many({ readOnly: true }),
      agent: { system: '', requireTools: Object.keys(many({})), budget: { maxViolations: 2 } },
    });
    await run();
    expect(observationAfter(model, 1)).toContain('tool_number_39, … and 2960 more must succeed before.');
  });
});

it.each([
  ['deny', 'Other tools: look.'],
  ['wait', 'Nobody decided about pay in time. It was not run. Go on without it. Other tools: look.'],
])('what may not run is not named: %s', async (decide, told) => {
  const tools = {
    pay: returns('paid', { readOnly: true, needsApproval: true }),
    send: returns('sent'),
    look: returns('seen', { readOnly: true }),
  };
  const { start, clock, model } = setup({
    replies: [act('pay'), answer('ok')],
    tools,
    agent: { policy: 'readOnly', timeouts: { approvalMs: 1_000 } },
  });
  const run = start();
  await clock.calm();
  if (decide === 'deny') run.deny('1.1');
  await clock.until(run.outcome);
  expect(observationAfter(model, 1)).toContain(told);
  expect(observationAfter(model, 1)).not.toContain('send');
});

describe('the example of an input', () => {
  const fields = (count: number, required: readonly string[]) => ({
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: count }, (_, n) => [`field_${n}`, { type: 'string' }])),
    required,
  });

  it.each<[string, object, string]>([
    ['is whole where it is short', fields(2, ['field_1']), ' Expected: {"field_0"?: string, "field_1": string}. Write'],
    ['is cut to what is required', fields(2_000, ['field_7']), ' Expected: {"field_7": string, …}. Write'],
    [
      'is left out where that is long too',
      fields(2_000, Object.keys(fields(2_000, []).properties)),
      '. Write the call',
    ],
  ])('%s', async (_what, inputSchema, told) => {
    const { run, model } = setup({ replies: [act('t'), answer('ok')], tools: { t: { ...returns('x'), inputSchema } } });
    expect(await run()).toMatchObject({ ok: true });
    expect(observationAfter(model, 1)).toContain(told);
    expect(observationAfter(model, 1).length).toBeLessThan(1_500);
  });
});

describe('a decision that is none is refused, and the call still waits', () => {
  it.each<[string, 'approve' | 'deny', readonly unknown[]]>([
    ['approve(id, null)', 'approve', [null]],
    ['approve(id, text)', 'approve', ['yes']],
    ['deny(id, null)', 'deny', [null]],
    ['deny(id, object)', 'deny', [{ why: 'x' }]],
    ['deny(id, why, null)', 'deny', ['no', null]],
    ['deny(id, why, { by: number })', 'deny', ['no', { by: 1 }]],
  ])('%s', async (_what, name, given) => {
    const { start, clock, model } = setup({ replies: [act('pay'), answer('ok')], tools: { pay } });
    const run = start();
    await clock.calm();
    const refused = expect.objectContaining({ code: 'invalid_option', hint: expect.stringMatching(/still waits\.$/) });
    expect(() => Reflect.apply(run[name], run, ['1.1', ...given])).toThrow(refused);
    run.deny('1.1', 'not today');
    expect(await clock.until(run.outcome)).toMatchObject({ ok: true });
    expect(observationAfter(model, 1)).toContain('was not executed: not today.');
  });
});

it.each([
  [20, 'within 20 ms.', '20 毫秒内'],
  [999, 'within 999 ms.', '999 毫秒内'],
  [1_000, 'within 1 s.', '1 秒内'],
  [1_250, 'within 1.3 s.', '1.3 秒内'],
])('a time-out of %d ms is told with its unit', async (timeoutMs, en, zh) => {
  for (const language of ['en', 'zh'] as const) {
    const tools = { look: hangs({ readOnly: true, timeoutMs }) };
    const { run, model } = setup({ replies: [act('look'), answer('ok')], tools, agent: { language } });
    await run();
    expect(observationAfter(model, 1)).toContain(language === 'en' ? en : zh);
  }
});
