/** The outcome of a run from its trace alone is the live one. */
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { TraceEvent } from '../../src/core/trace.ts';
import { createAgent, type Outcome, tool } from '../../src/index.ts';
import { outcomeOfTrace, runViews } from '../../src/observe.ts';
import { scriptedModel, virtualClock } from '../../src/testing.ts';
import type { FastCheck } from '../../src/verify/fast-check.ts';
import { playSimulation } from '../../src/verify/simulation-play.ts';
import { simulationScripts } from '../../src/verify/simulation-script.ts';
import { anyInput } from '../shell/setup.ts';

const draws = process.env.FUSELOOP_LONG === undefined ? 150 : 4_000;
const drawing: FastCheck = fc;

/** As JSON, without what a trace does not hold; an error is its code, message and hint. */
function comparable(outcome: Outcome<unknown>): unknown {
  const plain: { snapshot?: unknown; error?: { name?: string } } = JSON.parse(JSON.stringify(outcome));
  delete plain.snapshot;
  delete plain.error?.name;
  return plain;
}

const told = (trace: readonly TraceEvent[]): unknown => JSON.parse(JSON.stringify(outcomeOfTrace(trace)));

test.prop([simulationScripts(drawing)], { numRuns: draws })(
  'of runs with everything against them, over crashes and pauses',
  async (script) => {
    const { trace, outcome } = await playSimulation(script);
    expect(told(trace)).toEqual(comparable(outcome));
  },
);

const call = (name: string, input: object = {}) => ({ tool: name, input: JSON.parse(JSON.stringify(input)) });
const never = () => new Promise<never>(() => {});

/** An agent whose every event is kept, over all runs and resumes. */
function watched(replies: Parameters<typeof scriptedModel>[0], more: Partial<Parameters<typeof createAgent>[0]> = {}) {
  const clock = virtualClock();
  const trace: TraceEvent[] = [];
  const agent = createAgent({
    model: scriptedModel(replies, { clock }),
    clock,
    dialect: 'native',
    tools: {
      look: tool({ inputSchema: anyInput, readOnly: true, execute: () => 'seen' }),
      save: tool({ inputSchema: anyInput, sideEffect: true, execute: ({ to }: { to?: string }) => `saved ${to}` }),
      hangs: tool({ inputSchema: anyInput, execute: never }),
      slow: tool({ inputSchema: anyInput, readOnly: true, execute: never }),
      close: tool({ inputSchema: anyInput, readOnly: true, endsRun: true, execute: () => ({ closed: true }) }),
    },
    onEvent: (event) => trace.push(event),
    ...more,
  });
  return { agent, clock, trace };
}

describe('of a run', () => {
  it('that a limit ended, and that goes on with a larger one, twice', async () => {
    const replies = [
      { calls: [call('look')] },
      { calls: [call('look', { n: 1 })] },
      { calls: [call('look', { n: 2 })] },
    ];
    const { agent, clock, trace } = watched([...replies, 'Done.'], { budget: { maxSteps: 1 } });
    let outcome = await clock.until(agent.run('task'));
    for (const maxSteps of [2, 5]) {
      expect(told(trace)).toEqual(comparable(outcome));
      if (outcome.ok || outcome.snapshot === undefined) throw new Error('It cannot go on.');
      outcome = await clock.until(agent.resume(outcome.snapshot, { budget: { maxSteps } }).outcome);
    }
    expect(outcome.ok).toBe(true);
    expect(told(trace)).toEqual(comparable(outcome));
    expect(runViews(trace)).toMatchObject([{ resumed: 2, missing: 0 }]);
  });

  it('that was aborted with effects in flight, and goes on: what is told of them is in the trace', async () => {
    const { agent, clock, trace } = watched([
      { calls: [call('look'), call('hangs'), call('look', { n: 2 })] },
      'Done.',
    ]);
    const run = agent.start('task');
    await clock.calm();
    run.abort('enough');
    const left = await clock.until(run.outcome);
    expect(told(trace)).toEqual(comparable(left));
    expect(left.unknown).toHaveLength(1);
    if (left.ok || left.snapshot === undefined) throw new Error('It cannot go on.');
    const outcome = await clock.until(agent.resume(left.snapshot).outcome);
    expect(JSON.stringify(outcome.steps)).toContain('unknown');
    expect(told(trace)).toEqual(comparable(outcome));
  });

  it('with an input that a person changed, and with a secret that nobody sees', async () => {
    const { agent, clock, trace } = watched([{ calls: [call('save', { to: 'x' })] }, 'Done.'], {
      redact: ['hunter2hunter2'],
    });
    const run = agent.start('task hunter2hunter2');
    await clock.calm();
    run.approve('1.1', { input: { to: 'hunter2hunter2' }, by: 'ann' });
    const outcome = await clock.until(run.outcome);
    expect(outcome.steps[0]?.calls[0]?.observation).toContain('A person changed the input');
    expect(JSON.stringify([outcome, trace])).not.toContain('hunter2');
    expect(told(trace)).toEqual(comparable(outcome));
  });

  it('whose answer was cut while it was written', async () => {
    const { agent, clock, trace } = watched([{ text: 'Thought: Now.\nFinal Answer: The first half', hang: true }], {
      dialect: 'labelled',
    });
    const run = agent.start('task');
    await clock.calm();
    run.abort();
    const outcome = await clock.until(run.outcome);
    expect(outcome).toMatchObject({ ok: false, partial: expect.stringContaining('The first half') });
    expect(told(trace)).toEqual(comparable(outcome));
  });

  it('whose answer has a type: in a trace it is the text', async () => {
    const { agent, clock, trace } = watched(['{"count": 3}'], {
      tools: {},
      answerSchema: z.object({ count: z.number() }),
    });
    const outcome = await clock.until(agent.run('task'));
    expect(outcome).toMatchObject({ ok: true, answer: { count: 3 } });
    expect(told(trace)).toEqual({ ...Object(comparable(outcome)), answer: '{"count": 3}' });
  });

  it('that was left behind its snapshot, and goes on from there: what came between is not of it', async () => {
    const { agent, clock, trace } = watched([{ calls: [call('look')] }, { calls: [call('slow')] }, 'Done.']);
    const run = agent.start('task');
    for await (const event of run) if (event.type === 'calls.checked') break;
    const snapshot = JSON.parse(JSON.stringify(run.snapshot()));
    await clock.calm();
    run.abort();
    await clock.until(run.outcome);
    const outcome = await clock.until(agent.resume(snapshot).outcome);
    expect(trace.map(({ sequence }) => sequence)).not.toEqual(trace.map((_, at) => at));
    expect(told(trace)).toEqual(comparable(outcome));
  });

  it('that a tool ended', async () => {
    const { agent, clock, trace } = watched([{ calls: [call('close'), call('look')] }]);
    const outcome = await clock.until(agent.run('task'));
    expect(outcome).toMatchObject({ ok: true, answer: '{"closed":true}' });
    expect(told(trace)).toEqual(comparable(outcome));
  });

  it('on the real clock', async () => {
    const trace: TraceEvent[] = [];
    const { look } = { look: tool({ inputSchema: anyInput, readOnly: true, execute: () => 'seen' }) };
    const model = scriptedModel([{ calls: [call('look')] }, { calls: [call('look', { n: 2 })] }, 'Done.']);
    const agent = createAgent({ model, dialect: 'native', tools: { look }, onEvent: (event) => trace.push(event) });
    expect(comparable(await agent.run('task'))).toEqual(told(trace));
  });
});

describe('there is none', () => {
  it.each([
    ['of nothing', () => []],
    ['of a run that has not ended', (trace: TraceEvent[]) => trace.slice(0, -1)],
    ['where an event is missing', (trace: TraceEvent[]) => trace.toSpliced(2, 1)],
    ['where the beginning is missing', (trace: TraceEvent[]) => trace.slice(3)],
    ['where texts were cut', (trace: TraceEvent[]) => trace.map((event) => ({ ...event, cut: true as const }))],
  ])('%s', async (_, lacking) => {
    const { agent, clock, trace } = watched([{ calls: [call('look')] }, 'Done.']);
    await clock.until(agent.run('task'));
    expect(outcomeOfTrace(trace)).not.toBeNull();
    expect(outcomeOfTrace(lacking(trace))).toBeNull();
  });
});
