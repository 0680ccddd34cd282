/** Runs that are over and are asked for again: the outcome of then, nothing done, and an end that was lost is written. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createAgent } from '../../src/agent.ts';
import type { AgentOptions } from '../../src/agent-options.ts';
import type { JsonValue } from '../../src/core/json.ts';
import type { InputSchema } from '../../src/core/schema.ts';
import type { JournalLine, Store } from '../../src/core/store.ts';
import type { ToolRecord } from '../../src/core/tool.ts';
import type { TraceEvent } from '../../src/core/trace.ts';
import { createReactMachine } from '../../src/machine.ts';
import { type ScriptEntry, scriptedModel } from '../../src/models/scripted.ts';
import { memoryStore, prune } from '../../src/store.ts';
import { virtualClock } from '../../src/verify/virtual-clock.ts';
import { act, answer, returns, setup } from './setup.ts';

const runId = 'the run';

interface Case {
  readonly replies: readonly ScriptEntry[];
  readonly outcome: { readonly stopReason: string } & Record<string, unknown>;
  readonly tools?: (asked: string[]) => ToolRecord;
  readonly agent?: (asked: string[]) => Partial<AgentOptions<InputSchema | undefined>>;
}

const send = (asked: string[], marks: Parameters<typeof returns>[1] = {}) =>
  returns('sent', {
    ...marks,
    sideEffect: true,
    needsApproval: false,
    execute: () => {
      asked.push('send');
      return 'sent';
    },
  });
const inWords = z.object({ sum: z.string().transform(async (text) => Number(text)) });
const broken = createReactMachine().provide({
  guards: {
    callsComplete: () => {
      throw new Error('boom');
    },
  },
});

const cases: Readonly<Record<string, Case>> = {
  'an answer': { replies: [answer('42')], outcome: { ok: true, stopReason: 'final', answer: '42', notes: [] } },
  'an answer behind effects, and one whose result was not accepted': {
    replies: [act('send'), 'no step at all', act('lose'), answer('ok')],
    tools: (asked) => ({
      send: send(asked),
      lose: returns('x', { sideEffect: true, needsApproval: false, outputSchema: z.number() }),
    }),
    outcome: {
      ok: true,
      stopReason: 'final',
      violations: 1,
      unknown: [{ toolCallId: '3.1', tool: 'lose', input: {} }],
    },
  },
  'what checks noted': {
    replies: [answer('no'), answer('42')],
    agent: (asked) => ({
      checkAnswer: [
        (text) => {
          asked.push('check');
          return text === '42' ? { note: 'first' } : 'Not that.';
        },
        () => true,
        async () => ({ note: 'third' }),
      ],
    }),
    outcome: { ok: true, stopReason: 'final', answer: '42', notes: ['first', 'third'] },
  },
  'the value of a schema that takes its time': {
    replies: [answer('{"sum":"42"}')],
    agent: () => ({ answerSchema: inWords, checkAnswer: () => ({ note: 'checked' }) }),
    outcome: { ok: true, stopReason: 'final', answer: { sum: 42 }, notes: ['checked'] },
  },
  'the output of a tool': {
    replies: [act('send')],
    tools: (asked) => ({ send: send(asked, { endsRun: true }) }),
    agent: () => ({ checkAnswer: () => ({ note: 'well' }) }),
    outcome: { ok: true, stopReason: 'final', answer: 'sent', notes: ['well'] },
  },
  'a loop': {
    replies: Array.from({ length: 9 }, () => act('look')),
    outcome: { ok: false, stopReason: 'loop_detected', partial: 'I need data.' },
  },
  'results that hold nothing': {
    replies: Array.from({ length: 9 }, (_, n) => act('look', { n })),
    tools: () => ({ look: returns([]) }),
    agent: () => ({ maxEmptyResults: 2 }),
    outcome: { ok: false, stopReason: 'no_progress' },
  },
  'a filter': {
    replies: [act('look'), { text: '', finish: 'content_filter' }],
    outcome: { ok: false, stopReason: 'content_filter' },
  },
  'a defect': {
    replies: [act('look')],
    agent: () => ({ machine: broken, checkLaws: false }),
    outcome: { ok: false, stopReason: 'internal_error', error: { message: expect.stringContaining('boom') } },
  },
};

const rows = Object.entries(cases).flatMap(([what, each]) => [
  [what, 'whole', each] as const,
  [what, 'without its end', each] as const,
]);

it.each(rows)('%s, %s', async (_, state, { replies, tools, agent, outcome }) => {
  const asked: string[] = [];
  const made = (store: Store, some: readonly ScriptEntry[]) =>
    agentWith(some, {
      tools: tools?.(asked) ?? { look: returns('seen', { readOnly: true }) },
      ...agent?.(asked),
      store,
    });
  const disk = memoryStore();
  const first = made(disk, replies);
  await first.clock.pass(1_000);
  const then = await first.clock.until(first.agent.run('the task', { runId }));
  expect(then).toMatchObject(outcome);
  const lines = (await disk.read(runId)) ?? [];
  expect(lines.at(-1)).toMatchObject({ type: 'run.ended' });

  const isWhole = state === 'whole';
  const store = await stored(isWhole ? lines : lines.slice(0, -1));
  expect(await store.list()).toMatchObject([{ status: isWhole ? 'ended' : 'interrupted' }]);
  const before = [...asked];
  const second = made(store, []);
  await second.clock.pass(3_600_000);
  for (const isFirst of [true, false]) {
    const run = await second.agent.resume(runId);
    expect(await second.clock.until(run.outcome)).toEqual(then);
    expect(run.usage()).toEqual(then.usage);
    const seen = [];
    for await (const event of run) seen.push(event);
    expect(seen).toMatchObject([{ type: 'run.ended', stopReason: outcome.stopReason, sequence: lines.length - 1 }]);
    expect(second.events).toHaveLength(isWhole ? 0 : 1);
    if (isFirst) expect((await store.read(runId))?.slice(0, -1)).toEqual(lines.slice(0, -1));
  }
  expect({ asked, requests: second.model.requests.length, armed: second.clock.armed }).toEqual({
    ...{ asked: before, requests: 0, armed: 0 },
  });
  expect(await store.list()).toMatchObject([{ status: 'ended', stopReason: outcome.stopReason, heldBy: null }]);
  expect(await prune(store, { endedBeforeMs: Number.MAX_SAFE_INTEGER })).toBe(1);
});

it('nothing can be done with it but to ask', async () => {
  const store = memoryStore();
  const { agent, run: begin, clock } = setup({ replies: [answer('42')], agent: { store } });
  const first = await begin({ runId });
  const run = await agent.resume(runId, { signal: AbortSignal.abort() });
  run.abort();
  expect(() => run.approve('1.1')).toThrow(expect.objectContaining({ code: 'not_awaiting' }));
  expect(() => run.deny('1.1')).toThrow(expect.objectContaining({ code: 'not_awaiting' }));
  expect(() => run.suspend()).toThrow(expect.objectContaining({ code: 'not_awaiting' }));
  expect(() => run.snapshot()).toThrow('The run has ended.');
  expect(await clock.until(run.outcome)).toEqual(first);
});

it.each([
  ['refuses', z.literal('another'), 'does not take it now:'],
  ['never settles', z.string().refine(() => new Promise<boolean>(() => {})), 'does not take it now:'],
])('an answer that the schema of today %s is none', async (_, answerSchema, message) => {
  const store = memoryStore();
  await setup({ replies: [answer('42')], agent: { store } }).run({ runId });
  const { agent, clock } = agentWith([], { store, answerSchema });
  const outcome = await clock.until((await agent.resume(runId)).outcome);
  expect(outcome).toMatchObject({
    ok: false,
    stopReason: 'internal_error',
    error: { message: expect.stringContaining(message), hint: expect.stringContaining('answerSchema') },
    steps: [{ answer: '42' }],
  });
  expect(clock.armed).toBe(0);
});

it('an end that cannot be written is told, with the outcome', async () => {
  const disk = await cut(1);
  const store: Store = {
    ...disk,
    async open(id) {
      const held = await disk.open(id);
      return { ...held, append: () => Promise.reject(new Error('full')), release: () => held.release() };
    },
  };
  const { agent, clock } = setup({ replies: [], agent: { store } });
  const outcome = await clock.until((await agent.resume(runId)).outcome);
  expect(outcome).toMatchObject({ ok: true, answer: '42', storeError: { message: expect.stringContaining('full') } });
  expect(await disk.list()).toMatchObject([{ status: 'interrupted', heldBy: null }]);
});

it('a limit whose end was lost is refused without a larger budget, and listed as ended; with one it goes on', async () => {
  const disk = memoryStore();
  const budget = { maxSteps: 1 };
  const replies = [act('look'), answer('ok')];
  const first = setup({ replies, agent: { store: disk, budget } });
  expect(await first.run({ runId })).toMatchObject({ stopReason: 'max_steps' });
  // As a process leaves it that dies before the end is kept.
  const store = memoryStore();
  const held = await store.open(runId);
  const events = first.events.filter(({ type }) => type !== 'run.ended');
  await held.append(events.map((event): JournalLine => JSON.parse(JSON.stringify({ ...event, ...formatOf(event) }))));
  await held.release();
  expect(await store.list()).toMatchObject([{ status: 'interrupted' }]);

  const { agent, clock } = setup({ replies: replies.slice(1), agent: { store, budget } });
  for (let times = 0; times < 2; times++) {
    await expect(agent.resume(runId)).rejects.toMatchObject({
      message: 'budget.maxSteps is 1, and the run has used 1.',
    });
    expect(await store.list()).toMatchObject([{ status: 'ended', stopReason: 'max_steps', heldBy: null }]);
    expect((await store.read(runId))?.filter(({ type }) => type === 'run.ended')).toHaveLength(1);
  }
  const run = await agent.resume(runId, { budget: { maxSteps: 2 } });
  expect(await clock.until(run.outcome)).toMatchObject({ ok: true, answer: 'ok' });
});

/** As `setup`, and with a schema for the answer. */
function agentWith(replies: readonly ScriptEntry[], options: Partial<AgentOptions<InputSchema | undefined>>) {
  const clock = virtualClock();
  const model = scriptedModel(replies, { clock });
  const events: TraceEvent[] = [];
  return {
    clock,
    model,
    events,
    agent: createAgent({ model, clock, onEvent: (event) => events.push(event), ...options }),
  };
}

/** A trace without secrets is a journal, but for the name of its form. */
function formatOf({ type }: { readonly type: string }): { readonly format?: JsonValue } {
  return type === 'run.started' ? { format: 'fuseloop.journal/1' } : {};
}

/** A run with its answer, without its last lines. */
async function cut(lines: number): Promise<Store> {
  const store = memoryStore();
  await setup({ replies: [answer('42')], agent: { store } }).run({ runId });
  return stored(((await store.read(runId)) ?? []).slice(0, -lines));
}

async function stored(lines: readonly JournalLine[]): Promise<Store> {
  const store = memoryStore();
  const held = await store.open(runId);
  await held.append(lines);
  await held.release();
  return store;
}
