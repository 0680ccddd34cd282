/** The gates, seen from outside: what runs, what is asked about, what is refused, and what the model is told. */
import { describe, expect, test } from 'vitest';
import type { AgentOptions } from '../../src/agent-options.ts';
import type { ToolMarks } from '../../src/core/tool.ts';
import { act, answer, anyInput, observationAfter, returns, setup } from '../shell/setup.ts';

type Policy = NonNullable<AgentOptions['policy']>;
const marks: Readonly<Record<string, ToolMarks & { readonly needsApproval?: boolean }>> = {
  readOnly: { readOnly: true },
  'readOnly that asks': { readOnly: true, needsApproval: true },
  idempotent: { idempotent: true },
  unmarked: {},
  sideEffect: { sideEffect: true },
  'sideEffect that need not ask': { sideEffect: true, needsApproval: false },
};

describe('a policy over the marks of a tool', () => {
  const rows: readonly (readonly [Policy | undefined, readonly string[]])[] = [
    [undefined, ['run', 'ask', 'run', 'run', 'ask', 'run']],
    ['readOnly', ['run', 'ask', 'refuse', 'refuse', 'refuse', 'refuse']],
    ['dryRun', ['run', 'ask', 'dry', 'dry', 'dry', 'dry']],
    ['ask', ['run', 'ask', 'ask', 'ask', 'ask', 'ask']],
    ['all', ['run', 'run', 'run', 'run', 'run', 'run']],
    [{ allow: ['t'] }, ['run', 'run', 'run', 'run', 'run', 'run']],
    [{ allow: [] }, ['run', 'ask', 'ask', 'ask', 'ask', 'ask']],
  ];
  const each = rows.flatMap(([policy, fates]) =>
    Object.keys(marks).map((mark, index) => ({ policy, shown: JSON.stringify(policy), mark, fate: fates[index] })),
  );

  test.each(each)('$shown: $mark → $fate', async ({ policy, mark, fate }) => {
    let runs = 0;
    const t = returns('seen', { ...marks[mark], execute: () => `${++runs}` });
    const { run, model } = setup({
      replies: [act('t', { a: 1 }), answer('done')],
      tools: { t, look: returns('x', { readOnly: true }) },
      agent: policy === undefined ? {} : { policy },
    });
    const outcome = await run();
    const [call] = outcome.steps[0]?.calls ?? [];
    expect(runs).toBe(fate === 'run' ? 1 : 0);
    expect(outcome.stopReason).toBe(fate === 'ask' ? 'suspended' : 'final');
    const status = { run: 'succeeded', dry: 'succeeded', ask: 'waiting', refuse: 'refused' }[fate ?? ''];
    expect(call?.status).toBe(status);
    if (fate === 'dry')
      expect(observationAfter(model, 1)).toContain('(Dry run: t would now have been run with the input {"a":1}.');
    if (fate === 'refuse')
      expect(observationAfter(model, 1)).toMatch(
        /t was not run: only tools that read are allowed here\. Allowed: .*look\./,
      );
  });

  test('in a dry run nothing is done, and so nothing is done twice', async () => {
    const { run, model } = setup({
      replies: [act('send', { a: 1 }), act('send', { a: 1 }), answer('done')],
      tools: { send: returns('sent', { sideEffect: true }) },
      agent: { policy: 'dryRun' },
    });
    expect((await run()).stopReason).toBe('final');
    expect(observationAfter(model, 2)).toContain('(Dry run: send would now have been run');
  });

  test.each([
    ['strict', 'policy is "strict".'],
    [{ allow: 'send' }, 'policy is {"allow":"send"}.'],
    [{ allow: ['sned'] }, 'policy.allow names "sned", which is no tool.'],
    [null, 'policy is null.'],
  ])('%j is refused when the agent is made', (policy, message) => {
    const agent = {};
    Object.assign(agent, { policy });
    expect(() => setup({ replies: [], tools: { send: returns('x') }, agent })).toThrow(message);
  });
});

describe('a limit of calls in a run', () => {
  const look = () => returns('seen', { readOnly: true, maxCallsPerRun: 2 });

  test('refuses the next, also over a resume, and feeds the fuse of tools', async () => {
    const replies = [1, 2, 3, 4, 5].map((n) => act('look', { n }));
    const { run, model } = setup({ replies, tools: { look: look() }, agent: { budget: { maxToolErrors: 2 } } });
    const outcome = await run();
    expect(outcome.stopReason).toBe('tool_errors_exhausted');
    expect(outcome.steps.map(({ calls }) => calls[0]?.status)).toEqual([
      'succeeded',
      'succeeded',
      'refused',
      'refused',
    ]);
    expect(observationAfter(model, 3)).toContain('look was not run: it may be called 2 times in a run, and was.');
  });

  test('counts what ran before a snapshot', async () => {
    const replies = [
      act('look', { n: 1 }),
      act('look', { n: 2 }),
      act('ask', {}),
      act('look', { n: 3 }),
      answer('done'),
    ];
    const { agent, run, clock, model } = setup({
      replies,
      tools: { look: look(), ask: returns('x', { sideEffect: true }) },
    });
    const outcome = await run();
    const snapshot = outcome.ok ? undefined : outcome.snapshot;
    if (snapshot === undefined) throw new Error('It should be suspended.');
    const resumed = agent.resume(snapshot);
    await clock.calm();
    resumed.approve('3.1');
    expect((await clock.until(resumed.outcome)).stopReason).toBe('final');
    expect(observationAfter(model, 4)).toContain('look was not run');
  });

  test.each([Number.NaN, -1, 1.5])('of %s is refused when the agent is made', (maxCallsPerRun) => {
    const tools = { look: returns('x', { maxCallsPerRun }) };
    expect(() => setup({ replies: [], tools })).toThrow(`tools.look.maxCallsPerRun is ${maxCallsPerRun}.`);
  });
});

describe('a rate limit', () => {
  const look = (startedAt: number[], now: () => number) =>
    returns('', {
      readOnly: true,
      rateLimit: { calls: 2, perMs: 1_000 },
      execute: () => {
        startedAt.push(now());
        return `seen ${startedAt.length}`;
      },
    });
  const replies = (count: number) => [...Array.from({ length: count }, (_, n) => act('look', { n })), answer('done')];

  test('makes calls wait on the clock of the run', async () => {
    const startedAt: number[] = [];
    let now = () => 0;
    const { run, clock } = setup({ replies: replies(5), tools: { look: look(startedAt, () => now()) } });
    now = clock.monotonicMs;
    expect((await run()).stopReason).toBe('final');
    expect(startedAt).toEqual([0, 0, 1_000, 1_000, 2_000]);
    expect(clock.armed).toBe(0);
  });

  test('says when to try again where no time is left to wait', async () => {
    const startedAt: number[] = [];
    const { run, model, events } = setup({
      replies: replies(3),
      tools: { look: look(startedAt, () => 0) },
      agent: { budget: { wallClockMs: 500 } },
    });
    expect((await run()).stopReason).toBe('final');
    expect(startedAt).toHaveLength(2);
    expect(observationAfter(model, 3)).toContain('It could run again in 1 s');
    expect(events.filter((event) => event.type === 'calls.checked').at(-1)?.verdicts[0]?.gate).toBe('rateLimit');
  });

  test('is shared by all runs of the agent, and an abort gives the place back', async () => {
    const startedAt: number[] = [];
    let now = () => 0;
    const { start, clock } = setup({
      replies: [
        act('look', { n: 1 }),
        act('look', { n: 2 }),
        act('look', { n: 3 }),
        act('look', { n: 4 }),
        answer('a'),
        answer('b'),
      ],
      tools: { look: look(startedAt, () => now()) },
      agent: { budget: { maxSteps: 9 } },
    });
    now = clock.monotonicMs;
    const [one, two, three] = [start(), start(), start()];
    await clock.calm();
    three.abort();
    await clock.until(Promise.all([one.outcome, two.outcome, three.outcome]));
    expect(startedAt.slice(0, 3)).toEqual([0, 0, 1_000]);
    expect(clock.armed).toBe(0);
  });

  test.each([
    [{ calls: 0, perMs: 1_000 }, 'lets nothing through'],
    [{ calls: 1.5, perMs: 1_000 }, 'tools.look.rateLimit.calls is 1.5.'],
    [{ calls: 1 }, 'tools.look.rateLimit.perMs is undefined.'],
  ])('of %j is refused when the agent is made', (rateLimit, message) => {
    const marks = {};
    Object.assign(marks, { rateLimit });
    expect(() => setup({ replies: [], tools: { look: returns('x', marks) } })).toThrow(message);
  });
});

describe('the gates', () => {
  test('are passed in their order: the first that refuses is the one that is told of', async () => {
    const schema = { ...anyInput, properties: { n: { type: 'integer' } }, required: ['n'] };
    const send = returns('sent', { inputSchema: schema, sideEffect: true, needsApproval: false, maxCallsPerRun: 1 });
    const replies = [
      act('sned', {}),
      act('send', {}),
      act('send', { n: 1 }),
      act('send', { n: 1 }),
      act('send', { n: 2 }),
      answer('done'),
    ];
    const { run, events } = setup({ replies, tools: { send }, agent: { budget: { maxToolErrors: 9 } } });
    expect((await run()).stopReason).toBe('final');
    const gates = events.flatMap((event) =>
      event.type === 'calls.checked' ? [event.verdicts[0]?.gate ?? 'passed'] : [],
    );
    expect(gates).toEqual(['tool', 'input', 'passed', 'duplicate', 'callLimit']);
  });

  test('a refusal of a person names what remains', async () => {
    const tools = { send: returns('x', { sideEffect: true }), look: returns('y', { readOnly: true }) };
    const { start, clock, model } = setup({ replies: [act('send', {}), answer('done')], tools });
    const run = start();
    await clock.calm();
    run.deny('1.1', 'not today');
    await clock.until(run.outcome);
    expect(observationAfter(model, 1)).toContain('not executed: not today.');
    expect(observationAfter(model, 1)).toContain('Other tools: look.');
  });
});
