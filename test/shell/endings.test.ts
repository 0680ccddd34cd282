/** Every way in which a run can end, through the public door, on a virtual clock. */
import { describe, expect, it } from 'vitest';
import type { ModelEvent } from '../../src/core/model.ts';
import { stopReasons } from '../../src/core/stop-reasons.ts';
import type { ScriptEntry } from '../../src/models/scripted.ts';
import { systemClock } from '../../src/shell/system-clock.ts';
import { tool } from '../../src/tool.ts';
import { act, answer, anyInput, hangs, returns, type Setup, setup } from './setup.ts';

const forever = (reply: ScriptEntry) => Array.from({ length: 40 }, () => reply);
const distinct = (name: string) => Array.from({ length: 40 }, (_, n) => act(name, { n }));

/** A model that yields for ever; `settle` after each piece keeps it from ever giving way by itself. */
const streams = (event: ModelEvent) => ({
  provider: 'endless',
  name: 'endless',
  async *generate() {
    for (;;) yield event;
  },
});

interface Case extends Setup {
  readonly what: string;
  readonly reason: (typeof stopReasons)[number];
  readonly calls: number;
}

const cases: readonly Case[] = [
  { what: 'an answer', replies: [answer('42')], reason: 'final', calls: 1 },
  { what: 'a tool and an answer', replies: [act('look'), answer('42')], reason: 'final', calls: 2 },
  {
    what: 'an answer in the last step',
    replies: [act('look'), answer('42')],
    agent: { budget: { maxSteps: 2 } },
    reason: 'final',
    calls: 2,
  },
  {
    what: 'a tool that ends the run',
    replies: [act('submit')],
    tools: { submit: returns('done', { endsRun: true }) },
    reason: 'final',
    calls: 1,
  },
  {
    what: 'the steps are spent',
    replies: distinct('look'),
    agent: { budget: { maxSteps: 3 } },
    reason: 'max_steps',
    calls: 3,
  },
  { what: 'no step is allowed', replies: [], agent: { budget: { maxSteps: 0 } }, reason: 'max_steps', calls: 0 },
  {
    what: 'the tool calls are spent',
    replies: distinct('look'),
    agent: { budget: { maxToolCalls: 2 } },
    reason: 'max_tool_calls',
    calls: 3,
  },
  {
    what: 'the tokens are spent by our count',
    replies: distinct('look'),
    agent: { system: '', budget: { maxTokens: 100 } },
    reason: 'token_budget',
    calls: 2,
  },
  {
    what: 'the provider counts above the budget',
    replies: [{ text: act('look'), usage: { inputTokens: 90, outputTokens: 40 } }],
    agent: { system: '', budget: { maxTokens: 100 } },
    reason: 'token_budget',
    calls: 1,
  },
  { what: 'violations in a row', replies: forever('I would rather talk.'), reason: 'violations_exhausted', calls: 3 },
  {
    what: 'replies cut by length',
    replies: forever({ text: act('look'), finish: 'length' }),
    reason: 'violations_exhausted',
    calls: 3,
  },
  { what: 'empty replies', replies: forever(''), reason: 'violations_exhausted', calls: 3 },
  {
    what: 'a tool that throws',
    replies: distinct('broken'),
    tools: {
      broken: tool({
        inputSchema: anyInput,
        execute: () => {
          throw new Error('no');
        },
      }),
    },
    reason: 'tool_errors_exhausted',
    calls: 3,
  },
  { what: 'a tool that does not exist', replies: distinct('lok'), reason: 'tool_errors_exhausted', calls: 3 },
  {
    what: 'a tool that never settles',
    replies: distinct('slow'),
    tools: { slow: hangs() },
    reason: 'tool_errors_exhausted',
    calls: 3,
  },
  { what: 'the same step again and again', replies: forever(act('look')), reason: 'loop_detected', calls: 4 },
  {
    what: 'two steps in turn',
    replies: Array.from({ length: 10 }, (_, n) => act('look', { n: n % 2 })),
    reason: 'loop_detected',
    calls: 8,
  },
  {
    what: 'a model that never answers',
    replies: [{ hang: true }],
    agent: { modelRetries: 0 },
    reason: 'model_error',
    calls: 1,
  },
  {
    what: 'a model that never answers, and less time',
    replies: [{ hang: true }],
    agent: { budget: { wallClockMs: 5_000 } },
    reason: 'timeout',
    calls: 1,
  },
  {
    what: 'a tool that never settles, and less time',
    replies: [act('slow')],
    tools: { slow: hangs() },
    agent: { budget: { wallClockMs: 5_000 } },
    reason: 'timeout',
    calls: 1,
  },
  {
    what: 'a model that fails',
    replies: [{ text: '', failure: { failure: 'rate_limited', message: '429' } }],
    reason: 'model_error',
    calls: 1,
  },
  { what: 'a filter', replies: [{ text: 'I', finish: 'content_filter' }], reason: 'content_filter', calls: 1 },
  {
    what: 'a call that needs a person, and nobody is there',
    replies: [act('send')],
    tools: { send: returns('sent', { sideEffect: true }) },
    reason: 'suspended',
    calls: 1,
  },
  {
    what: 'a schema that never settles',
    replies: distinct('odd'),
    tools: {
      odd: {
        inputSchema: { '~standard': { version: 1, vendor: 'odd', validate: () => new Promise(() => {}) } },
        execute: () => 1,
      },
    },
    reason: 'tool_errors_exhausted',
    calls: 3,
  },
  {
    what: 'a check of the answer that never settles',
    replies: forever(answer('42')),
    agent: { checkAnswer: () => new Promise(() => {}) },
    reason: 'violations_exhausted',
    calls: 3,
  },
  {
    what: 'an answer that is sent back',
    replies: [answer('41'), answer('42')],
    agent: { checkAnswer: (text) => (text === '42' ? true : 'It is more.') },
    reason: 'final',
    calls: 2,
  },
];

describe('a run ends', () => {
  it.each(cases)('$what → $reason', async ({ reason, calls, ...given }) => {
    const { run, model, clock, events } = setup(given);
    const outcome = await run();
    expect(outcome.stopReason).toBe(reason);
    expect(outcome.ok).toBe(reason === 'final');
    expect(model.requests).toHaveLength(calls);
    expect(events.filter(({ type }) => type === 'run.ended')).toHaveLength(1);
    expect(events.at(-1)?.type).toBe('run.ended');
    expect(clock.armed).toBe(0);
    expect(JSON.parse(JSON.stringify(outcome)).stopReason).toBe(reason);
  });

  it('has a case here for every stop reason that can be reached', () => {
    const reached = new Set(cases.map(({ reason }) => reason));
    // By a caller's abort: below. A defect: test/machine/port.test.ts. The rest comes with costs, empty results and stores.
    const elsewhere = ['aborted', 'internal_error', 'cost_budget', 'no_progress', 'store_error'];
    expect(stopReasons.filter((reason) => !reached.has(reason))).toEqual(expect.arrayContaining(elsewhere));
    expect(stopReasons).toHaveLength(reached.size + elsewhere.length);
  });
});

describe('a stream without end', () => {
  it.each([
    ['of text', { type: 'text', text: 'word ' }, 'violations_exhausted'],
    ['of reasoning', { type: 'reasoning', text: 'hm ' }, 'violations_exhausted'],
  ] as const)('%s is cut by its size', async (_what, event, reason) => {
    const { clock, agent } = setup({ replies: [], agent: { model: streams(event) } });
    const outcome = await clock.until(agent.run('the task'));
    expect(outcome).toMatchObject({ stopReason: reason, usage: { estimated: true, overrun: 0 } });
  });

  it('of empty pieces that are always ready lets every timer fire', async () => {
    // On real time: a virtual clock moves only when nothing else can happen, and here something always can.
    const model = streams({ type: 'text', text: '' });
    const { agent } = setup({ replies: [], agent: { model, budget: { wallClockMs: 100 }, clock: systemClock } });
    let fired = 0;
    const timer = setInterval(() => fired++, 10);
    const outcome = await agent.run('the task');
    clearInterval(timer);
    expect(outcome.stopReason).toBe('timeout');
    expect(fired).toBeGreaterThan(0);
  });
});

describe('what is shown of a run that has no answer', () => {
  it.each<[string, readonly ScriptEntry[], string | null]>([
    [
      'the thought of a reply that was left',
      [{ chunks: ['Thought: I look.\n', 'Action: l'], betweenMs: 10, hang: true }],
      'I look.',
    ],
    [
      'the beginning of an answer that was left',
      [{ chunks: ['Thought: t\nFinal Answer: it is', ' 4'], betweenMs: 10, hang: true }],
      'it is 4',
    ],
    [
      'the beginning of an answer that was cut',
      forever({ text: 'Thought: t\nFinal Answer: it is', finish: 'length' }),
      'it is',
    ],
    ['the last thought', [act('look'), { hang: true }], 'I need data.'],
    ['nothing, where nothing was said', [{ hang: true }], null],
  ])('%s', async (_what, replies, partial) => {
    const { run } = setup({ replies, agent: { budget: { wallClockMs: 5_000 } } });
    expect(await run()).toMatchObject({ ok: false, partial });
  });
});

describe('an abort', () => {
  const reason = new Error('enough');
  it.each([
    ['before the start', 0, 0],
    ['while the model thinks', 10, 1],
    ['while a tool runs', 60, 1],
  ])('%s ends at once', async (_when, afterMs, calls) => {
    const { clock, model, agent, events } = setup({
      replies: [{ text: act('slow'), delayMs: 50 }, answer('late')],
      tools: { slow: hangs() },
    });
    const controller = new AbortController();
    if (afterMs === 0) controller.abort(reason);
    const outcome = agent.run('the task', { signal: controller.signal });
    await clock.pass(afterMs);
    controller.abort(reason);
    expect(await outcome).toMatchObject({ ok: false, stopReason: 'aborted' });
    expect(model.requests).toHaveLength(calls);
    expect(clock.armed).toBe(0);
    const length = events.length;
    await clock.pass(1_000_000);
    expect(events).toHaveLength(length);
  });

  it('leaves no listener on the caller’s signal', async () => {
    const { clock, agent } = setup({ replies: [answer('1')] });
    const controller = new AbortController();
    let listeners = 0;
    const add = controller.signal.addEventListener.bind(controller.signal);
    const remove = controller.signal.removeEventListener.bind(controller.signal);
    controller.signal.addEventListener = (...given: Parameters<typeof add>) => {
      listeners++;
      add(...given);
    };
    controller.signal.removeEventListener = (...given: Parameters<typeof remove>) => {
      listeners--;
      remove(...given);
    };
    await clock.until(agent.run('the task', { signal: controller.signal }));
    expect(listeners).toBe(0);
  });

  it('reports an effect in flight as unknown', async () => {
    const { clock, start } = setup({
      replies: [act('send', { to: 'a' })],
      tools: { send: hangs({ sideEffect: true, needsApproval: false }) },
    });
    const run = start();
    await clock.calm();
    run.abort('enough');
    expect(await run.outcome).toMatchObject({
      stopReason: 'aborted',
      unknown: [{ toolCallId: '1.1', tool: 'send', input: { to: 'a' } }],
      steps: [{ number: 1, calls: [{ status: 'unknown' }] }],
    });
  });
});
