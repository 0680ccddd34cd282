/** The picture of a run: what is in it, that it shares what stays, and that no event of any kind breaks it. */
import { fc, test } from '@fast-check/vitest';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TraceEvent } from '../../src/core/trace.ts';
import { createAgent, tool } from '../../src/index.ts';
import { type RunView, runViews, viewAfter } from '../../src/observe.ts';
import { type ScriptEntry, scriptedModel, virtualClock } from '../../src/testing.ts';
import { anyInput } from '../shell/setup.ts';

interface Played {
  readonly trace: readonly TraceEvent[];
}

async function played(replies: readonly ScriptEntry[], runId: string, maxSteps = 12): Promise<Played> {
  const clock = virtualClock();
  const trace: TraceEvent[] = [];
  const inner = createAgent({ model: scriptedModel(['Inside.'], { clock }), dialect: 'native', clock });
  const agent = createAgent({
    model: scriptedModel(replies, { clock }),
    clock,
    dialect: 'native',
    loopGuard: 'off',
    budget: { maxSteps, maxTokens: 2 ** 40, maxToolCalls: 100_000, wallClockMs: 2 ** 40 },
    tools: {
      look: tool({ inputSchema: anyInput, readOnly: true, execute: () => 'seen' }),
      save: tool({ inputSchema: anyInput, sideEffect: true, execute: () => 'saved' }),
      ask: inner.asTool({ description: 'Asks.' }),
    },
    onEvent: (event) => trace.push(event),
  });
  const run = agent.start('task', { runId });
  await clock.calm();
  if (trace.at(-1)?.type === 'approval.asked') {
    await clock.pass(90_000);
    run.approve('1.2', { by: '张伟' });
  }
  await clock.until(run.outcome);
  return { trace };
}

const look = (n: number) => ({ tool: 'look', input: { n } });
let run: Played;
beforeAll(async () => {
  const replies = [
    { calls: [look(1), { tool: 'save', input: {} }] },
    '',
    { calls: [{ tool: 'ask', input: { task: 'part' } }] },
    'Done.',
  ];
  run = await played(replies, 'one');
});

describe('tells', () => {
  it('of a run with a person, a violation and an agent inside', () => {
    const [view] = runViews(run.trace);
    expect(view).toMatchObject({
      runId: 'one',
      task: 'task',
      phase: 'ended',
      state: 'FINAL',
      stopReason: 'final',
      answer: 'Done.',
      violations: 1,
      violationsInRow: 0,
      usage: { steps: 5, toolCalls: 3 },
      missing: 0,
      ignored: 0,
      events: run.trace.length,
    });
    const [first, second, third] = view?.steps ?? [];
    expect(first?.calls).toMatchObject([
      { callId: '1.1', status: 'succeeded', observation: 'seen', gate: null, effect: 'readOnly' },
      { callId: '1.2', status: 'succeeded', approval: { decision: 'granted', by: '张伟' } },
    ]);
    const approval = first?.calls[1]?.approval;
    expect((approval?.decidedWallMs ?? 0) - (approval?.askedWallMs ?? 0)).toBe(90_000);
    expect(second?.violation?.code).toBe('empty');
    expect(third?.calls[0]?.nested).toMatchObject({ phase: 'ended', answer: 'Inside.', steps: [{ number: 1 }] });
    expect(view?.moves.get('OBSERVATION > THOUGHT.reasoning')).toBe(4);
    expect(view?.moves.get('ACTION.running > ACTION.awaitingApproval')).toBe(1);
    expect(view?.lastMoves.at(-1)).toBe('FINAL');
  });

  it('the conversation as it was sent', () => {
    const [view] = runViews(run.trace);
    const sent = view?.steps.flatMap(({ tries }) => tries) ?? [];
    expect(sent.map(({ messages }) => messages)).toEqual([...sent.keys()].map((at) => sent[at]?.messages));
    expect(sent.reduce((sum, { added }) => sum + added.length, 0)).toBe(view?.messages.length);
    expect(view?.messages).toHaveLength(sent.at(-1)?.messages ?? 0);
  });

  it('what a person is asked, while it waits', () => {
    const asked = run.trace.findIndex(({ type }) => type === 'approval.asked');
    const [view] = runViews(run.trace.slice(0, asked + 1));
    expect(view).toMatchObject({ phase: 'waiting', stopReason: null });
    expect(view?.steps[0]?.calls.map(({ status }) => status)).toEqual(['succeeded', 'waiting']);
  });

  it('of the runs of a file one after the other', async () => {
    const other = await played(['Done.'], 'two');
    const views = runViews([...run.trace, ...other.trace]);
    expect(views.map(({ runId, stopReason }) => [runId, stopReason])).toEqual([
      ['one', 'final'],
      ['two', 'final'],
    ]);
  });
});

describe('shares what an event does not touch', () => {
  it('and changes no view that was given out', () => {
    let view: RunView | null = null;
    const seen: [RunView, string][] = [];
    for (const event of run.trace) {
      const next: RunView = viewAfter(view, event);
      for (const [at, step] of (view?.steps ?? []).slice(0, -1).entries()) expect(next.steps[at]).toBe(step);
      seen.push([next, JSON.stringify(next.steps)]);
      view = next;
    }
    for (const [one, text] of seen) expect(JSON.stringify(one.steps)).toBe(text);
  });
});

describe('goes on with what is there', () => {
  const at = (type: TraceEvent['type']) => run.trace.findIndex((event) => event.type === type);

  it('where an event is missing: it is counted', () => {
    expect(runViews(run.trace.toSpliced(at('calls.checked'), 1))).toMatchObject([{ missing: 1, answer: 'Done.' }]);
  });

  it('where the beginning is missing', () => {
    expect(runViews(run.trace.slice(5))).toMatchObject([{ missing: 5, task: null, answer: 'Done.' }]);
  });

  it('where the writer left events out', () => {
    const dropped = { type: 'trace.dropped', runId: 'one', count: 2, from: 3, to: 4, wallMs: 5 } as const;
    expect(runViews([...run.trace.slice(0, 3), dropped, ...run.trace.slice(5)])).toMatchObject([{ missing: 2 }]);
    expect(runViews([...run.trace.slice(0, 3), dropped])).toMatchObject([{ missing: 2, phase: 'running' }]);
  });

  it('where an event comes twice, or was ignored by the run: it is counted, and changes nothing', () => {
    const [whole] = runViews(run.trace);
    const twice = run.trace.flatMap((event): readonly TraceEvent[] =>
      event.type === 'call.settled' ? [event, event] : [event],
    );
    const [view] = runViews(twice);
    expect(view).toMatchObject({ ignored: 3, steps: whole?.steps, usage: whole?.usage });
  });

  it('where the kind of an event is not known', () => {
    const [first, ...rest] = run.trace;
    const strange: TraceEvent = JSON.parse(JSON.stringify({ ...first, type: 'later.kind' }));
    expect(runViews([...(first === undefined ? [] : [first]), strange, ...rest])).toMatchObject([
      { ignored: 1, missing: 0, answer: 'Done.' },
    ]);
  });

  it('where a run goes on of which the beginning is in another file', () => {
    const { limits } = runViews(run.trace)[0] ?? {};
    const calls = [{ callId: '7.1', tool: 'look', input: null, repaired: false, status: 'asking', effect: 'readOnly' }];
    const resumed: TraceEvent = JSON.parse(
      JSON.stringify({
        ...{ type: 'run.resumed', runId: 'x', limits, policy: null, calls, sequence: 40, wallMs: 9, atMs: 77 },
        state: { ACTION: 'awaitingApproval' },
      }),
    );
    expect(runViews([resumed])).toMatchObject([
      {
        runId: 'x',
        task: null,
        missing: 40,
        phase: 'waiting',
        atMs: 77,
        steps: [{ number: 7, calls: [{ status: 'waiting' }] }],
      },
    ]);
  });

  test.prop([fc.array(fc.oneof(fc.nat(100), fc.anything())), fc.string()])('whatever comes', (places, key) => {
    const events = places.map((place) => {
      const event = typeof place === 'number' ? run.trace[place % run.trace.length] : undefined;
      const keys = Object.keys(event ?? {});
      return event === undefined ? place : { ...event, [keys[key.length % keys.length] ?? 'type']: key };
    });
    let view: RunView | null = null;
    for (const event of events) {
      if (typeof event !== 'object' || event === null) continue;
      view = Reflect.apply(viewAfter, undefined, [view, event]);
    }
    expect(view === null || view.events >= 0).toBe(true);
  });
});

it('1,000 steps are folded in a time that does not grow with their square', { timeout: 120_000 }, async () => {
  const replies = [...Array.from({ length: 1_000 }, (_, n) => ({ calls: [look(n)] })), 'Done.'];
  const { trace } = await played(replies, 'long', 1_100);
  const timed = (events: readonly TraceEvent[]) => {
    const from = performance.now();
    expect(runViews(events)).toHaveLength(1);
    return performance.now() - from;
  };
  const least = (events: readonly TraceEvent[]) => Math.min(...Array.from({ length: 5 }, () => timed(events)));
  const [half, whole] = [least(trace.slice(0, trace.length / 2)), least(trace)];
  console.log(`Folded: ${trace.length} events of 1,000 steps in ${Math.round(whole)} ms.`);
  expect(runViews(trace)[0]?.steps).toHaveLength(1_001);
  expect(whole / half).toBeLessThan(6);
});
