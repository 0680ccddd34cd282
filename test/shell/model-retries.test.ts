/** A reply that failed is asked for again: when, how often, at what cost, and what anybody sees of it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentOptions } from '../../src/agent-options.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import type { LiveEvent, TraceEvent } from '../../src/core/trace.ts';
import type { ScriptEntry, ScriptedReply } from '../../src/models/scripted.ts';
import { act, answer, returns, setup } from './setup.ts';

const busy = (afterMs: number | null = null): ScriptedReply => ({
  failure: { failure: 'rate_limited', message: 'too many requests', retry: { afterMs } },
});
const brokeOff = (text: string): ScriptedReply => ({
  text,
  failure: { failure: 'broke_off', message: 'the connection was reset', retry: { afterMs: 0 } },
});
const busyLater: Pick<ScriptedReply, 'failure'> = {
  failure: { failure: 'broke_off', message: 'the connection was reset', retry: { afterMs: 60_000 } },
};
const refused: ScriptedReply = { failure: { failure: 'refused', message: 'no such model' } };

const tries = (events: readonly TraceEvent[]) => events.filter(({ type }) => type === 'prompt.sent');
const failures = (events: readonly TraceEvent[]) => events.filter((event) => event.type === 'reply.failed');

interface Row {
  readonly what: string;
  readonly replies: readonly ScriptEntry[];
  readonly agent?: Partial<AgentOptions>;
  readonly ends: Outcome['stopReason'];
  readonly prompts: number;
  readonly steps: number;
}

const rows: readonly Row[] = [
  { what: 'a busy server, and then an answer', replies: [busy(), answer('42')], ends: 'final', prompts: 2, steps: 1 },
  { what: 'two failures by default', replies: [busy(), busy(), answer('42')], ends: 'final', prompts: 3, steps: 1 },
  { what: 'and not three', replies: [busy(), busy(), busy(), answer('42')], ends: 'model_error', prompts: 3, steps: 1 },
  {
    what: 'as many as are allowed',
    replies: [busy(), busy(), busy(), answer('42')],
    agent: { modelRetries: 3 },
    ends: 'final',
    prompts: 4,
    steps: 1,
  },
  {
    what: 'none, where none is allowed',
    replies: [busy(), answer('42')],
    agent: { modelRetries: 0 },
    ends: 'model_error',
    prompts: 1,
    steps: 1,
  },
  { what: 'what is not worth it', replies: [refused, answer('42')], ends: 'model_error', prompts: 1, steps: 1 },
  {
    what: 'tries are counted by step',
    replies: [busy(), busy(), act('look'), busy(), busy(), answer('42')],
    ends: 'final',
    prompts: 6,
    steps: 2,
  },
  {
    what: 'a retry is no step',
    replies: [busy(), busy(), answer('42')],
    agent: { budget: { maxSteps: 1 } },
    ends: 'final',
    prompts: 3,
    steps: 1,
  },
  {
    what: 'a wait that ends at the deadline is not begun',
    replies: [busy(180_000), answer('42')],
    ends: 'model_error',
    prompts: 1,
    steps: 1,
  },
  {
    what: 'a wait that ends just before it is',
    replies: [busy(179_999), answer('42')],
    ends: 'final',
    prompts: 2,
    steps: 1,
  },
  {
    what: 'a reply that broke off behind the label of an action',
    replies: [brokeOff('Thought: go\nAction: look\nAction Input: {"a": 1'), answer('42')],
    ends: 'final',
    prompts: 2,
    steps: 1,
  },
  {
    what: 'a reply that broke off in its answer',
    replies: [brokeOff('Thought: go\nFinal Answer: fort'), act('look'), answer('42')],
    ends: 'final',
    prompts: 3,
    steps: 2,
  },
  {
    what: 'a reply without an end mark',
    replies: [{ chunks: ['Thought: hm'], hang: true }, answer('42')],
    ends: 'final',
    prompts: 2,
    steps: 1,
  },
];

it.each(rows)('$what', async ({ replies, agent, ends, prompts, steps }) => {
  const { run, events, model, clock } = setup({ replies, ...(agent && { agent }) });
  const outcome = await run();
  expect(outcome).toMatchObject({ stopReason: ends, ...(ends === 'final' ? { answer: '42' } : {}) });
  expect(outcome.usage.steps).toBe(steps);
  expect(tries(events)).toHaveLength(prompts);
  expect(model.requests).toHaveLength(prompts);
  expect(clock.armed).toBe(0);
});

describe('what is asked again', () => {
  it('is the same request, with the number of the try', async () => {
    const { run, model } = setup({ replies: [busy(), brokeOff('Thought: half'), act('look'), answer('42')] });
    await run();
    const [first, second, third, fourth] = model.requests;
    expect([first, second, third, fourth].map((request) => [request?.step, request?.attempt])).toEqual([
      [1, 1],
      [1, 2],
      [1, 3],
      [2, 1],
    ]);
    expect(second).toEqual({ ...first, attempt: 2 });
    expect(third).toEqual({ ...first, attempt: 3 });
  });

  it('leaves nothing of the reply that broke off: no thought, no message, no call', async () => {
    const tools = { look: returns('seen'), pay: returns('paid') };
    const { run, model } = setup({
      replies: [brokeOff('Thought: secret plan\nAction: pay\nAction Input: {"eur": 1}'), act('look'), answer('42')],
      tools,
    });
    const outcome = await run();
    expect(outcome.steps.map(({ thought, calls }) => [thought, calls.map(({ tool }) => tool)])).toEqual([
      ['I need data.', ['look']],
      ['I have what I need.', []],
    ]);
    expect(JSON.stringify(model.requests)).not.toContain('secret plan');
  });

  it('nor as what the outcome, or a snapshot, shows of it while the run waits', async () => {
    const { start, clock } = setup({
      replies: [{ ...brokeOff('Thought: secret plan\nAction: look\n'), ...busyLater }, answer('42')],
    });
    const run = start();
    await clock.pass(1_000);
    expect(JSON.stringify(run.snapshot())).not.toContain('secret plan');
    run.abort();
    expect(await clock.until(run.outcome)).toMatchObject({ stopReason: 'aborted', partial: null });
  });

  it('is not what was acted on: behind a whole call the reply is left, and its end does not matter', async () => {
    const { run, model, events } = setup({
      replies: [brokeOff(`${act('look')}\nObservation: made up`), answer('42')],
    });
    expect(await run()).toMatchObject({ ok: true });
    expect(model.requests.map(({ attempt }) => attempt)).toEqual([1, 1]);
    expect(failures(events)).toEqual([]);
  });
});

describe('the wait', () => {
  const sentAt = (events: readonly TraceEvent[]) =>
    events.flatMap((event) => (event.type === 'prompt.sent' ? [event.atMs] : []));

  it('is as long as the server asks', async () => {
    const { run, events } = setup({ replies: [busy(1_000), busy(250), answer('42')] });
    await run();
    expect(sentAt(events)).toEqual([0, 1_000, 1_250]);
  });

  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY])('of %d is nonsense, and is our own', async (afterMs) => {
    const { run, events } = setup({ replies: [busy(afterMs), answer('42')] });
    await run();
    expect(sentAt(events)[1]).toBeLessThanOrEqual(500);
  });

  it('spreads over runs where the server does not say, and grows', async () => {
    const waits: (readonly number[])[] = [];
    for (let index = 0; index < 200; index++) {
      const { run, events } = setup({ replies: [busy(), busy(), busy(), answer('42')], agent: { modelRetries: 3 } });
      await run({ runId: `run-${index}` });
      const at = sentAt(events);
      waits.push(at.slice(1).map((time, place) => time - (at[place] ?? 0)));
    }
    const mean = (place: number) => waits.reduce((sum, wait) => sum + (wait[place] ?? 0), 0) / waits.length;
    const most = (place: number) => Math.max(...waits.map((wait) => wait[place] ?? 0));
    expect([0, 1, 2].map(most).every((longest, place) => longest <= 500 * 2 ** place)).toBe(true);
    // Evenly from nothing to the most: the mean is half of it.
    for (const place of [0, 1, 2]) expect(mean(place) / (250 * 2 ** place)).toBeCloseTo(1, 0);
    expect(new Set(waits.map(([first]) => first)).size).toBeGreaterThan(100);
  });

  it('ends with an abort, and nothing is asked any more', async () => {
    const { start, clock, model } = setup({ replies: [busy(60_000), answer('42')] });
    const run = start();
    await clock.pass(30_000);
    run.abort('enough');
    expect(await clock.until(run.outcome)).toMatchObject({ stopReason: 'aborted' });
    expect(model.requests).toHaveLength(1);
    expect(clock.armed).toBe(0);
  });

  it('goes on after a resume, for as long as is left', async () => {
    const { start, agent, clock, events } = setup({ replies: [busy(60_000), answer('42')] });
    const run = start();
    await clock.pass(20_000);
    const snapshot = JSON.parse(JSON.stringify(run.snapshot()));
    run.abort();
    const outcome = await clock.until(agent.resume(snapshot).outcome);
    expect(outcome).toMatchObject({ ok: true, usage: { steps: 1 } });
    expect(sentAt(events)).toEqual([0, 60_000]);
    expect(tries(events).at(-1)).toMatchObject({ attempt: 2 });
  });
});

describe('an observer that ends the run', () => {
  it('when a try begins: nothing is asked, and nothing is left', async () => {
    const replies = [busy(1_000), answer('42')];
    const { clock, agent, model } = setup({ replies, agent: { onEvent: (event) => onEvent(event) } });
    const seen: string[] = [];
    let abort = () => {};
    const onEvent = (event: TraceEvent) => {
      seen.push(event.type);
      if (event.type === 'prompt.sent' && event.attempt === 2) abort();
    };
    const run = agent.start('the task');
    abort = () => run.abort('enough');
    expect(await clock.until(run.outcome)).toMatchObject({ stopReason: 'aborted' });
    await clock.calm();
    expect(seen.at(-1)).toBe('run.ended');
    expect(model.requests.every(({ attempt }) => attempt <= 2)).toBe(true);
    expect(clock.armed).toBe(0);
  });

  it('and the signal of a request that was made all the same is aborted', async () => {
    const signals: AbortSignal[] = [];
    let abort = () => {};
    const inner = setup({ replies: [busy(1_000), { hang: true }] });
    const { agent } = setup({
      replies: [],
      agent: {
        clock: inner.clock,
        model: {
          ...inner.model,
          generate(request) {
            signals.push(request.signal);
            return inner.model.generate(request);
          },
        },
        onEvent: (event) => {
          if (event.type === 'prompt.sent' && event.attempt === 2) abort();
        },
      },
    });
    const run = agent.start('the task');
    abort = () => run.abort('enough');
    expect(await inner.clock.until(run.outcome)).toMatchObject({ stopReason: 'aborted' });
    expect(signals.slice(1).every(({ aborted }) => aborted)).toBe(true);
    expect(inner.clock.armed).toBe(0);
  });
});

describe('the cost', () => {
  it('of what was refused is nothing, and of what broke off what came of it', async () => {
    const cost = async (replies: readonly ScriptEntry[]) => (await setup({ replies }).run()).usage;
    const plain = await cost([answer('42')]);
    expect(await cost([busy(), answer('42')])).toEqual(plain);
    const broken = await cost([brokeOff('Thought: half'), answer('42')]);
    expect(broken.inputTokens).toBe(2 * plain.inputTokens);
    expect(broken.outputTokens).toBeGreaterThan(plain.outputTokens);
  });

  it('may spend the tokens: then nothing is asked again', async () => {
    const { run, model } = setup({
      replies: [brokeOff('Thought: half'), answer('42')],
      agent: { system: 'Short.', budget: { maxTokens: 20 } },
    });
    const outcome = await run();
    expect(outcome).toMatchObject({ ok: false });
    expect(model.requests.length).toBeLessThanOrEqual(2);
    expect(outcome.usage.totalTokens).toBeLessThanOrEqual(20);
  });
});

describe('what is seen', () => {
  it('in the trace: each try that failed, when the next may be made, and of which try an event is', async () => {
    const { run, events } = setup({ replies: [busy(1_000), brokeOff('Thought: half'), answer('42')] });
    await run();
    expect(failures(events)).toMatchObject([
      { failure: 'rate_limited', retryAtMs: 1_000, state: { THOUGHT: 'reasoning' } },
      { failure: 'broke_off', attempt: 2, retryAtMs: 1_000, state: { THOUGHT: 'reasoning' } },
    ]);
    expect(tries(events)).toMatchObject([{ step: 1 }, { step: 1, attempt: 2 }, { step: 1, attempt: 3 }]);
    expect(events.find(({ type }) => type === 'reply.ended')).toMatchObject({ attempt: 3 });
  });

  it('live: the pieces so far count for nothing', async () => {
    const { start, clock } = setup({ replies: [brokeOff('Thought: half'), answer('42')] });
    const run = start();
    const seen: LiveEvent[] = [];
    const reading = (async () => {
      for await (const event of run) seen.push(event);
    })();
    await clock.until(run.outcome);
    await reading;
    const told = seen
      .filter(({ type }) => type.startsWith('reply.'))
      .map((event) => [event.type, 'text' in event ? event.text : null]);
    expect(told).toEqual([
      ['reply.delta', 'Thought: half'],
      ['reply.failed', null],
      ['reply.restarted', null],
      ['reply.delta', answer('42')],
      ['reply.stopped', ''],
      ['reply.ended', answer('42')],
    ]);
  });
});

it('whatever fails how often: no more tries than allowed, no step for one, and the end that follows', async () => {
  const failure = fc.oneof(
    fc.constantFrom<ScriptedReply>(refused),
    fc.option(fc.nat(100_000)).map(busy),
    fc.constantFrom('Thought: a', 'Thought: a\nAction: look\nAction', 'Final Answer: b', '').map(brokeOff),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(failure, { maxLength: 5 }), fc.nat(3), async (failing, modelRetries) => {
      const { run, events, clock } = setup({ replies: [...failing, answer('42')], agent: { modelRetries } });
      const outcome = await run();
      expect(tries(events).length).toBeLessThanOrEqual(modelRetries + 1);
      expect(outcome.usage.steps).toBe(1);
      expect(['final', 'model_error', 'timeout']).toContain(outcome.stopReason);
      const worthIt = failing.every(({ failure }) => failure?.retry !== undefined);
      const short = failing.every(({ failure }) => (failure?.retry?.afterMs ?? 8_000) < 30_000);
      if (worthIt && short) expect(outcome.ok).toBe(failing.length <= modelRetries);
      if (outcome.stopReason === 'model_error') expect(failures(events).at(-1)).toMatchObject({ state: 'ERROR' });
      expect(clock.armed).toBe(0);
    }),
  );
});
