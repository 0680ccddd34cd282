/** A tool that can say of a call whether it happened, asked when a run goes on in whose last process the call had started. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AgentOptions } from '../../src/agent-options.ts';
import { tool } from '../../src/tool.ts';
import { act, answer, observationAfter, setup } from './setup.ts';

interface Asked {
  readonly id: string;
  readonly key: string;
  readonly input: unknown;
  readonly context: unknown;
}

/** A run that is left while a mail is being sent, and taken up by an agent whose tool can be asked. */
async function resumed(probe: unknown, marks: object = {}, agent: Partial<AgentOptions> = {}) {
  const keys: string[] = [];
  const asked: Asked[] = [];
  const send = (isFirst: boolean) =>
    tool({
      inputSchema: z.object({ to: z.string() }),
      sideEffect: true,
      needsApproval: false,
      execute: (_input, { idempotencyKey }) => {
        keys.push(idempotencyKey);
        return isFirst ? new Promise<string>(() => {}) : 'sent now';
      },
      ...(isFirst || probe === undefined
        ? {}
        : {
            probe: (id: string, { idempotencyKey: key, input, context, abortSignal }) => {
              asked.push({ id, key, input, context });
              return typeof probe === 'function' ? probe(abortSignal) : probe;
            },
          }),
      ...marks,
    });
  const before = setup({ replies: [act('send', { to: 'a' })], tools: { send: send(true) } });
  const run = before.start({ runId: 'run' });
  await before.clock.until(new Promise<void>((resolve) => before.clock.setTimer(5, resolve)));
  const snapshot = JSON.parse(JSON.stringify(run.snapshot()));
  run.abort();
  const after = setup({ replies: [answer('ok')], tools: { send: send(false) }, agent });
  const outcome = await after.clock.until(after.agent.resume(snapshot, { context: 'mine' }).outcome);
  return { outcome, call: outcome.steps[0]?.calls[0], keys, asked, told: observationAfter(after.model, 0) };
}

const failing = () => {
  throw new Error('no connection');
};
const unreadable = {
  get happened() {
    return failing();
  },
};

describe('a call that had started, of a tool with a probe', () => {
  it('has succeeded with the output that the probe gives', async () => {
    const { outcome, call, keys, asked, told } = await resumed({ happened: true, output: 'sent before' });
    expect(call).toMatchObject({ status: 'succeeded', output: 'sent before' });
    expect(told).toContain('sent before');
    expect(outcome.unknown).toEqual([]);
    expect(keys).toEqual(['run:1.1']);
    expect(asked).toEqual([{ id: '1.1', key: 'run:1.1', input: { to: 'a' }, context: 'mine' }]);
  });

  it('runs where it did not happen, with the same key', async () => {
    const { outcome, call, keys } = await resumed(Promise.resolve({ happened: false }));
    expect(call).toMatchObject({ status: 'succeeded', output: 'sent now' });
    expect(keys).toEqual(['run:1.1', 'run:1.1']);
    expect(outcome).toMatchObject({ ok: true, usage: { toolCalls: 1 } });
  });

  it.each<[string, unknown]>([
    ['unknown', 'unknown'],
    ['nothing', null],
    ['there is no probe', undefined],
    ['throws', failing],
    ['rejects', () => Promise.reject(new Error('no connection'))],
    ['is late', () => new Promise(() => {})],
    ['true', true],
    ['an object without an answer', {}],
    ['happened, and no output', { happened: true }],
    ['an answer that is no boolean', { happened: 'yes', output: 'sent' }],
    ['an answer that cannot be read', unreadable],
  ])('is unknown, and is not run: %s', async (_what, probe) => {
    const { outcome, call, keys, told } = await resumed(probe);
    expect(call).toMatchObject({ status: 'unknown', output: null });
    expect(outcome).toMatchObject({ ok: true, unknown: [{ toolCallId: '1.1', tool: 'send', input: { to: 'a' } }] });
    expect(told).toContain('nobody knows whether it took effect');
    expect(keys).toEqual(['run:1.1']);
  });

  it('is told to stop where it is late', async () => {
    const signals: AbortSignal[] = [];
    await resumed((signal: AbortSignal) => {
      signals.push(signal);
      return new Promise(() => {});
    });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it.each<[string, object, Partial<AgentOptions>]>([
    ['its schema', { outputSchema: z.object({ id: z.number() }) }, {}],
    ['the check of results', {}, { checkResult: () => 'it holds no number' }],
  ])('an output is checked as a result is: %s', async (_what, marks, agent) => {
    const { outcome, call } = await resumed({ happened: true, output: 'sent before' }, marks, agent);
    expect(call).toMatchObject({ status: 'unknown' });
    expect(outcome.unknown).toHaveLength(1);
  });

  it.each([
    ['readOnly', { readOnly: true, sideEffect: false }],
    ['idempotent', { idempotent: true }],
  ])('is not asked where the call may run again: %s', async (_what, marks) => {
    const { asked, keys } = await resumed({ happened: true, output: 'x' }, marks);
    expect(asked).toEqual([]);
    expect(keys).toEqual(['run:1.1', 'run:1.1']);
  });
});

it('a probe that is no function is refused when the agent is made', () => {
  const broken = Reflect.apply(tool, undefined, [{ inputSchema: z.object({}), execute: () => 1, probe: true }]);
  expect(() => setup({ replies: [], tools: { broken } })).toThrow('The tool "broken" has a probe that is no function.');
});

it('an idempotent call that had started is unknown where the run ends before it is its turn again', async () => {
  const send = (execute: () => unknown) =>
    tool({
      inputSchema: z.object({ to: z.string() }),
      idempotent: true,
      rateLimit: { calls: 1, perMs: 60_000 },
      execute,
    });
  const before = setup({ replies: [act('send', { to: 'a' })], tools: { send: send(() => new Promise(() => {})) } });
  const run = before.start({ runId: 'run' });
  await before.clock.calm();
  const snapshot = run.snapshot();
  run.abort();

  const after = setup({ replies: [act('send', { to: 'b' }), answer('ok')], tools: { send: send(() => 'sent') } });
  await after.clock.until(after.start({ runId: 'other' }).outcome); // it takes the place
  const resumed = after.agent.resume(snapshot);
  await after.clock.calm();
  resumed.abort();
  const outcome = await after.clock.until(resumed.outcome);
  expect(outcome).toMatchObject({ stopReason: 'aborted', unknown: [{ toolCallId: '1.1', input: { to: 'a' } }] });
});
