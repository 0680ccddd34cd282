/** Traces folded: of whole runs, of such that went on from a snapshot, and of such that were changed. */
import { describe, expect, it } from 'vitest';
import { createReactMachine } from '../../machines/react.machine.ts';
import { AgentError } from '../../src/core/errors.ts';
import type { TraceEvent } from '../../src/core/trace.ts';
import { foldTrace } from '../../src/verify/fold.ts';
import { act, answer, returns, setup } from '../shell/setup.ts';

const tools = { look: returns('seen', { readOnly: true }), send: returns('sent', { sideEffect: true }) };

async function recorded() {
  const made = setup({ replies: [act('look'), act('send', { to: 'a' }), answer('done'), answer('done')], tools });
  const outcome = await made.run();
  if (outcome.ok || outcome.snapshot === undefined) throw new Error('it should have been suspended');
  return { ...made, snapshot: outcome.snapshot, first: [...made.events] };
}

it('a run that was suspended ends where it waits', async () => {
  const { first, snapshot } = await recorded();
  const folded = foldTrace(first);
  expect(folded).toMatchObject({ ended: true, snapshot: { value: { ACTION: 'awaitingApproval' } } });
  expect(folded.snapshot.context).toEqual(snapshot.context);
  expect(folded.edges).toBeGreaterThan(5);
});

describe('a run that went on', () => {
  const goOn = async () => {
    const made = await recorded();
    const run = made.agent.resume(JSON.parse(JSON.stringify(made.snapshot)), { budget: { maxSteps: 20 } });
    run.approve('2.1');
    const outcome = await made.clock.until(run.outcome);
    return { ...made, outcome, second: made.events.slice(made.first.length) };
  };

  it('folds in one trace with its beginning, and from its snapshot', async () => {
    const { events, second, snapshot, outcome } = await goOn();
    expect(outcome).toMatchObject({ ok: true, answer: 'done' });
    const whole = foldTrace(events);
    expect(whole).toMatchObject({ ended: true, snapshot: { value: 'FINAL', context: { limits: { maxSteps: 20 } } } });
    const part = foldTrace(second, { from: snapshot });
    expect(part.snapshot.context).toEqual(whole.snapshot.context);
  });

  it('needs its snapshot or its beginning', async () => {
    const { second, snapshot } = await goOn();
    expect(() => foldTrace(second)).toThrow(/\(run\.resumed\) takes up a snapshot that is not in the trace/);
    expect(() => foldTrace(second, { from: { ...snapshot, sequence: 1 } })).toThrow(
      /takes the run up behind event \d+, which is not in the trace/,
    );
  });

  it('goes on from where the snapshot was taken, also behind events that came later', async () => {
    const { agent, clock, events, start, model } = setup({
      replies: [act('look'), { hang: true }, answer('42')],
      tools,
    });
    const run = start();
    await clock.calm();
    const snapshot = run.snapshot();
    run.abort('the process is killed');
    await run.outcome;
    expect(await clock.until(agent.resume(snapshot).outcome)).toMatchObject({ ok: true, answer: '42' });
    expect(foldTrace(events)).toMatchObject({ ended: true, snapshot: { value: 'FINAL' } });
    expect(model.requests).toHaveLength(3);
  });
});

type Change = (events: readonly TraceEvent[]) => readonly unknown[];
const at =
  (type: string, change: (event: object) => object): Change =>
  (events) => {
    const place = events.findIndex((event) => event.type === type);
    return events.map((event, index) => (index === place ? change(event) : event));
  };

describe('a trace that was changed is refused, and the number of the event is told', () => {
  it.each<[string, Change, RegExp]>([
    ['is empty', () => [], /^The trace holds no events\.$/],
    ['holds something else', (events) => [...events, null], /^null is not an event of a trace\.$/],
    ['begins in the middle', (events) => events.slice(1), /^Event 1 \(prompt\.sent\) comes before the beginning/],
    ['begins twice', ([first, ...rest]) => [first, first, ...rest], /^Event 0 \(run\.started\) begins a second run\.$/],
    ['lacks an event', (events) => events.toSpliced(3, 1), /^Event 4 \(.*\) stands where event 3 belongs\.$/],
    [
      'has an event twice',
      (events) => events.toSpliced(3, 0, ...events.slice(3, 4)),
      /stands where event 4 belongs\.$/,
    ],
    ['goes on behind its end', (events) => [...events, events.at(-1)], /follows the end of the run\.$/],
    [
      'is of another machine',
      at('run.started', (event) => ({ ...event, machineHash: 'x' })),
      /was recorded by another version/,
    ],
    [
      'has limits that are none',
      at('run.started', (event) => ({ ...event, limits: { maxSteps: 'many' } })),
      /^Event 0 \(run\.started\) cannot be used: limits\.maxSteps is "many"; it is a whole number/,
    ],
    [
      'records another state',
      at('calls.checked', (event) => ({ ...event, state: { ACTION: 'gating' } })),
      /^Event \d+ \(calls\.checked\) records the state {"ACTION":"gating"}, and the machine is in ACTION\.running\.$/,
    ],
    [
      'records an event of another step',
      at('call.settled', (event) => ({ ...event, step: 7 })),
      /\(call\.settled\) is recorded as obeyed, and the machine ignores it\.$/,
    ],
    [
      'records an event as ignored that was not',
      at('call.settled', (event) => ({ ...event, ignored: true })),
      /is recorded as ignored, and the machine obeys it\.$/,
    ],
    [
      'has an event that cannot be obeyed',
      at('calls.checked', (event) => ({ ...event, verdicts: null })),
      /\(calls\.checked\) cannot be obeyed: /,
    ],
    [
      'has an unknown event',
      at('prompt.sent', (event) => ({ ...event, type: 'x.y' })),
      /is of a type that is not known/,
    ],
    [
      'ends for another reason',
      at('run.ended', (event) => ({ ...event, stopReason: 'final' })),
      /records the end "final", and the machine has suspended\.$/,
    ],
  ])('%s', async (_what, change, message) => {
    const { first } = await recorded();
    const fold = () => Reflect.apply(foldTrace, undefined, [change(first)]);
    expect(fold).toThrow(AgentError);
    expect(fold).toThrow(message);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['without tokens', { steps: 1, toolCalls: 0 }],
    ['with tokens that are null', { steps: 1, toolCalls: 0, tokens: null }],
  ])('and so is one that goes on with something spent that is none: %s', async (_what, spent) => {
    const { first, agent, events, snapshot, clock } = await recorded();
    const run = agent.resume(snapshot);
    run.approve('2.1');
    await clock.until(run.outcome);
    const changed = events.map((event) => (event.type === 'run.resumed' ? { ...event, spent } : event));
    const fold = () => Reflect.apply(foldTrace, undefined, [changed]);
    expect(fold).toThrow(AgentError);
    expect(fold).toThrow(
      new RegExp(`^Event ${first.length - 1} \\(run\\.resumed\\) cannot be obeyed: .*(null|undefined)`),
    );
  });

  it('and so is one of a machine that breaks a law', async () => {
    const { first } = await recorded();
    const machine = createReactMachine().provide({ actions: { chargeReply: () => {} } });
    expect(() => foldTrace(first, { machine })).toThrow(
      /^Event \d+ \(reply\.\w+\) breaks the law "a reply is charged once/,
    );
  });
});

it('a trace that breaks off is folded as far as it goes, and known by it', async () => {
  const { first } = await recorded();
  expect(foldTrace(first.slice(0, -1)).ended).toBe(false);
  expect(foldTrace(first.slice(0, 1))).toMatchObject({
    ended: false,
    edges: 0,
    snapshot: { value: { THOUGHT: 'reasoning' } },
  });
});
