/** What passes between the loop and a model beside the text: which model answers, what it wants back, what form it may force. */
import { describe, expect, it } from 'vitest';
import type { Model, ModelEvent, ModelRequest } from '../../src/core/model.ts';
import type { TraceEvent } from '../../src/core/trace.ts';
import { act, answer, returns, setup } from './setup.ts';

const end = { type: 'end', finish: 'stop', usage: null } as const;

/** A model that yields these, one list a request. */
function yields(...lists: readonly (readonly ModelEvent[])[]): Model & { readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    provider: 'several',
    name: 'a | b',
    requests,
    async *generate(request) {
      yield* lists[requests.push(request) - 1] ?? [];
    },
  };
}

const asked = (events: readonly TraceEvent[]) => events.filter((event) => event.type === 'model.asked');
const tools = { look: returns('seen', { readOnly: true }) };

describe('which model answers', () => {
  const a = { provider: 'one', name: 'a' };
  const b = { provider: 'two', name: 'b' };
  const insteadOf = { ...a, failure: 'rate_limited', message: 'too many requests', hint: 'wait' } as const;

  it('is in the trace, with the one that failed before it', async () => {
    const model = yields([
      { type: 'model', ...a },
      { type: 'model', ...b, insteadOf },
      { type: 'text', text: answer('42') },
      end,
    ]);
    const { run, events } = setup({ replies: [], agent: { model } });
    expect(await run()).toMatchObject({ ok: true, answer: '42' });
    expect(asked(events)).toMatchObject([
      { step: 1, ...a, state: { THOUGHT: 'reasoning' } },
      { step: 1, ...b, insteadOf },
    ]);
  });

  it('is told by try', async () => {
    const broken = { type: 'failed', failure: 'broke_off', message: 'reset', hint: '', retry: { afterMs: 0 } } as const;
    const model = yields(
      [{ type: 'model', ...a }, { type: 'text', text: 'Thought: h' }, broken],
      [{ type: 'model', ...b }, { type: 'text', text: answer('42') }, end],
    );
    const { run, events } = setup({ replies: [], agent: { model } });
    expect(await run()).toMatchObject({ ok: true });
    expect(asked(events)).toMatchObject([a, { ...b, attempt: 2 }]);
  });

  it('is without secrets', async () => {
    const model = yields([
      { type: 'model', ...b, insteadOf: { ...insteadOf, message: 'the key hunter22 is wrong' } },
      { type: 'text', text: answer('42') },
      end,
    ]);
    const { run, events } = setup({ replies: [], agent: { model, redact: ['hunter22'] } });
    await run();
    expect(asked(events)).toMatchObject([{ insteadOf: { message: 'the key [redacted] is wrong' } }]);
  });

  it('has the time of a first token for itself', async () => {
    const { clock, agent } = setup({ replies: [] });
    expect(agent).toBeDefined();
    const slow = (afterMs: number): Promise<void> => new Promise((resolve) => clock.setTimer(afterMs, resolve));
    const model: Model = {
      provider: 'several',
      name: 'a | b',
      async *generate() {
        await slow(50);
        yield { type: 'model', ...b, insteadOf };
        await slow(50);
        yield { type: 'text', text: answer('42') };
        yield end;
      },
    };
    const made = setup({ replies: [], agent: { model, clock, timeouts: { firstTokenMs: 60, betweenTokensMs: 10 } } });
    expect(await clock.until(made.agent.run('the task'))).toMatchObject({ ok: true });
  });

  it.each([
    ['no name', { type: 'model', provider: 'x' }],
    ['no reason', { type: 'model', ...b, insteadOf: a }],
    ['no one', { type: 'model', ...b, insteadOf: null }],
  ])('is a breach with %s', async (_what, event) => {
    const { run } = setup({ replies: [], agent: { model: yields([event as ModelEvent]) } });
    expect(await run()).toMatchObject({
      stopReason: 'model_error',
      error: { message: expect.stringContaining('several') },
    });
  });
});

describe('what an adapter wants back', () => {
  const providerData = { by: 'several', blocks: [{ thinking: 'hm', signature: 'c2ln' }] };
  const look = { type: 'call', index: 0, id: 'x', tool: 'look', input: '{}' } as const;
  const first = [look, { ...end, providerData }] as const;

  it('comes back with the message that the reply became, in each request after it', async () => {
    const model = yields(first, [{ ...look, input: '{"n":1}' }, end], [{ type: 'text', text: 'done' }, end]);
    const { run, events } = setup({ replies: [], tools, agent: { model, dialect: 'native' } });
    expect(await run()).toMatchObject({ ok: true });
    const given = model.requests.map(({ messages }) =>
      messages.map((message) => (message.role === 'assistant' ? (message.providerData ?? null) : undefined)),
    );
    expect(given[1]?.filter((data) => data !== undefined)).toEqual([providerData]);
    expect(given[2]?.filter((data) => data !== undefined)).toEqual([providerData, null]);
    expect(events.find(({ type }) => type === 'reply.ended')).toMatchObject({ providerData });
  });

  it('survives a snapshot, in the conversation and in the step in progress', async () => {
    const model = yields(
      first,
      [
        { ...look, tool: 'pay' },
        { ...end, providerData },
      ],
      [{ type: 'text', text: 'done' }, end],
    );
    const withPay = { ...tools, pay: returns('paid', { sideEffect: true }) };
    const { run, agent, clock } = setup({ replies: [], tools: withPay, agent: { model, dialect: 'native' } });
    const outcome = await run();
    if (outcome.ok || outcome.snapshot === undefined) throw new Error('it should have been suspended');
    const resumed = agent.resume(JSON.parse(JSON.stringify(outcome.snapshot)));
    resumed.approve('2.1');
    expect(await clock.until(resumed.outcome)).toMatchObject({ ok: true });
    const last = model.requests.at(-1)?.messages.filter(({ role }) => role === 'assistant');
    expect(last).toMatchObject([{ providerData }, { providerData }]);
  });

  it('counts as part of the prompt', async () => {
    const prompts = async (data: object) => {
      const model = yields([look, { ...end, ...data }], [{ type: 'text', text: 'done' }, end]);
      const { run, events } = setup({ replies: [], tools, agent: { model, dialect: 'native' } });
      await run();
      return events.flatMap((event) => (event.type === 'prompt.sent' ? [event.promptTokens] : []));
    };
    const [plain, more] = [await prompts({}), await prompts({ providerData: { thinking: 'word '.repeat(1_000) } })];
    expect((more[1] ?? 0) - (plain[1] ?? 0)).toBeGreaterThan(500);
  });

  it('of a reply that broke off is gone', async () => {
    const broken = { type: 'failed', failure: 'broke_off', message: 'reset', hint: '', retry: { afterMs: 0 } } as const;
    const model = yields([look, broken], [look, end], [{ type: 'text', text: 'done' }, end]);
    const { run } = setup({ replies: [], tools, agent: { model, dialect: 'native' } });
    expect(await run()).toMatchObject({ ok: true });
    expect(JSON.stringify(model.requests[2]?.messages)).not.toContain('providerData');
  });
});

describe('the form', () => {
  it.each(['labelled', 'tags', 'paper', 'id', 'native', 'json'])(
    '%s: one JSON object is asked for in json alone',
    async (dialect) => {
      const model = yields([{ type: 'text', text: '' }, end]);
      await setup({ replies: [], agent: { model, dialect, budget: { maxSteps: 1 } } }).run();
      expect(model.requests[0]?.json).toBe(dialect === 'json' ? true : undefined);
    },
  );
});

describe('what an early stop saves', () => {
  it('is at most what the reply could still have had', async () => {
    const { run, events } = setup({
      replies: [`${act('look')}\nObservation: made up`, answer('42')],
      agent: { sizes: { maxReplyTokens: 1_000 } },
    });
    await run();
    const saved = events.flatMap((event) => (event.type === 'reply.stopped' ? [event.savedTokens ?? null] : []));
    expect(saved[0]).toBeNull();
    expect(saved[1]).toBeGreaterThan(900);
    expect(saved[1]).toBeLessThan(1_000);
  });
});
