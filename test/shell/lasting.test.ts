/** Runs that are kept, from outside: which can go on, what was set right meanwhile, and what is left behind. */
import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import type { Store } from '../../src/core/store.ts';
import type { ScriptEntry } from '../../src/models/scripted.ts';
import { memoryStore } from '../../src/store.ts';
import { act, answer, returns, setup } from './setup.ts';

const runId = 'the run';
const hourMs = 3_600_000;

/** The step is told by the conversation. `send` asks a person, and writes down that it ran. */
function kept(store: Store, steps: readonly string[], sent: string[] = [], budget = {}) {
  const reply: ScriptEntry = ({ messages }) =>
    steps[messages.filter(({ role }) => role === 'assistant').length] ?? answer('ok');
  return setup({
    replies: Array.from({ length: 9 }, () => reply),
    tools: {
      look: returns('seen', { readOnly: true }),
      send: returns('sent', {
        sideEffect: true,
        execute: (_input, { idempotencyKey }) => {
          sent.push(idempotencyKey);
          return 'sent';
        },
      }),
    },
    agent: { store, budget },
  });
}

it('an id is that of one run', async () => {
  const store = memoryStore();
  const first = kept(store, [act('look')]);
  expect(await first.run({ runId })).toMatchObject({ ok: true });
  const before = await store.read(runId);
  const second = kept(store, [act('look')]);
  expect(await second.run({ runId })).toMatchObject({
    stopReason: 'store_error',
    error: { message: expect.stringContaining('is stored already'), hint: expect.stringContaining('agent.resume') },
  });
  expect(second.clock.armed).toBe(0);
  expect(await store.read(runId)).toEqual(before);
  await (await store.open(runId)).release();
});

it('an id that is not stored is refused, and stays free', async () => {
  const store = memoryStore();
  const { agent } = kept(store, []);
  const refused = expect(agent.resume(runId)).rejects;
  await refused.toMatchObject({
    code: 'invalid_option',
    message: expect.stringContaining('No run "the run" is stored'),
  });
  expect(await store.list()).toEqual([]);
});

it('a run that has its answer comes with it again, and stays as it is', async () => {
  const store = memoryStore();
  const { agent, run, clock, model } = kept(store, [act('look')]);
  const outcome = await run({ runId });
  const before = await store.read(runId);
  const again = await clock.until(clock.until(agent.resume(runId)).then((over) => over.outcome));
  expect(again).toMatchObject({ ok: true, answer: 'ok', steps: outcome.steps, usage: outcome.usage });
  expect(model.requests).toHaveLength(2);
  expect(await store.read(runId)).toEqual(before);
  await (await store.open(runId)).release();
});

it('a run that somebody drives is refused, and goes on with him', async () => {
  const store = memoryStore();
  const { agent, clock, start } = kept(store, [act('send')]);
  const run = start({ runId });
  await clock.calm();
  await expect(agent.resume(runId)).rejects.toMatchObject({ code: 'run_held' });
  run.approve('1.1');
  expect(await clock.until(run.outcome)).toMatchObject({ ok: true });
});

it('an abort while it is waited for the disk is heard at once, and nothing starts afterwards', async () => {
  const disk = memoryStore();
  let write = () => {};
  const slow = new Promise<void>((resolve) => {
    write = resolve;
  });
  const store: Store = {
    ...disk,
    async open(id) {
      const held = await disk.open(id);
      return {
        ...held,
        append: async (lines) => {
          if (lines.some(({ type }) => type === 'approval.granted')) await slow;
          return held.append(lines);
        },
        release: () => held.release(),
      };
    },
  };
  const sent: string[] = [];
  const { clock, start, events } = kept(store, [act('send')], sent);
  const controller = new AbortController();
  const run = start({ runId, signal: controller.signal });
  await clock.calm();
  run.approve('1.1');
  await clock.calm();
  controller.abort('enough');
  expect(events.at(-1)).toMatchObject({ type: 'run.ended', stopReason: 'aborted' });
  write();
  const outcome = await clock.until(run.outcome);
  expect(outcome).toMatchObject({ stopReason: 'aborted', unknown: [] });
  expect(outcome).not.toHaveProperty('storeError');
  expect({ sent, armed: clock.armed, listeners: getEventListeners(controller.signal, 'abort') }).toEqual({
    ...{ sent: [], armed: 0, listeners: [] },
  });
});

it.each([
  ['back', -hourMs],
  ['on', hourMs],
])('a clock that was set %s between a crash and going on changes no running time', async (_, aheadMs) => {
  const store = memoryStore();
  const first = kept(store, [act('look'), act('send')], [], { wallClockMs: 5_000 });
  await first.clock.pass(1_000);
  const waiting = first.start({ runId });
  await first.clock.calm();
  const lines = (await store.read(runId)) ?? [];
  const spentMs = waiting.snapshot().atMs;

  const after = await stored(lines);
  const sent: string[] = [];
  const second = kept(after, [act('look'), act('send')], sent, { wallClockMs: 5_000 });
  second.clock.setWall(first.clock.wallMs() + aheadMs);
  const run = await second.agent.resume(runId);
  await second.clock.calm();
  expect(run.snapshot().atMs).toBe(spentMs);
  // The time to decide is one of the wall: an hour later it is over.
  if (aheadMs < 0) run.approve('2.1');
  const outcome = await second.clock.until(run.outcome);
  expect(outcome).toMatchObject({ ok: true, unknown: [] });
  expect(sent).toHaveLength(aheadMs < 0 ? 1 : 0);
  expect(await after.list()).toMatchObject([{ status: 'ended', stopReason: 'final' }]);
});

it('a clock that is set back while a person is asked leaves him more time, and the run its own', async () => {
  const sent: string[] = [];
  const { clock, start } = kept(memoryStore(), [act('send')], sent);
  const run = start({ runId });
  await clock.calm();
  clock.setWall(clock.wallMs() - hourMs);
  await clock.pass(hourMs);
  run.approve('1.1');
  expect(await clock.until(run.outcome)).toMatchObject({ ok: true, unknown: [] });
  expect(sent).toHaveLength(1);
});

/** Another store that holds what a crash left. */
async function stored(lines: Parameters<Awaited<ReturnType<Store['open']>>['append']>[0]): Promise<Store> {
  const store = memoryStore();
  const held = await store.open(runId);
  await held.append(lines);
  await held.release();
  return store;
}
