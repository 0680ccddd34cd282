/**
 * A run whose store fails: it ends in time and says so, starts nothing of which a crash would not know, leaves nothing armed,
 * and goes on later with what was durable.
 */
import { describe, expect, it } from 'vitest';
import { createAgent } from '../../src/agent.ts';
import type { AgentOptions } from '../../src/agent-options.ts';
import { AgentError } from '../../src/core/errors.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import type { Store } from '../../src/core/store.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { memoryStore } from '../../src/store.ts';
import { countingClock } from '../../src/verify/counting-clock.ts';
import { virtualClock } from '../../src/verify/virtual-clock.ts';
import { act, answer, returns } from './setup.ts';
import { type Fault, faulty, ways } from './store-faults.ts';

const hookMs = 1_000;
const wallClockMs = 20_000;
const runId = 'the run';

/** The step is told by the conversation: it is the same whoever goes on. */
const steps = [act('look'), act('send'), answer('ok')];

/** An agent whose `send` writes down that it ran. */
function agentOn(
  store: Store,
  clock: ReturnType<typeof virtualClock>,
  sent: string[],
  more: Partial<AgentOptions> = {},
) {
  return createAgent({
    model: scriptedModel(
      Array.from({ length: 9 }, () => ({ messages }) => {
        const before = messages.filter(({ role }) => role === 'assistant').length;
        return { text: steps[before] ?? '', delayMs: 10 };
      }),
      { clock },
    ),
    tools: {
      look: returns('seen', { readOnly: true }),
      send: returns('sent', {
        sideEffect: true,
        needsApproval: false,
        execute: (_input, { idempotencyKey }) => {
          sent.push(idempotencyKey);
          return 'sent';
        },
      }),
    },
    timeouts: { hookMs },
    budget: { wallClockMs },
    store,
    clock,
    ...more,
  });
}

async function played(fault: Fault | null) {
  const clock = virtualClock();
  const disk = memoryStore();
  const sent: string[] = [];
  const theirs = countingClock(clock);
  const store = fault === null ? disk : faulty(disk, fault, theirs, hookMs + 500);
  const outcome = await clock.until(agentOn(store, clock, sent).run('the task', { runId }));
  return { clock, disk, sent, outcome, armed: clock.armed - theirs.armed() };
}

const whole = await played(null);
const lines = (await whole.disk.read(runId)) ?? [];
/** The last line that must be durable before `send` starts. */
const startOfSend = lines.findLastIndex(({ type }) => type === 'calls.checked');

function checkTold({ outcome, clock, armed }: Awaited<ReturnType<typeof played>>) {
  expect(clock.monotonicMs()).toBeLessThanOrEqual(hookMs + wallClockMs);
  expect(armed).toBe(0);
  const problem = outcome.stopReason === 'store_error' && !outcome.ok ? outcome.error : outcome.storeError;
  expect(problem).toBeInstanceOf(AgentError);
  expect(problem).toMatchObject({
    code: 'store_failed',
    message: expect.stringMatching(/store/i),
    hint: expect.any(String),
  });
}

/** What the world saw is told, and was seen once. */
function checkHonest(outcome: Outcome, sent: readonly string[]) {
  expect(new Set(sent).size).toBe(sent.length);
  const calls = outcome.steps.flatMap((step) => step.calls).filter(({ tool }) => tool === 'send');
  if (sent.length === 1)
    expect(calls.map(({ status }) => status)).toEqual([expect.stringMatching(/succeeded|unknown/)]);
  if (calls.some(({ status }) => status === 'succeeded')) expect(sent).toHaveLength(1);
}

describe.each(ways)('a store that %s', (way) => {
  it.each(lines.map(({ type }, from) => [from, type] as const))('at line %i, %s', async (from) => {
    const first = await played({ at: 'append', from, way });
    checkTold(first);
    checkHonest(first.outcome, first.sent);
    if (from <= startOfSend) {
      expect(first.outcome).toMatchObject({ ok: false, stopReason: 'store_error', unknown: [] });
      expect(first.sent).toEqual([]);
    }
    await first.clock.pass(10 * hookMs);
    expect(first.sent.length).toBeLessThanOrEqual(from <= startOfSend ? 0 : 1);

    const stored = await first.disk.read(runId);
    const later = agentOn(first.disk, first.clock, first.sent);
    if (stored === null) {
      await expect(later.resume(runId)).rejects.toMatchObject({ code: 'invalid_option' });
      return;
    }
    if (stored.some((line) => line.type !== 'checkpoint' && line.state === 'FINAL')) return;
    const again = await first.clock.until((await later.resume(runId)).outcome);
    expect(again).toMatchObject({ ok: true, answer: 'ok' });
    expect(again).not.toHaveProperty('storeError');
    checkHonest(again, first.sent);
  });

  it('when the run is opened', async () => {
    const first = await played({ at: 'open', from: 0, way });
    checkTold(first);
    expect(first.outcome).toMatchObject({ ok: false, stopReason: 'store_error', unknown: [] });
    expect(first.sent).toEqual([]);
    await first.clock.pass(10 * hookMs);
    // One that comes late is given back.
    expect(await first.disk.list()).toEqual([]);
    await (await first.disk.open(runId)).release();
  });

  it('when the run is let go', async () => {
    const first = await played({ at: 'release', from: 0, way });
    checkTold(first);
    expect(first.outcome).toMatchObject({ ok: true, answer: 'ok' });
    expect(await first.disk.read(runId)).toHaveLength(lines.length);
  });

  it.each(['open', 'replace', 'append'] as const)('when it goes on, at %s', async (at) => {
    const { clock, disk, sent } = await played({ at: 'append', from: startOfSend, way: 'rejects' });
    const before = await disk.read(runId);
    const store = faulty(disk, { at, from: 0, way }, clock, hookMs + 500);
    const resumed = await clock.until(
      agentOn(store, clock, sent)
        .resume(runId)
        .then(
          (run) => run.outcome,
          (error: unknown) => error,
        ),
    );
    if (at === 'open') expect(resumed).toMatchObject({ code: 'store_failed' });
    else expect(resumed).toMatchObject({ ok: false, stopReason: 'store_error', unknown: [] });
    expect(sent).toEqual([]);
    await clock.pass(10 * hookMs);
    expect(clock.armed).toBe(0);
    if (way !== 'answers too late' && at !== 'append') expect(await disk.read(runId)).toEqual(before);
    const again = await clock.until((await agentOn(disk, clock, sent).resume(runId)).outcome);
    expect(again).toMatchObject({ ok: true, answer: 'ok' });
    checkHonest(again, sent);
    // Where it came late that the call starts, it is told as unknown.
    expect(sent.length + again.unknown.length).toBe(1);
  });
});

const noLines = { epoch: 1, append: async () => {}, replace: async () => {}, release: async () => {} };
const junk: readonly (readonly [string, unknown])[] = [
  ['nothing', undefined],
  ['null', null],
  ['a number', 7],
  ['an empty object', {}],
  ['no list of lines', { ...noLines, lines: 'none' }],
  ['no lines', noLines],
  ['lines alone', { lines: [] }],
  ['a lines that throws', Object.defineProperty({ ...noLines }, 'lines', { get: () => raise() })],
  ['lines that are none', { ...noLines, lines: [null, 7, 'run.started'] }],
  ['a line of no type', { ...noLines, lines: [{}] }],
  ['a checkpoint of nothing', { ...noLines, lines: [{ type: 'checkpoint', snapshot: null }] }],
  ['a checkpoint without a snapshot', { ...noLines, lines: [{ type: 'checkpoint' }] }],
  ['a beginning of nothing', { ...noLines, lines: [{ type: 'run.started' }] }],
];

function handsOver(value: unknown): Store['open'] {
  const store: object = { open: async () => value };
  return Reflect.get(store, 'open');
}

function raise(): never {
  throw new Error('no');
}

describe.each(junk)('a store that gives %s', (_, value) => {
  const store = (): Store => ({ ...memoryStore(), open: handsOver(value) });

  it('ends a new run with store_error', async () => {
    const clock = virtualClock();
    const sent: string[] = [];
    const outcome = await clock.until(agentOn(store(), clock, sent).run('the task', { runId }));
    expect(outcome).toMatchObject({ ok: false, stopReason: 'store_error', error: { code: 'store_failed' } });
    expect({ sent, armed: clock.armed }).toEqual({ sent: [], armed: 0 });
  });

  it('is refused where a run is to go on', async () => {
    const clock = virtualClock();
    const sent: string[] = [];
    const refused = agentOn(store(), clock, sent).resume(runId);
    const code = expect.stringMatching(/^(store_failed|invalid_journal|invalid_snapshot)$/);
    await expect(clock.until(refused)).rejects.toMatchObject({ code, hint: expect.any(String) });
    expect({ sent, armed: clock.armed }).toEqual({ sent: [], armed: 0 });
  });
});

it('a deadline that comes while the store hangs ends the run with it', async () => {
  const clock = virtualClock();
  const sent: string[] = [];
  const store = faulty(memoryStore(), { at: 'append', from: startOfSend, way: 'hangs' }, clock, 0);
  const agent = agentOn(store, clock, sent, { budget: { wallClockMs: 100 } });
  const outcome = await clock.until(agent.run('the task', { runId }));
  expect(outcome).toMatchObject({
    ok: false,
    stopReason: 'timeout',
    unknown: [],
    storeError: { code: 'store_failed' },
  });
  expect(clock.monotonicMs()).toBeLessThanOrEqual(hookMs + 100);
  expect({ sent, armed: clock.armed }).toEqual({ sent: [], armed: 0 });
});
