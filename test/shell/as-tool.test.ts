/** An agent as a tool of another: what it is told, what it may spend, where that is charged, what is seen of it, how it ends. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAgent } from '../../src/agent.ts';
import type { AgentOptions } from '../../src/agent-options.ts';
import type { AsToolOptions } from '../../src/as-tool.ts';
import type { Budget } from '../../src/core/limits.ts';
import type { TraceEvent } from '../../src/core/trace.ts';
import { type ScriptEntry, scriptedModel } from '../../src/models/scripted.ts';
import { virtualClock } from '../../src/verify/virtual-clock.ts';
import { act, answer, hangs, returns } from './setup.ts';

const ask = (task = 'find it', name = 'helper') => act(name, { task });
/** Two calls in one reply, in the provider's own form. */
const twice: ScriptEntry = {
  text: '',
  calls: ['a', 'b'].map((task) => ({ tool: 'helper', input: { task } })),
};

interface Family {
  readonly parent: readonly ScriptEntry[];
  readonly child: readonly ScriptEntry[];
  readonly childAgent?: Partial<AgentOptions>;
  readonly parentAgent?: Partial<AgentOptions>;
  readonly how?: Partial<AsToolOptions>;
}

/** A parent with one tool, `helper`, which is the child; the child has `look` and what its options say. */
function family({ parent, child, childAgent = {}, parentAgent = {}, how = {} }: Family) {
  const clock = virtualClock();
  const childModel = scriptedModel(child, { clock });
  const parentModel = scriptedModel(parent, { clock });
  const events: TraceEvent[] = [];
  const helper = createAgent({
    model: childModel,
    tools: { look: returns('seen', { readOnly: true }) },
    clock,
    ...childAgent,
  });
  const agent = createAgent({
    model: parentModel,
    tools: { helper: helper.asTool({ description: 'Finds things.', ...how }) },
    clock,
    onEvent: (event) => events.push(event),
    ...parentAgent,
  });
  const run = () => clock.until(agent.run('the task'));
  return { agent, helper, run, clock, childModel, parentModel, events };
}

const nestedIn = (events: readonly TraceEvent[]) =>
  events.flatMap((event) => (event.type === 'call.nested' ? [event.event] : []));

it('is given the task, and its answer is the result', async () => {
  const { run, childModel, parentModel } = family({
    parent: [ask('find the sea'), answer('42')],
    child: [act('look'), answer('It is blue.')],
  });
  const outcome = await run();
  expect(outcome).toMatchObject({ ok: true, answer: '42' });
  expect(childModel.requests[0]?.messages.at(-1)).toEqual({ role: 'user', content: 'find the sea' });
  expect(parentModel.requests[1]?.messages.at(-1)?.content).toBe('Observation: It is blue.');
  expect(parentModel.requests[0]?.messages[0]?.content).toContain('helper');
  expect(parentModel.requests[0]?.messages[0]?.content).toContain('Finds things.');
});

it('leaves the calls that wait for their place what they need', async () => {
  const three = ['a', 'b', 'c'].map((task) => ({ tool: 'helper', input: { task } }));
  const { run } = family({
    parent: [{ text: '', calls: three }, answer('42')],
    child: Array.from({ length: 12 }, () => act('look')),
    childAgent: { loopGuard: 'off' },
    parentAgent: { dialect: 'native', maxParallel: 2, budget: { maxToolCalls: 4 } },
    how: { readOnly: true, share: 1 },
  });
  const { usage, steps } = await run();
  expect(steps[0]?.calls).toHaveLength(3);
  expect(usage.toolCalls).toBe(4);
});

it('gives a value where the agent has an answerSchema', async () => {
  const clock = virtualClock();
  const answerSchema = { type: 'object', properties: { sea: { type: 'string' } } } as const;
  const helper = createAgent({ model: scriptedModel([answer('{"sea": "blue"}')]), answerSchema, clock });
  const tools = { helper: helper.asTool({ description: 'Finds things.' }) };
  const agent = createAgent({ model: scriptedModel([ask(), answer('42')]), tools, clock });
  const { steps } = await clock.until(agent.run('the task'));
  expect(steps[0]?.calls[0]?.output).toEqual({ sea: 'blue' });
});

it('what it spends is spent in the run that called it', async () => {
  const alone = family({ parent: [], child: [act('look'), answer('blue')] });
  const own = await alone.clock.until(alone.helper.run('find it'));
  const { run, events } = family({ parent: [ask(), answer('42')], child: [act('look'), answer('blue')] });
  const { usage, steps } = await run();
  const ofParent = steps.reduce((sum, { tokens }) => sum + tokens.inputTokens + tokens.outputTokens, 0);
  expect(usage).toMatchObject({ steps: 4, toolCalls: 2, totalTokens: ofParent + own.usage.totalTokens });
  expect(events.find(({ type }) => type === 'call.settled')).toMatchObject({
    spent: { steps: 2, toolCalls: 1, tokens: { inputTokens: own.usage.inputTokens } },
  });
});

describe('its budget', () => {
  const budgetOf = (events: readonly TraceEvent[]) =>
    nestedIn(events).flatMap((event) => (event.type === 'run.started' ? [event.limits] : []));
  const small = { maxSteps: 11, maxToolCalls: 9, maxTokens: 100_000, wallClockMs: 60_000 };

  it.each<readonly [string, Partial<AsToolOptions>, Partial<Budget>, Partial<Budget>]>([
    ['half of what is left', {}, {}, { maxSteps: 5, maxToolCalls: 4, wallClockMs: 30_000 }],
    ['a share of it', { share: 0.25 }, {}, { maxSteps: 2, maxToolCalls: 2, wallClockMs: 15_000 }],
    ['all of it', { share: 1 }, {}, { maxSteps: 10, maxToolCalls: 8, wallClockMs: 60_000 }],
    [
      'never more than its own',
      { share: 1 },
      { maxSteps: 3, wallClockMs: 5 },
      { maxSteps: 3, maxToolCalls: 8, wallClockMs: 5 },
    ],
  ])('%s', async (_what, how, own, given) => {
    const { run, events } = family({
      parent: [ask(), answer('42')],
      child: [answer('blue')],
      parentAgent: { budget: small },
      childAgent: { budget: own },
      how,
    });
    await run();
    expect(budgetOf(events)).toEqual([expect.objectContaining(given)]);
  });

  it('of agents side by side is no more together than there is', async () => {
    const { run, events } = family({
      parent: [twice, answer('42')],
      child: [{ text: act('look'), delayMs: 10 }, { text: act('look'), delayMs: 10 }, answer('a'), answer('b')],
      parentAgent: { budget: small, dialect: 'native' },
      how: { readOnly: true, share: 0.5 },
    });
    expect((await run()).ok).toBe(true);
    expect(budgetOf(events).map(({ maxSteps, maxToolCalls }) => [maxSteps, maxToolCalls])).toEqual([
      [5, 3],
      [2, 2],
    ]);
  });

  it('is nothing where nothing is left: it ends at once, and says why', async () => {
    const { run, childModel, parentModel } = family({
      parent: [ask(), answer('42')],
      child: [],
      parentAgent: { budget: { maxSteps: 2 } },
    });
    expect(await run()).toMatchObject({ ok: true });
    expect(childModel.requests).toEqual([]);
    expect(parentModel.requests[1]?.messages.at(-1)?.content).toContain('gave no answer: max_steps after 0 steps');
  });

  it('whatever both do, the run keeps its own', async () => {
    const does = fc.constantFrom<ScriptEntry>(act('look'), answer('done'), 'nonsense', ask(), twice);
    const budget = fc.record({
      maxSteps: fc.integer({ min: 0, max: 8 }),
      maxToolCalls: fc.nat(6),
      maxTokens: fc.integer({ min: 0, max: 6_000 }),
    });
    const share = fc.constantFrom(0.3, 0.5, 1);
    await fc.assert(
      fc.asyncProperty(
        fc.array(does, { maxLength: 9 }),
        fc.array(does, { maxLength: 30 }),
        budget,
        share,
        async (parent, child, limits, part) => {
          const { run, childModel, parentModel, clock } = family({
            parent: [...parent, answer('42')],
            child,
            parentAgent: { budget: limits, loopGuard: 'off', dialect: 'native' },
            childAgent: { loopGuard: 'off' },
            how: { readOnly: true, share: part },
          });
          const { usage } = await run();
          expect(childModel.requests.length + parentModel.requests.length).toBe(usage.steps);
          expect(usage.steps).toBeLessThanOrEqual(limits.maxSteps);
          expect(usage.toolCalls).toBeLessThanOrEqual(limits.maxToolCalls);
          expect(usage.totalTokens).toBeLessThanOrEqual(limits.maxTokens);
          expect(clock.armed).toBe(0);
        },
      ),
    );
  });
});

describe('without an answer', () => {
  it.each<readonly [string, Partial<Family> & Pick<Family, 'child'>, string, string]>([
    [
      'at a limit',
      { child: [act('look'), act('look', 1), act('look', 2)], childAgent: { budget: { maxSteps: 2 } } },
      'failed',
      'gave no answer: max_steps after 2 steps. So far: I need data.',
    ],
    ['on a model error', { child: [] }, 'failed', 'model_error after 1 steps (The script has only 0 replies'],
    [
      'where only a person may allow what it wants',
      { child: [act('pay')], childAgent: { tools: { pay: returns('paid', { sideEffect: true }) } } },
      'failed',
      'suspended after 1 steps. So far: I need data. It wants to do something that only a person may allow.',
    ],
    [
      'with an effect of which nobody knows',
      {
        child: [act('pay'), 'nonsense'],
        childAgent: { tools: { pay: hangs({ timeoutMs: 10 }) }, budget: { maxViolations: 1 } },
      },
      'unknown',
      'violations_exhausted after 2 steps',
    ],
  ])('%s', async (_what, given, status, words) => {
    const { run, parentModel } = family({ parent: [ask(), answer('42')], ...given });
    const outcome = await run();
    expect(outcome.steps[0]?.calls[0]?.status).toBe(status);
    expect(parentModel.requests[1]?.messages.at(-1)?.content).toContain(words);
    expect(outcome.unknown).toHaveLength(status === 'unknown' ? 1 : 0);
  });
});

describe('it ends when the run does', () => {
  it.each<readonly [string, Partial<Budget>, string]>([
    ['with an abort', {}, 'aborted'],
    ['at the deadline', { wallClockMs: 500 }, 'timeout'],
  ])('%s', async (_what, budget, reason) => {
    const { agent, clock, events, childModel } = family({
      parent: [ask()],
      child: [act('look'), { text: 'Thought: slow', delayMs: 900 }],
      parentAgent: { budget },
      how: { share: 1 },
    });
    const run = agent.start('the task');
    await clock.pass(400);
    if (reason === 'aborted') run.abort();
    const outcome = await clock.until(run.outcome);
    expect(outcome).toMatchObject({ stopReason: reason, usage: { steps: 3, toolCalls: 2 } });
    expect(nestedIn(events).at(-1)).toMatchObject({
      type: 'run.ended',
      stopReason: expect.stringMatching('aborted|timeout'),
    });
    expect(childModel.requests).toHaveLength(2);
    expect(clock.armed).toBe(0);
  });

  it('and on the time-out of the call, whose cost counts', async () => {
    const { run } = family({
      parent: [ask(), answer('42')],
      child: [act('look'), { text: 'Thought: slow', delayMs: 900 }],
      how: { timeoutMs: 300, readOnly: true },
    });
    expect(await run()).toMatchObject({ ok: true, usage: { steps: 4, toolCalls: 2 } });
  });
});

describe('what is seen', () => {
  it('is each of its events, in the trace, in its place', async () => {
    const { run, events, helper, clock } = family({
      parent: [ask(), answer('42')],
      child: [act('look'), answer('blue')],
    });
    const { runId } = await run();
    const nested = nestedIn(events);
    expect(nested[0]).toMatchObject({ type: 'run.started', task: 'find it', runId: `${runId}:1.1` });
    expect(nested.at(-1)).toMatchObject({ type: 'run.ended', stopReason: 'final' });
    expect(nested.map(({ sequence }) => sequence)).toEqual([...nested.keys()]);
    const places = events.filter(({ type }) => type === 'call.nested');
    expect(places.every((event) => 'callId' in event && event.callId === '1.1')).toBe(true);
    expect(helper).toBeDefined();
    expect(clock.armed).toBe(0);
  });

  it('is without the secrets of the run that calls it, and without its own but for the answer', async () => {
    const { run, events, parentModel } = family({
      parent: [ask('with parent-secret'), answer('42')],
      child: [`Thought: child-secret\nFinal Answer: parent-secret`],
      childAgent: { redact: ['child-secret'] },
      parentAgent: { redact: ['parent-secret'] },
    });
    await run();
    expect(JSON.stringify([events, parentModel.requests])).not.toMatch(/child-secret|parent-secret/);
  });

  it('reaches through agents of agents', async () => {
    const clock = virtualClock();
    const model = (replies: readonly ScriptEntry[]) => scriptedModel(replies, { clock });
    const inner = createAgent({ model: model([answer('deep')]), clock });
    const middle = createAgent({
      model: model([ask('in', 'inner'), answer('blue')]),
      tools: { inner: inner.asTool({ description: 'Inner.' }) },
      clock,
    });
    const events: TraceEvent[] = [];
    const outer = createAgent({
      model: model([ask('mid', 'middle'), answer('42')]),
      tools: { middle: middle.asTool({ description: 'Middle.' }) },
      clock,
      onEvent: (event) => events.push(event),
    });
    expect(await clock.until(outer.run('the task'))).toMatchObject({ ok: true, usage: { steps: 5, toolCalls: 2 } });
    expect(nestedIn(nestedIn(events)).map(({ type }) => type)).toContain('reply.ended');
  });
});

describe('what agents of agents spend', () => {
  /** The innermost asks twice, and its second reply does not come. */
  function three(budget: Partial<Budget> = {}) {
    const clock = virtualClock();
    const events: TraceEvent[] = [];
    const model = (replies: readonly ScriptEntry[]) => scriptedModel(replies, { clock });
    const inner = createAgent({
      model: model([act('look'), { text: 'Thought: slow', delayMs: 900 }]),
      tools: { look: returns('seen') },
      clock,
    });
    const middle = createAgent({
      model: model([ask('in', 'inner')]),
      tools: { inner: inner.asTool({ description: 'Inner.', share: 1 }) },
      clock,
    });
    const outer = createAgent({
      model: model([ask('mid', 'middle')]),
      tools: { middle: middle.asTool({ description: 'Middle.', share: 1 }) },
      budget,
      clock,
      onEvent: (event) => events.push(event),
    });
    return { clock, run: outer.start('the task'), outer, events };
  }
  const all = { steps: 4, toolCalls: 3 };

  it('is known while they run, and in a snapshot', async () => {
    const { run, clock } = three();
    await clock.pass(400);
    expect(run.usage()).toMatchObject(all);
    expect(run.snapshot()).toMatchObject({
      context: { step: 1, nestedSteps: 0 },
      uncharged: { steps: 3, toolCalls: 2 },
    });
    run.abort();
  });

  it.each<readonly [string, Partial<Budget>, string]>([
    ['an abort', {}, 'aborted'],
    ['the deadline', { wallClockMs: 500 }, 'timeout'],
  ])('is charged on %s', async (_what, budget, reason) => {
    const { run, clock } = three(budget);
    await clock.pass(400);
    const { inputTokens } = run.usage();
    if (reason === 'aborted') run.abort();
    const { stopReason, usage } = await clock.until(run.outcome);
    expect(stopReason).toBe(reason);
    expect(usage).toMatchObject({ ...all, inputTokens });
    expect(inputTokens).toBeGreaterThan(1_500);
  });
});

it('an event that comes behind the deadline brings what all others spent', async () => {
  const clock = virtualClock();
  const late = { ...clock, monotonicMs: () => clock.monotonicMs() + (isLate ? 1e9 : 0) };
  let isLate = false;
  const helper = createAgent({
    model: scriptedModel([act('look'), { text: 'Thought: slow', delayMs: 900 }], { clock }),
    tools: { look: returns('seen', { readOnly: true }) },
    clock,
  });
  const agent = createAgent({
    model: scriptedModel([
      { text: '', calls: [{ tool: 'helper', input: { task: 'a' } }, { tool: 'blocks' }] },
      answer('42'),
    ]),
    tools: {
      helper: helper.asTool({ description: 'Finds things.', readOnly: true, share: 1 }),
      blocks: returns('done', {
        readOnly: true,
        execute: async () => {
          await new Promise<void>((resolve) => clock.setTimer(400, resolve));
          isLate = true;
          return 'done';
        },
      }),
    },
    dialect: 'native',
    clock: late,
  });
  const outcome = await clock.until(agent.run('the task'));
  expect(outcome).toMatchObject({ stopReason: 'timeout', usage: { steps: 3, toolCalls: 3 } });
});

it('an agent that is called when the run is over asks nobody, and leaves nothing in the trace', async () => {
  const { helper, childModel, clock } = family({ parent: [], child: [answer('blue')] });
  const inner = helper.asTool({ description: 'Finds things.' });
  const events: TraceEvent[] = [];
  const agent = createAgent({
    model: scriptedModel([act('wraps', { task: 'find it' })]),
    tools: {
      wraps: {
        ...inner,
        timeoutMs: 10_000,
        execute: async (input: { task: string }, options: Parameters<typeof inner.execute>[1]) => {
          await new Promise<void>((resolve) => clock.setTimer(1_000, resolve));
          return inner.execute(input, options);
        },
      },
    },
    clock,
    onEvent: (event) => events.push(event),
  });
  const run = agent.start('the task');
  await clock.pass(500);
  run.abort();
  await clock.until(run.outcome);
  await clock.pass(2_000);
  expect(events.at(-1)?.type).toBe('run.ended');
  expect(childModel.requests).toEqual([]);
});

it('after a crash nobody knows what it did; one that only reads is asked again', async () => {
  for (const readOnly of [false, true]) {
    const { agent, clock } = family({
      parent: [ask(), answer('42')],
      child: [{ text: answer('first'), delayMs: 900 }, answer('again')],
      how: { readOnly },
    });
    const run = agent.start('the task');
    await clock.pass(100);
    const snapshot = JSON.parse(JSON.stringify(run.snapshot()));
    run.abort();
    const { steps } = await clock.until(agent.resume(snapshot).outcome);
    expect(steps[0]?.calls[0]).toMatchObject(
      readOnly ? { status: 'succeeded', output: 'again' } : { status: 'unknown' },
    );
  }
});

it('runs with its own budget where something else calls it', async () => {
  const { helper, clock } = family({ parent: [], child: [answer('blue')] });
  const { execute } = helper.asTool({ description: 'Finds things.' });
  const { signal } = new AbortController();
  const call = {
    toolCallId: 'x',
    idempotencyKey: 'k',
    attempt: 1,
    abortSignal: signal,
    messages: [],
    context: undefined,
  };
  expect(await clock.until(Promise.resolve(execute({ task: 'find it' }, call)))).toBe('blue');
});

it.each<readonly [unknown, string]>([
  ...[0, -1, 1.1, Number.NaN, '0.5', null].map((share) => [{ share }, `share is ${share}.`] as const),
  [{ description: ' ' }, 'description is missing.'],
  [{ description: 5 }, 'description is missing.'],
  [{ shares: 1 }, 'shares is not an option of asTool.'],
  [{ endsRun: true }, 'endsRun is not an option of asTool.'],
])('%j is refused', (options, message) => {
  const { helper } = family({ parent: [], child: [] });
  const given = Object.assign({ description: 'Finds things.' }, options);
  expect(() => helper.asTool(given)).toThrow(message);
});

it('no options at all are refused', () => {
  const { helper } = family({ parent: [], child: [] });
  expect(() => Reflect.apply(helper.asTool, helper, [])).toThrow('options is not an object.');
});

describe('the mark readOnly', () => {
  const look = returns('seen', { readOnly: true });
  const send = returns('sent', { sideEffect: true });
  const asRead = (options: Partial<AgentOptions>) =>
    createAgent({ model: scriptedModel([]), ...options }).asTool({ description: 'Finds things.', readOnly: true });

  it.each<[string, Partial<AgentOptions>]>([
    ['an agent without tools', {}],
    ['one whose tools read', { tools: { look } }],
    ['one that may only read', { tools: { look, send }, policy: 'readOnly' }],
    ['one whose effects are only told', { tools: { look, send }, policy: 'dryRun' }],
  ])('fits %s', (_which, options) => {
    expect(asRead(options).readOnly).toBe(true);
  });

  it.each<[string, Partial<AgentOptions>, string]>([
    ['a side effect', { tools: { look, send } }, 'send'],
    ['one that has no mark', { tools: { look, find: returns('found') } }, 'find'],
    ['one that may be repeated', { tools: { put: returns('put', { idempotent: true }) } }, 'put'],
    ['one that a policy lets run', { tools: { look, send }, policy: 'all' }, 'send'],
  ])('is refused where it has %s', (_what, options, name) => {
    expect(() => asRead(options)).toThrow(
      expect.objectContaining({
        code: 'invalid_option',
        message: `readOnly is true, and ${name} of that agent is not readOnly.`,
        hint: expect.stringContaining('Leave the mark out'),
      }),
    );
  });
});
