/** A person is asked, and the time to decide passes: whoever has the run then refuses the call; where nobody has it, nobody does. */
import { describe, expect, it } from 'vitest';
import { createAgent } from '../../src/agent.ts';
import type { ResumeOptions } from '../../src/agent-options.ts';
import type { Snapshot } from '../../src/core/snapshot.ts';
import type { JournalLine } from '../../src/core/store.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import type { Run } from '../../src/run.ts';
import { memoryStore } from '../../src/store.ts';
import { tool } from '../../src/tool.ts';
import { virtualClock } from '../../src/verify/virtual-clock.ts';
import { act, answer, anyInput } from './setup.ts';

const runId = 'the run';
const approvalMs = 600_000;
const dayMs = 86_400_000;

/** One process, or what comes after it: the clock on the wall is the same for all. */
function processes() {
  const clock = virtualClock();
  const store = memoryStore();
  const sent: string[] = [];
  const send = tool({ inputSchema: anyInput, sideEffect: true, execute: () => sent.push('sent') });
  const agentWith = (kept = store) =>
    createAgent({
      model: {
        provider: 'test',
        name: 'test',
        generate: (request) => scriptedModel([request.step === 1 ? act('send') : answer('done')]).generate(request),
      },
      tools: { send },
      store: kept,
      clock,
      timeouts: { approvalMs },
    });
  return { clock, store, sent, agentWith };
}

type Processes = ReturnType<typeof processes>;

/** Another process has what was on the disk; the first one is not heard of any more. */
async function copyOf(lines: readonly JournalLine[] | null) {
  const store = memoryStore();
  const held = await store.open(runId);
  await held.replace(lines ?? []);
  await held.release();
  return store;
}

interface Left {
  readonly snapshot: Snapshot;
  readonly lines: readonly JournalLine[];
}

/** A process that asks a person, and ends. */
async function leftAsking({ clock, store, agentWith }: Processes): Promise<Left> {
  const run = agentWith().start('the task', { runId });
  await clock.calm();
  return { snapshot: JSON.parse(JSON.stringify(run.snapshot())), lines: (await store.read(runId)) ?? [] };
}

const doors: readonly [
  string,
  (of: Processes, left: Left, how?: ResumeOptions) => Promise<{ run: Run; lines: () => Promise<unknown> }>,
][] = [
  [
    'by its id',
    async ({ agentWith }, { lines }, how) => {
      const store = await copyOf(lines);
      return { run: await agentWith(store).resume(runId, how), lines: () => store.read(runId) };
    },
  ],
  [
    'from a snapshot',
    async ({ agentWith }, { snapshot }, how) => {
      const store = memoryStore();
      return { run: agentWith(store).resume(snapshot, how), lines: () => store.read(runId) };
    },
  ],
];

describe.each(doors)('taken up %s', (_door, takeUp) => {
  it('days later: the person is asked anew, and has the whole time', async () => {
    const made = processes();
    const left = await leftAsking(made);
    const { clock, sent } = made;
    await clock.pass(3 * dayMs);
    const { run, lines } = await takeUp(made, left);
    await clock.calm();
    expect(run.snapshot().context.approvalUntilMs).toBe(clock.wallMs() + approvalMs);
    expect(await lines()).toContainEqual(expect.objectContaining({ type: 'run.resumed', askedAnew: true }));
    await clock.pass(approvalMs - 1);
    run.approve('1.1');
    expect(await clock.until(run.outcome)).toMatchObject({ ok: true, answer: 'done' });
    expect(sent).toEqual(['sent']);
  });

  it('before it has passed: it stays as it is', async () => {
    const made = processes();
    const left = await leftAsking(made);
    const { clock } = made;
    await clock.pass(approvalMs / 2);
    const { run, lines } = await takeUp(made, left);
    await clock.calm();
    const until = left.snapshot.context.approvalUntilMs;
    expect(run.snapshot().context.approvalUntilMs).toBe(until);
    expect(JSON.stringify(await lines())).not.toContain('askedAnew');
    await clock.pass((until ?? 0) - clock.wallMs());
    expect(() => run.approve('1.1')).toThrow(expect.objectContaining({ code: 'not_awaiting' }));
    expect(await clock.until(run.outcome)).toMatchObject({ ok: true });
    expect(made.sent).toEqual([]);
  });

  it('again and again: each time it was asked anew is in the journal, and the next process reads it', async () => {
    const made = processes();
    let left = await leftAsking(made);
    const { clock, sent } = made;
    for (let day = 0; day < 6; day++) {
      await clock.pass(dayMs);
      const { run, lines } = await takeUp(made, left);
      await clock.calm();
      const found = (await lines()) as readonly JournalLine[];
      left = { snapshot: JSON.parse(JSON.stringify(run.snapshot())), lines: found };
    }
    await clock.pass(dayMs);
    const { run } = await takeUp(made, left);
    run.approve('1.1');
    expect(await clock.until(run.outcome)).toMatchObject({ ok: true });
    expect(sent).toEqual(['sent']);
  });

  it('with nobody there: it is left again, without a time', async () => {
    const made = processes();
    const left = await leftAsking(made);
    await made.clock.pass(dayMs);
    const { run } = await takeUp(made, left, { attended: false });
    expect(await made.clock.until(run.outcome)).toMatchObject({
      stopReason: 'suspended',
      snapshot: { context: { approvalUntilMs: null } },
    });
  });
});

it('the process that asked refuses the call when the time has passed', async () => {
  const { clock, agentWith, sent } = processes();
  const run = agentWith().start('the task', { runId });
  await clock.calm();
  await clock.pass(approvalMs);
  expect(await clock.until(run.outcome)).toMatchObject({ ok: true });
  expect(sent).toEqual([]);
});
