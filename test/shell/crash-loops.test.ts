/** A run whose process ends each time that it is taken up: what was tried is not tried for ever, and pauses do not count. */
import { describe, expect, it } from 'vitest';
import { createAgent } from '../../src/agent.ts';
import type { AgentOptions, ResumeOptions } from '../../src/agent-options.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import type { JournalLine, Store } from '../../src/core/store.ts';
import type { TraceEvent } from '../../src/core/trace.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import type { Run } from '../../src/run.ts';
import { memoryStore } from '../../src/store.ts';
import { tool } from '../../src/tool.ts';
import { virtualClock } from '../../src/verify/virtual-clock.ts';
import { act, answer, anyInput, returns } from './setup.ts';

const runId = 'the run';
/** The first time, and three times more. */
const times = 4;

/** What was on the disk when the process ended; the next one has it, and nothing else. */
async function storeWith(lines: readonly JournalLine[]): Promise<Store> {
  const store = memoryStore();
  const held = await store.open(runId);
  await held.replace(lines);
  await held.release();
  return store;
}

interface Life {
  readonly run: Run;
  readonly events: readonly TraceEvent[];
  readonly settle: () => Promise<Outcome | null>;
  readonly left: () => Promise<readonly JournalLine[]>;
}

type Made = Pick<AgentOptions, 'model' | 'tools'> & Partial<AgentOptions>;

/** A process that works until nothing moves. It ends there unless the run has ended. */
async function live(made: Made, lines: readonly JournalLine[] | null, how: ResumeOptions = {}): Promise<Life> {
  const clock = virtualClock();
  const events: TraceEvent[] = [];
  const store = lines === null ? memoryStore() : await storeWith(lines);
  const agent = createAgent({ store, clock, checkLaws: true, onEvent: (event) => events.push(event), ...made });
  const run = lines === null ? agent.start('the task', { runId }) : await agent.resume(runId, how);
  let outcome: Outcome | null = null;
  run.outcome.then((ended) => {
    outcome = ended;
  });
  return {
    run,
    events,
    async settle() {
      await clock.calm();
      return outcome;
    },
    left: async () => (await store.read(runId)) ?? [],
  };
}

/** Takes the run up until it ends; fails where it goes on and on. */
async function supervise(made: Made, most = 20): Promise<{ outcome: Outcome; lives: number; events: TraceEvent[] }> {
  const events: TraceEvent[] = [];
  let lines: readonly JournalLine[] | null = null;
  for (let lives = 1; lives <= most; lives++) {
    const life = await live(made, lines);
    const outcome = await life.settle();
    events.push(...life.events);
    if (outcome !== null) return { outcome, lives, events };
    lines = await life.left();
  }
  throw new Error(`it was taken up ${most} times, and has not ended`);
}

/** Asks for `poison`, and then answers with what it was told. */
function asking(first: string) {
  return {
    provider: 'test',
    name: 'test',
    generate: (request: Parameters<ReturnType<typeof scriptedModel>['generate']>[0]) =>
      scriptedModel([request.step === 1 ? first : answer(request.messages.at(-1)?.content ?? '')]).generate(request),
  };
}

type Marks = Partial<Parameters<typeof tool>[0]>;

function poison(marks: Marks) {
  const ran: string[] = [];
  const execute = (_input: unknown, { idempotencyKey }: { readonly idempotencyKey: string }) => {
    ran.push(idempotencyKey);
    return new Promise(() => {});
  };
  return { ran, poison: tool({ inputSchema: anyInput, execute, timeoutMs: 2 ** 40, ...marks }) };
}

const budget = { wallClockMs: 2 ** 40 };
const timeouts = { modelCallMs: 2 ** 40, firstTokenMs: 2 ** 40, betweenTokensMs: 2 ** 40, hookMs: 2 ** 40 };

describe('a call that ends its process', () => {
  it.each<[string, Marks, string, readonly string[]]>([
    ['a read', { readOnly: true }, 'failed', []],
    ['one that may be repeated', { idempotent: true }, 'unknown', ['1.1']],
    ['one whose probe says that it did not happen', { probe: () => ({ happened: false }) }, 'unknown', ['1.1']],
  ])('%s is left at last, and the run goes on', async (_what, marks, result, unknown) => {
    const { ran, poison: execute } = poison(marks);
    const { outcome, lives, events } = await supervise({
      model: asking(act('poison')),
      tools: { poison: execute },
      budget,
      timeouts,
    });
    expect(ran).toEqual(Array.from({ length: times }, () => `${runId}:1.1`));
    expect(lives).toBe(times + 1);
    expect(outcome).toMatchObject({ ok: true, answer: expect.stringContaining('the process ended each time') });
    expect(outcome.unknown.map(({ toolCallId }) => toolCallId)).toEqual(unknown);
    expect(events.find(({ type }) => type === 'call.settled')).toMatchObject({ result });
  });

  it('is told in Chinese', async () => {
    const { poison: execute } = poison({ readOnly: true });
    const made = { model: asking(act('poison')), tools: { poison: execute }, budget, timeouts };
    const { outcome } = await supervise({ ...made, language: 'zh' });
    expect(outcome).toMatchObject({ ok: true, answer: expect.stringContaining('每次执行时进程都终止了') });
  });

  it('a probe that ends it is not asked for ever', async () => {
    let asked = 0;
    const probe = () => {
      asked++;
      return new Promise<never>(() => {});
    };
    const { ran, poison: execute } = poison({ probe });
    const { outcome } = await supervise({ model: asking(act('poison')), tools: { poison: execute }, budget, timeouts });
    expect(outcome).toMatchObject({ ok: true, unknown: [{ toolCallId: '1.1' }] });
    expect([ran.length, asked]).toEqual([1, times - 1]);
  });

  it('a call beside it has its result, and only what is without one is left', async () => {
    const { ran, poison: execute } = poison({ readOnly: true });
    let looked = 0;
    const look = tool({ inputSchema: anyInput, readOnly: true, execute: () => ++looked });
    const both = `Thought: both.\nAction: look\nAction Input: {}\nAction: poison\nAction Input: {}`;
    const { outcome } = await supervise({
      model: asking(both),
      tools: { look, poison: execute },
      budget,
      timeouts,
    });
    expect(outcome.ok).toBe(true);
    expect(looked).toBe(1);
    expect(ran.length).toBeLessThanOrEqual(times + 1);
  });
});

describe('a check that ends its process', () => {
  it('of an input: the call is refused', async () => {
    let asked = 0;
    const needsApproval = () => {
      asked++;
      return new Promise<boolean>(() => {});
    };
    const { ran, poison: execute } = poison({ needsApproval });
    const { outcome } = await supervise({ model: asking(act('poison')), tools: { poison: execute }, budget, timeouts });
    expect(outcome).toMatchObject({ ok: true, answer: expect.stringContaining('the process ended each time') });
    expect([ran.length, asked]).toEqual([0, times]);
  });

  it('of an answer: the answer is sent back', async () => {
    let asked = 0;
    const checkAnswer = (text: string) => {
      if (text !== 'poison') return true;
      asked++;
      return new Promise<boolean>(() => {});
    };
    const { outcome } = await supervise({ model: asking(answer('poison')), tools: {}, budget, timeouts, checkAnswer });
    expect(outcome).toMatchObject({ ok: true, answer: expect.stringContaining('the process ended each time') });
    expect(asked).toBe(times);
  });
});

describe('a reply that ends its process', () => {
  it.each([
    ['before its first piece', '', []],
    ['in its thought', 'Thought: I wonder.', []],
    ['in its call', 'Thought: I wonder.\nAction: look\nAction Input: {', ['action']],
    ['in its answer', 'Thought: I know.\nFinal Answer: It is\nblue', ['answer']],
  ])('%s ends the run at last; it can go on from there, counted anew', async (_where, text, stops) => {
    let asked = 0;
    const model = {
      provider: 'test',
      name: 'test',
      async *generate() {
        asked++;
        if (text !== '') yield { type: 'text' as const, text };
        await new Promise(() => {});
      },
    };
    const made = { model, tools: { look: returns('seen') }, budget, timeouts };
    const { outcome, events } = await supervise(made);
    const seen = events.flatMap((event) => (event.type === 'reply.stopped' ? [event.stop] : []));
    expect(seen).toEqual(Array.from({ length: times }, () => stops).flat());
    expect(outcome).toMatchObject({
      stopReason: 'model_error',
      error: { message: expect.stringContaining('The process ended each time'), hint: expect.any(String) },
    });
    expect(asked).toBe(times);
    if (outcome.ok || outcome.snapshot === undefined) throw new Error('It left nothing.');
    expect(outcome.snapshot.retaken).toBeUndefined();
    const clock = virtualClock();
    const again = createAgent({ ...made, model: asking(answer('ok')), clock }).resume(outcome.snapshot);
    expect(await clock.until(again.outcome)).toMatchObject({ ok: true });
  });
});

it('pauses never count: a person who decides late, after many looks at the run', async () => {
  const sent: string[] = [];
  const send = tool({ inputSchema: anyInput, sideEffect: true, execute: () => sent.push('sent') });
  const made = { model: asking(act('send')), tools: { send }, budget, timeouts };
  let lines: readonly JournalLine[] | null = null;
  for (let look = 0; look < 8; look++) {
    const life: Life = await live(made, lines, { attended: look % 2 === 0 });
    const outcome = await life.settle();
    if (outcome === null) life.run.suspend();
    await life.settle();
    lines = await life.left();
  }
  const last = await live(made, lines);
  await last.settle();
  last.run.approve('1.1');
  expect(await last.settle()).toMatchObject({ ok: true });
  expect(sent).toEqual(['sent']);
});

it('nothing is tried before it is durable that it was taken up', async () => {
  const { ran, poison: execute } = poison({ readOnly: true });
  const made = { model: asking(act('poison')), tools: { poison: execute }, budget, timeouts };
  const first = await live(made, null);
  await first.settle();
  const disk = await storeWith(await first.left());
  const write: (() => void)[] = [];
  const store: Store = {
    ...disk,
    open: async (id) => {
      const held = await disk.open(id);
      const later = async (work: () => Promise<void>) => {
        await new Promise<void>((resolve) => write.push(resolve));
        return work();
      };
      return {
        ...held,
        append: (lines) => later(() => held.append(lines)),
        replace: (lines) => later(() => held.replace(lines)),
        release: () => held.release(),
      };
    },
  };
  const clock = virtualClock();
  const agent = createAgent({ ...made, store, clock });
  const run = await agent.resume(runId);
  await clock.calm();
  expect(ran).toHaveLength(1);
  while (write.length > 0) {
    write.shift()?.();
    await clock.calm();
  }
  expect(ran).toHaveLength(2);
  run.abort();
  while (write.length > 0) write.shift()?.();
});
