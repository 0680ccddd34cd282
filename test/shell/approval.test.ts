/** A person decides: approve, edit, deny, no answer, nobody there, and going on from a snapshot. */
import { describe, expect, it } from 'vitest';
import { AgentError } from '../../src/core/errors.ts';
import type { Snapshot } from '../../src/core/snapshot.ts';
import type { Run } from '../../src/run.ts';
import { tool } from '../../src/tool.ts';
import { act, answer, observationAfter, setup } from './setup.ts';

function sending(replies = [act('send', { to: 'a' }), answer('done')]) {
  const sent: unknown[] = [];
  const send = tool({
    inputSchema: {
      type: 'object',
      properties: { to: { type: 'string' } },
      required: ['to'],
      additionalProperties: false,
    },
    sideEffect: true,
    execute: (input) => {
      sent.push(input);
      return 'sent';
    },
  });
  return { sent, ...setup({ replies, tools: { send } }) };
}

describe('a call that asks', () => {
  it.each<[string, (run: Run) => void, unknown[], string]>([
    ['approved', (run) => run.approve('1.1'), [{ to: 'a' }], 'sent'],
    ['edited', (run) => run.approve('1.1', { input: { to: 'b' } }), [{ to: 'b' }], 'sent'],
    [
      'edited into what does not validate',
      (run) => run.approve('1.1', { input: { to: 7 } }),
      [],
      '[ToolError] The input of send',
    ],
    ['denied', (run) => run.deny('1.1', 'not today'), [], 'not today'],
    ['left alone until the time is over', () => {}, [], 'Nobody decided'],
  ])('%s', async (_what, decide, expected, told) => {
    const { clock, model, sent, start } = sending();
    const run = start();
    await clock.calm();
    decide(run);
    const outcome = await clock.until(run.outcome);
    expect(outcome).toMatchObject({ ok: true, answer: 'done' });
    expect(sent).toEqual(expected);
    expect(observationAfter(model, 1)).toContain(told);
    expect(clock.armed).toBe(0);
  });

  it('waits outside the running time', async () => {
    const { clock, start } = sending();
    const run = start({ budget: { wallClockMs: 1_000 } });
    await clock.pass(500_000);
    run.approve('1.1');
    expect(await clock.until(run.outcome)).toMatchObject({ ok: true });
  });

  it('asks for a decision about a call that waits', async () => {
    const { clock, start } = sending();
    const run = start();
    await clock.calm();
    expect(() => run.approve('9.9')).toThrow(expect.objectContaining({ code: 'not_awaiting', hint: 'Waiting: 1.1.' }));
    run.deny('1.1');
    expect(() => run.deny('1.1')).toThrow(AgentError);
    await clock.until(run.outcome);
  });

  it('has its own fate beside others, and only then the next model call', async () => {
    const { clock, model, sent, start } = sending([act('send', { to: 'a' }), act('send', { to: 'b' }), answer('done')]);
    const run = start();
    await clock.calm();
    run.deny('1.1');
    await clock.calm();
    run.approve('2.1');
    await clock.until(run.outcome);
    expect(sent).toEqual([{ to: 'b' }]);
    expect(model.requests).toHaveLength(3);
  });
});

describe('a run with nobody there', () => {
  const suspend = async () => {
    const made = sending();
    const outcome = await made.run();
    if (outcome.ok || outcome.snapshot === undefined) throw new Error('it should have been suspended');
    return { ...made, snapshot: JSON.parse(JSON.stringify(outcome.snapshot)), outcome };
  };

  it('is suspended with a snapshot, and goes on from it as if nothing had been', async () => {
    const { agent, clock, model, sent, snapshot, outcome } = await suspend();
    expect(outcome).toMatchObject({
      stopReason: 'suspended',
      steps: [{ calls: [{ status: 'waiting', toolCallId: '1.1' }] }],
    });
    expect(sent).toEqual([]);
    await clock.pass(50_000_000);
    const run = agent.resume(snapshot);
    run.approve('1.1');
    const resumed = await clock.until(run.outcome);
    expect(resumed).toMatchObject({
      ok: true,
      answer: 'done',
      runId: outcome.runId,
      usage: { steps: 2, toolCalls: 1 },
    });
    expect(resumed.steps).toHaveLength(2);
    expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  });

  it.each<[string, (snapshot: Snapshot) => unknown, string]>([
    ['is not one', () => ({}), 'This is not a snapshot'],
    ['is nothing', () => null, 'This is not a snapshot'],
    ['is of another machine', (it) => ({ ...it, machineHash: 'x' }), 'another version'],
    ['is in a state that does not exist', (it) => ({ ...it, state: { ACTION: 'dancing' } }), 'does not have'],
    ['has ended', (it) => ({ ...it, context: { ...it.context, stopReason: 'final' } }), 'has ended'],
  ])('refuses a snapshot that %s', async (_what, change, message) => {
    const { agent, snapshot } = await suspend();
    const changed: unknown = change(snapshot);
    expect(() => agent.resume(changed as Snapshot)).toThrow(
      expect.objectContaining({ code: 'invalid_snapshot', message: expect.stringContaining(message) }),
    );
  });
});

describe('a run that is taken up after a crash', () => {
  const crashWhileRunning = async (marks: Parameters<typeof tool>[0] extends infer D ? Partial<D> : never) => {
    const started: unknown[] = [];
    const made = setup({
      replies: [act('work', { n: 1 }), act('work', { n: 1 }), answer('done')],
      tools: {
        work: tool({
          inputSchema: { type: 'object' },
          needsApproval: false,
          execute: (input) => {
            started.push(input);
            return started.length === 1 ? new Promise(() => {}) : 'worked';
          },
          ...marks,
        }),
      },
    });
    const run = made.start();
    await made.clock.calm();
    const snapshot = JSON.parse(JSON.stringify(run.snapshot()));
    run.abort('the process is killed');
    return { ...made, started, outcome: await made.clock.until(made.agent.resume(snapshot).outcome) };
  };

  it('never starts an effect again: it is unknown, and told so to model and caller', async () => {
    const { started, outcome, model } = await crashWhileRunning({ sideEffect: true });
    expect(started).toHaveLength(1);
    expect(outcome).toMatchObject({ ok: true, unknown: [{ toolCallId: '1.1', tool: 'work' }] });
    expect(observationAfter(model, 1)).toContain('nobody knows whether it took effect');
    expect(observationAfter(model, 2)).toContain('was not run again');
  });

  it('runs a read again', async () => {
    const { started, outcome } = await crashWhileRunning({ readOnly: true });
    expect(started).toHaveLength(3);
    expect(outcome).toMatchObject({ ok: true, unknown: [] });
  });

  it('asks the model again where it was thinking', async () => {
    const { clock, model, agent, start } = setup({ replies: [{ hang: true }, answer('42')] });
    const run = start();
    await clock.calm();
    const snapshot = run.snapshot();
    run.abort();
    expect(await clock.until(agent.resume(snapshot).outcome)).toMatchObject({
      ok: true,
      answer: '42',
      usage: { steps: 2 },
    });
    expect(model.requests.map(({ step }) => step)).toEqual([1, 1]);
  });
});
