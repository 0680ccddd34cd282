/** Going on from an end: with what the end left undone, nothing twice, and as if the budget had been larger from the start. */
import { describe, expect, it } from 'vitest';
import type { AgentOptions } from '../../src/agent-options.ts';
import type { Budget } from '../../src/core/limits.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import type { Snapshot } from '../../src/core/snapshot.ts';
import type { ToolRecord } from '../../src/core/tool.ts';
import type { ScriptEntry } from '../../src/models/scripted.ts';
import { tool } from '../../src/tool.ts';
import { foldTrace } from '../../src/verify/fold.ts';
import { act, answer, anyInput, hangs, setup } from './setup.ts';

/** Tools that write down what they were run with. */
function noted(ran: string[], more: ToolRecord = {}): ToolRecord {
  const notes = (name: string, marks: object) =>
    tool({
      inputSchema: anyInput,
      execute: (input) => {
        ran.push(`${name} ${JSON.stringify(input)}`);
        return `${name} is done`;
      },
      ...marks,
    });
  return {
    look: notes('look', { readOnly: true }),
    send: notes('send', { sideEffect: true, needsApproval: false }),
    ask: notes('ask', { sideEffect: true }),
    fails: tool({
      inputSchema: anyInput,
      readOnly: true,
      execute: (input) => {
        ran.push(`fails ${JSON.stringify(input)}`);
        throw new Error('no');
      },
    }),
    ...more,
  };
}

interface Case {
  readonly replies: readonly ScriptEntry[];
  readonly small: Partial<Budget>;
  readonly large: Partial<Budget>;
  readonly stopReason: Outcome['stopReason'];
  readonly agent?: Partial<AgentOptions>;
}

/** Several calls in the provider's own form. */
const calls = (...names: readonly string[]): ScriptEntry => ({
  calls: names.map((name, n) => ({ tool: name, input: { n } })),
});
const native = { dialect: 'native' } as const;

const cases: readonly (readonly [string, Case])[] = [
  [
    'calls of the last step that were held back',
    {
      replies: [act('look', { n: 1 }), act('send', { n: 2 }), answer('ok')],
      small: { maxSteps: 2 },
      large: { maxSteps: 3 },
      stopReason: 'max_steps',
    },
  ],
  [
    'calls that did not fit',
    {
      replies: [act('send', { n: 1 }), act('send', { n: 2 }), answer('ok')],
      small: { maxToolCalls: 1 },
      large: { maxToolCalls: 2 },
      stopReason: 'max_tool_calls',
    },
  ],
  [
    'violations',
    {
      replies: ['', '   ', answer('ok')],
      small: { maxViolations: 2 },
      large: { maxViolations: 3 },
      stopReason: 'violations_exhausted',
    },
  ],
  [
    'answers that were sent back',
    {
      replies: [answer('no'), answer('never'), answer('ok')],
      small: { maxViolations: 2 },
      large: { maxViolations: 3 },
      stopReason: 'violations_exhausted',
      agent: { checkAnswer: (text: string) => text === 'ok' || 'Once more.' },
    },
  ],
  [
    'tools that failed',
    {
      replies: [act('fails', { n: 1 }), act('fails', { n: 2 }), act('look'), answer('ok')],
      small: { maxToolErrors: 2 },
      large: { maxToolErrors: 3 },
      stopReason: 'tool_errors_exhausted',
    },
  ],
  [
    'no step at all',
    { replies: [answer('ok')], small: { maxSteps: 0 }, large: { maxSteps: 1 }, stopReason: 'max_steps' },
  ],
  [
    'calls of one reply of which some did not fit',
    {
      replies: [calls('send', 'look', 'fails'), 'ok'],
      small: { maxToolCalls: 2 },
      large: { maxToolCalls: 3 },
      stopReason: 'max_tool_calls',
      agent: native,
    },
  ],
  [
    'calls of one reply that are all held back',
    {
      replies: [calls('look', 'send', 'look'), 'ok'],
      small: { maxSteps: 1 },
      large: { maxSteps: 2 },
      stopReason: 'max_steps',
      agent: native,
    },
  ],
  [
    'a prompt that did not fit',
    {
      replies: [act('look'), answer('ok')],
      small: { maxTokens: 560 },
      large: { maxTokens: 100_000 },
      stopReason: 'token_budget',
    },
  ],
  [
    'tokens that were spent by a reply with calls',
    {
      replies: [{ text: act('send'), usage: { inputTokens: 9_000, outputTokens: 9_000 } }, answer('ok')],
      small: { maxTokens: 10_000 },
      large: { maxTokens: 100_000 },
      stopReason: 'token_budget',
    },
  ],
];

describe('with a larger budget it is as if it had been given from the start', () => {
  it.each(cases)('%s', async (_what, { replies, small, large, stopReason, agent: options = {} }) => {
    const ranWhole: string[] = [];
    const whole = setup({ replies, tools: noted(ranWhole), agent: options });
    const expected = await whole.run({ budget: large });

    const ran: string[] = [];
    const { agent, clock, model, events, run } = setup({ replies, tools: noted(ran), agent: options });
    const ended = await run({ budget: small });
    expect(ended).toMatchObject({ ok: false, stopReason });
    const resumed = await clock.until(agent.resume(leftBy(ended), { budget: large }).outcome);

    expect(resumed).toMatchObject({ ok: true, answer: 'ok' });
    expect(resumed.steps).toEqual(expected.steps);
    expect(resumed.usage).toEqual(expected.usage);
    expect(ran).toEqual(ranWhole);
    expect(model.requests.map(({ messages }) => messages)).toEqual(
      whole.model.requests.map(({ messages }) => messages),
    );
    expect(foldTrace(events).ended).toBe(true);
  });
});

describe('what an end from outside left', () => {
  it('a reply that was being read is asked for again, in its step', async () => {
    const { agent, clock, model, start } = setup({ replies: [act('look'), { hang: true }, answer('ok')] });
    const run = start();
    clock.setTimer(10, () => run.abort());
    const ended = await clock.until(run.outcome);
    expect(ended.stopReason).toBe('aborted');
    const outcome = await clock.until(agent.resume(leftBy(ended)).outcome);
    expect(outcome).toMatchObject({ ok: true, answer: 'ok' });
    expect(outcome.steps.map(({ number }) => number)).toEqual([1, 2]);
    expect(model.requests[2]?.messages).toEqual(model.requests[1]?.messages);
  });

  it('an effect in flight stays unknown, a read is made again, and what never began is told so', async () => {
    const ran: string[] = [];
    const { agent, clock, model, start, events } = setup({
      replies: [act('send'), answer('ok')],
      tools: noted(ran, { send: hangs({ sideEffect: true, needsApproval: false }) }),
    });
    const run = start();
    clock.setTimer(10, () => run.abort());
    const ended = await clock.until(run.outcome);
    expect(ended.unknown).toEqual([{ toolCallId: '1.1', tool: 'send', input: {} }]);
    const outcome = await clock.until(agent.resume(leftBy(ended)).outcome);
    expect(outcome).toMatchObject({ ok: true, unknown: ended.unknown });
    expect(model.requests[1]?.messages.at(-1)?.content).toContain('nobody knows whether it took effect');
    expect(foldTrace(events).ended).toBe(true);
  });

  it('a person is asked again', async () => {
    const ran: string[] = [];
    const { agent, clock, start } = setup({ replies: [act('ask', { n: 1 }), answer('ok')], tools: noted(ran) });
    const run = start();
    clock.setTimer(10, () => run.abort());
    const ended = await clock.until(run.outcome);
    const again = agent.resume(leftBy(ended));
    clock.setTimer(10, () => again.approve('1.1'));
    expect(await clock.until(again.outcome)).toMatchObject({ ok: true });
    expect(ran).toEqual(['ask {"n":1}']);
  });

  it('the time is given more, and it goes on', async () => {
    const { agent, clock, run } = setup({
      replies: [act('look'), { hang: true }, answer('ok')],
      agent: { timeouts: { firstTokenMs: 1_000_000 } },
    });
    const ended = await run({ budget: { wallClockMs: 5_000 } });
    expect(ended.stopReason).toBe('timeout');
    const outcome = await clock.until(agent.resume(leftBy(ended), { budget: { wallClockMs: 10_000 } }).outcome);
    expect(outcome).toMatchObject({ ok: true, answer: 'ok' });
  });

  it('a model that failed is asked again, with all its tries', async () => {
    const fails: ScriptEntry = { failure: { failure: 'rate_limited', message: 'busy', retry: { afterMs: null } } };
    const { agent, clock, run } = setup({ replies: [fails, answer('ok')], agent: { modelRetries: 0 } });
    const ended = await run();
    expect(ended.stopReason).toBe('model_error');
    expect(await clock.until(agent.resume(leftBy(ended)).outcome)).toMatchObject({ ok: true, answer: 'ok' });
  });
});

describe('what would end again at once is refused', () => {
  it.each<[string, Partial<Budget>, readonly ScriptEntry[], string]>([
    ['maxSteps', { maxSteps: 1 }, [act('look'), answer('ok')], 'budget.maxSteps is 1, and the run has used 1.'],
    [
      'maxToolCalls',
      { maxToolCalls: 0 },
      [act('look')],
      'budget.maxToolCalls is 0, and the run has used 0, and needs 1.',
    ],
    [
      'maxViolations',
      { maxViolations: 1 },
      [''],
      'budget.maxViolations is 1, and the run has had 1 violations in a row.',
    ],
    ['maxTokens', { maxTokens: 5 }, [answer('ok')], 'budget.maxTokens is 5, and the run has used 0 tokens of 5.'],
  ])('%s', async (field, budget, replies, message) => {
    const { agent, run } = setup({ replies });
    const snapshot = leftBy(await run({ budget }));
    expect(refusal(() => agent.resume(snapshot))).toMatchObject({ code: 'invalid_option', message });
    const more = { [field]: 1_000_000 };
    expect(() => agent.resume(snapshot, { budget: more })).not.toThrow();
  });
});

describe('ends from which no run goes on', () => {
  it.each<[string, readonly ScriptEntry[]]>([
    ['final', [answer('ok')]],
    ['loop_detected', Array.from({ length: 9 }, () => act('look'))],
  ])('%s', async (stopReason, replies) => {
    const { start, clock } = setup({ replies });
    const run = start();
    const outcome = await clock.until(run.outcome);
    expect(outcome).toMatchObject({ stopReason });
    expect(outcome).not.toHaveProperty('snapshot');
    expect(refusal(() => run.snapshot())).toMatchObject({ message: 'The run has ended.' });
  });
});

it('it can be done again and again, and the snapshot behind the end is that of the outcome', async () => {
  const replies = [1, 2, 3].map((n) => act('look', { n }));
  const { agent, clock, start, events } = setup({ replies: [...replies, answer('ok')] });
  let run = start({ budget: { maxSteps: 1 } });
  for (const maxSteps of [2, 3, 4]) {
    const ended = await clock.until(run.outcome);
    expect(ended).toMatchObject({ stopReason: 'max_steps' });
    expect(run.snapshot()).toEqual(leftBy(ended));
    run = agent.resume(JSON.parse(JSON.stringify(run.snapshot())), { budget: { maxSteps } });
  }
  expect(await clock.until(run.outcome)).toMatchObject({ ok: true, usage: { steps: 4, toolCalls: 3 } });
  expect(foldTrace(events).ended).toBe(true);
});

function leftBy(outcome: Outcome): Snapshot {
  if (outcome.ok || outcome.snapshot === undefined) throw new Error(`${outcome.stopReason} left nothing`);
  return JSON.parse(JSON.stringify(outcome.snapshot));
}

function refusal(work: () => unknown): unknown {
  try {
    work();
  } catch (thrown) {
    return thrown;
  }
  throw new Error('it was taken');
}
