/** One run that could go several ways: only the way that is stored is gone on with, and nothing is done without its hold. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { HeldRun, JournalLine, Store } from '../../src/core/store.ts';
import { memoryStore } from '../../src/store.ts';
import { tool } from '../../src/tool.ts';
import { act, answer, returns, setup } from './setup.ts';

/** A store over another; what is asked of a hold passes through `write` first. */
function over(store: Store, write: (lines: readonly JournalLine[], go: () => Promise<void>) => Promise<void>): Store {
  const through = (held: HeldRun): HeldRun => ({
    epoch: held.epoch,
    lines: held.lines,
    append: (lines) => write(lines, () => held.append(lines)),
    replace: (lines) => write(lines, () => held.replace(lines)),
    release: () => write([], () => held.release()),
  });
  return { ...store, open: async (runId) => through(await store.open(runId)) };
}

const look = () => returns('seen', { readOnly: true });

function paying() {
  const paid: string[] = [];
  const pay = tool({
    inputSchema: z.object({}),
    execute: (_input, { idempotencyKey }) => {
      paid.push(idempotencyKey);
      return 'paid';
    },
  });
  return { paid, tools: { look: look(), pay } };
}

describe('a document of a run that was gone on with elsewhere', () => {
  it('is refused, however far it is', async () => {
    const { paid, tools } = paying();
    const base = memoryStore();
    let isStuck = false;
    const store = over(base, (lines, go) => {
      isStuck ||= lines.some((line) => line.type === 'call.settled');
      return isStuck && lines.length > 0 ? new Promise(() => {}) : go();
    });
    const looks = Array.from({ length: 6 }, (_, n) => act('look', { n }));
    const first = setup({ replies: looks.concat(act('pay')), tools, agent: { store, loopGuard: 'off' } });
    const left = await first.clock.until(first.start({ runId: 'r' }).outcome);
    expect(left).toMatchObject({ stopReason: 'store_error', error: { code: 'store_failed' } });
    const snapshot = left.ok ? undefined : left.snapshot;

    const second = setup({ replies: [act('pay'), answer('done')], tools, agent: { store: base } });
    const other = await second.clock.until(second.agent.resume('r'));
    expect(await second.clock.until(other.outcome)).toMatchObject({ ok: true });
    expect(paid).toHaveLength(1);

    if (snapshot === undefined) throw new Error('It should have a snapshot.');
    const again = await second.clock.until(second.agent.resume(snapshot).outcome);
    expect(again).toMatchObject({ ok: false, stopReason: 'store_error' });
    expect(again.ok ? '' : again.error?.message).toContain('has gone another way than the snapshot');
    expect(paid).toHaveLength(1);
    expect(await base.list()).toMatchObject([{ runId: 'r', status: 'ended', stopReason: 'final' }]);
  });

  it('of its own past is taken, and what it is ahead of is forgotten', async () => {
    const { paid, tools } = paying();
    const store = memoryStore();
    const made = setup({ replies: [act('look'), answer('done')], tools: { ...tools }, agent: { store } });
    const run = made.agent.start('x', { runId: 'r', attended: false });
    const outcome = await made.clock.until(run.outcome);
    expect(outcome.ok).toBe(true);
    const lines = (await store.read('r')) ?? [];
    const part = memoryStore();
    const held = await part.open('r');
    await held.append(lines.slice(0, 3));
    await held.release();
    const snapshot = await snapshotAt(lines);
    const goes = setup({ replies: [answer('on')], tools, agent: { store: part } });
    expect(await goes.clock.until(goes.agent.resume(snapshot).outcome)).toMatchObject({ ok: true, answer: 'on' });
    expect(paid).toEqual([]);
  });
});

/** What goes on from all lines but the last two: a document that is ahead of the first three. */
async function snapshotAt(lines: readonly JournalLine[]) {
  const store = memoryStore();
  const held = await store.open('r');
  await held.append(lines.slice(0, -3));
  await held.release();
  const made = setup({ replies: [{ hang: true }], tools: { look: look() }, agent: { store } });
  const [checkpoint] = await folded(made, store);
  if (checkpoint?.type !== 'checkpoint') throw new Error('A run that is taken up begins with a checkpoint.');
  return checkpoint.snapshot;
}

async function folded({ agent, clock }: ReturnType<typeof setup>, store: Store) {
  const run = await clock.until(agent.resume('r'));
  await clock.calm();
  const lines = (await store.read('r')) ?? [];
  run.abort();
  await clock.until(run.outcome);
  return lines;
}

describe('who does not hold the run', () => {
  it('asks no probe and starts nothing', async () => {
    const paid: string[] = [];
    const asked: string[] = [];
    const pay = (hangs: boolean) =>
      tool({
        inputSchema: z.object({}),
        execute: () => {
          paid.push('paid');
          return hangs ? new Promise<string>(() => {}) : 'paid';
        },
        probe: (id) => {
          asked.push(id);
          return { happened: false };
        },
      });
    const store = memoryStore();
    const first = setup({ replies: [act('pay')], tools: { pay: pay(true) }, agent: { store } });
    const run = first.start({ runId: 'r' });
    await first.clock.calm();
    const snapshot = run.snapshot();
    const second = setup({ replies: [answer('done')], tools: { pay: pay(false) }, agent: { store } });
    const outcome = await second.clock.until(second.agent.resume(snapshot).outcome);
    expect(outcome).toMatchObject({ ok: false, stopReason: 'store_error', unknown: [{ toolCallId: '1.1' }] });
    expect({ paid, asked }).toEqual({ paid: ['paid'], asked: [] });
    run.abort();
    await first.clock.until(run.outcome);
  });

  it('has no answer, however fast it came to one', async () => {
    const store = memoryStore();
    const first = setup({ replies: [answer('mine')], agent: { store } });
    await first.clock.until(first.start({ runId: 'r' }).outcome);
    const second = setup({ replies: [answer('yours')], agent: { store } });
    const outcome = await second.clock.until(second.start({ runId: 'r' }).outcome);
    expect(outcome).toMatchObject({ ok: false, stopReason: 'store_error', partial: null });
    expect(outcome.ok ? '' : outcome.error?.message).toContain('is stored already');
  });
});

describe('a store that is slow', () => {
  it('is told how the run ended behind what came too late: what never started is not unknown', async () => {
    const { paid, tools } = paying();
    const base = memoryStore();
    const made = setup({ replies: [act('pay')], tools, agent: { store: base, timeouts: { hookMs: 200 } } });
    let tail: Promise<unknown> = Promise.resolve();
    const store = over(base, (lines, go) => {
      const waitMs = lines.some((line) => line.type === 'calls.checked') ? 500 : 0;
      const written = tail.then(() => new Promise<void>((done) => made.clock.setTimer(waitMs, done))).then(go);
      tail = written;
      return written;
    });
    const slow = setup({
      replies: [act('pay')],
      tools,
      agent: { store, clock: made.clock, timeouts: { hookMs: 200 } },
    });
    const ended = await made.clock.until(slow.agent.run('x', { runId: 'r' }));
    expect(ended).toMatchObject({ stopReason: 'store_error', unknown: [] });
    await made.clock.until(tail);
    await made.clock.until(tail);

    const after = setup({ replies: [act('pay'), answer('done')], tools, agent: { store: base } });
    const run = await after.clock.until(after.agent.resume('r'));
    expect(await after.clock.until(run.outcome)).toMatchObject({ ok: true, unknown: [] });
    expect(paid).toHaveLength(1);
  });

  it('that answers out of order starts nothing early', async () => {
    const { paid, tools } = paying();
    const base = memoryStore();
    const answers: (() => void)[] = [];
    const store = over(base, async (lines, go) => {
      await go();
      if (lines.some((line) => line.type === 'calls.checked')) await new Promise<void>((done) => answers.push(done));
    });
    const made = setup({ replies: [act('pay'), answer('done')], tools, agent: { store } });
    const run = made.start({ runId: 'r' });
    await made.clock.calm();
    expect(paid).toEqual([]);
    for (const done of answers) done();
    expect(await made.clock.until(run.outcome)).toMatchObject({ ok: true });
    expect(paid).toHaveLength(1);
  });
});

it('a task is stored as the trace has it: without secrets', async () => {
  const store = memoryStore();
  const { agent, clock } = setup({
    replies: [act('send'), answer('ok')],
    tools: { send: returns('x', { sideEffect: true }) },
    agent: { store, redact: ['hunter2'] },
  });
  const outcome = await clock.until(agent.start('use hunter2', { runId: 'r', attended: false }).outcome);
  expect(outcome.stopReason).toBe('suspended');
  expect(JSON.stringify([await store.read('r'), await store.list(), outcome])).not.toContain('hunter2');
});
