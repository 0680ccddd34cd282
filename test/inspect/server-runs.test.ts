/** Which run an event belongs to: by what tells it, since two runs at once may have one id, and since observers are wrapped. */
import { once } from 'node:events';
import { expect, it } from 'vitest';
import type { Observer, TraceEvent } from '../../src/core/trace.ts';
import { isTraceEvent } from '../../src/core/trace.ts';
import { runViews } from '../../src/observe/fold-run.ts';
import type { Inspector } from '../../src/observe/inspect/inspector.ts';
import { act, answer, returns, setup } from '../shell/setup.ts';
import { decide, eventsIn, listIn, openInspector, stream } from './opened.ts';

interface Way {
  readonly what: string;
  readonly observes?: (inspector: Inspector) => Observer;
  readonly watches?: boolean;
}

const whole: Way = { what: 'observed', observes: ({ onEvent }) => onEvent };
const copied: Way = {
  what: 'observed, with a run of its own each time',
  observes:
    ({ onEvent }) =>
    (event, { runId }) =>
      onEvent(event, { runId }),
};
const alone: Way = {
  what: 'observed, without the run',
  observes:
    ({ onEvent }) =>
    (event) =>
      Reflect.apply(onEvent, null, [event]),
};
const numbered: Way = {
  what: 'observed, with a number in the place of the run',
  observes:
    ({ onEvent }) =>
    (event) =>
      Reflect.apply(onEvent, null, [event, 3]),
};
const watched: Way = { what: 'watched', watches: true };

/** A run that waits for a person, and then ends. */
async function begun(inspector: Inspector, { observes, watches = false }: Way, name: string) {
  const trace: TraceEvent[] = [];
  const seen: Observer = (event) => trace.push(event);
  const onEvent = observes === undefined ? seen : [seen, observes(inspector)];
  const tools = { look: returns('seen', { needsApproval: true }) };
  const world = setup({ replies: [act('look', { name }), answer(name)], tools, agent: { onEvent } });
  const run = world.start({ runId: 'same' });
  if (watches) inspector.watch(run, { decidable: true });
  await world.clock.calm();
  const end = async () => {
    if (run.snapshot().state !== 'FINAL') run.approve('1.1');
    await world.clock.until(run.outcome);
  };
  return { ...world, run, trace, end };
}

/** All that is shown, by key, once it holds. */
async function shown(inspector: Inspector, holds: (runs: ReturnType<typeof listIn>) => boolean) {
  const list = listIn(await (await stream(inspector, '/runs')).until((messages) => holds(listIn(messages))));
  const runs = new Map<string, readonly TraceEvent[]>();
  for (const [key, { phase }] of [...list].sort(([one], [other]) => one.localeCompare(other))) {
    const last = phase === 'waiting' ? 'approval.asked' : 'run.ended';
    const reading = await stream(inspector, `/runs/${key}/events`);
    const messages = await reading.until((all) => eventsIn(all).at(-1)?.type === last);
    runs.set(key, eventsIn(messages).filter(isTraceEvent));
  }
  return { list, runs };
}

const areOver = (count: number) => (runs: ReturnType<typeof listIn>) =>
  runs.size === count && [...runs.values()].every(({ isLive }) => !isLive);

it.each([whole, watched, { ...whole, what: 'observed and watched', watches: true }])(
  'tells two runs at once with one id apart: $what',
  async (way) => {
    const inspector = await openInspector();
    const first = await begun(inspector, way, 'first');
    await first.clock.pass(1);
    // Begun at another time of its own clock.
    const second = await begun(inspector, way, 'second');
    await first.end();
    await second.end();
    const { runs } = await shown(inspector, (list) => list.size >= 2 && areOver(list.size)(list));
    const tracesOf = [first.trace, second.trace];
    for (const events of runs.values()) expect(tracesOf).toContainEqual(events);
    for (const trace of tracesOf) expect([...runs.values()]).toContainEqual(trace);
  },
);

it('decides about the run of two with one id that is looked at, and shows it there', async () => {
  const inspector = await openInspector();
  const first = await begun(inspector, watched, 'first');
  const second = await begun(inspector, watched, 'second');
  const both = await shown(inspector, ({ size }) => size === 2);
  expect([...both.runs.values()]).toEqual([first.trace, second.trace]);
  expect(await decide(inspector, 'r1', { kind: 'deny', callId: '1.1', why: 'no' })).toMatchObject({ status: 204 });
  await first.clock.until(first.run.outcome);
  const { list, runs } = await shown(inspector, (all) => all.get('r1')?.isLive === false);
  expect(runs.get('r1')).toEqual(first.trace);
  expect(runs.get('r2')).toEqual(second.trace);
  expect(list.get('r2')).toMatchObject({ phase: 'waiting', isLive: true, isDecidable: true });
  expect(await decide(inspector, 'r2', { kind: 'approve', callId: '1.1' })).toMatchObject({ status: 204 });
  expect(await second.clock.until(second.run.outcome)).toMatchObject({ ok: true });
});

it.each([whole, copied, alone, numbered])('shows runs one after the other, each whole: $what', async (way) => {
  const inspector = await openInspector();
  const traces: (readonly TraceEvent[])[] = [];
  for (const name of ['first', 'second']) {
    const one = await begun(inspector, way, name);
    await one.end();
    traces.push(one.trace);
  }
  const { runs } = await shown(inspector, areOver(2));
  expect([...runs.values()]).toEqual(traces);
});

it.each([copied, alone])('says what it cannot tell apart, once, and mixes nothing: $what', async (way) => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on('warning', onWarning);
  const inspector = await openInspector();
  const first = await begun(inspector, way, 'first');
  const warned = once(process, 'warning');
  const second = await begun(inspector, way, 'second');
  await first.end();
  await second.end();
  await warned;
  process.off('warning', onWarning);
  const ours = warnings.filter((warning) => 'code' in warning && warning.code === 'FUSELOOP_INSPECTOR');
  expect(ours).toHaveLength(1);
  expect(ours[0]?.message).toMatch(/not shown.*onEvent: \(event, run\) => inspector\.onEvent\(event, run\)/);
  const { runs } = await shownSoFar(inspector);
  for (const [index, trace] of [first.trace, second.trace].entries())
    expect(trace.slice(0, runs[index]?.length)).toEqual(runs[index]);
});

async function shownSoFar(inspector: Inspector) {
  const list = listIn(await (await stream(inspector, '/runs')).until((messages) => listIn(messages).size === 2));
  const runs: (readonly TraceEvent[])[] = [];
  for (const key of [...list.keys()].sort()) {
    const messages = await (await stream(inspector, `/runs/${key}/events`)).until((all) => eventsIn(all).length > 0);
    runs.push(eventsIn(messages).filter(isTraceEvent));
  }
  return { runs };
}

it.each([whole, copied, alone])(
  'shows a run that goes on in its place, and lists it as its page does: $what',
  async (way) => {
    const inspector = await openInspector();
    const { clock, agent, run, trace } = await begun(inspector, way, 'it');
    run.suspend();
    await clock.until(run.outcome);
    const again = agent.resume(run.snapshot());
    await clock.calm();
    again.approve('1.1');
    await clock.until(again.outcome);
    const { runs, list } = await shown(inspector, areOver(1));
    expect([...runs.values()]).toEqual([trace]);
    const [view] = runViews(trace);
    const { steps = [], usage, violations, phase, stopReason, atMs, lastWallMs } = view ?? {};
    const told = { steps: steps.length, tokens: usage?.totalTokens, violations, phase, stopReason, atMs, lastWallMs };
    expect(list.get('r1')).toMatchObject(told);
  },
);

it('lists a long run with faults, retries and an agent as a tool as its page does', async () => {
  const inspector = await openInspector();
  const inner = setup({ replies: [act('look'), answer('in')] });
  const ask = inner.agent.asTool({ description: 'Asks.' });
  const looks = Array.from({ length: 30 }, (_, index) => act('look', { index }));
  const replies = [...looks, 'Action: ', act('none'), act('ask', { task: 'it' }), answer('42')];
  const budget = { maxSteps: 60, maxToolCalls: 60, maxTokens: 1_000_000_000 };
  const { run, events } = setup({
    replies,
    tools: { look: returns('seen'), ask },
    agent: { budget, onEvent: [inspector.onEvent, (event: TraceEvent) => void trace.push(event)] },
  });
  const trace: TraceEvent[] = [];
  await run();
  expect(events).toEqual([]);
  const { list } = await shown(inspector, areOver(1));
  const [view] = runViews(trace);
  expect(view?.steps.length).toBeGreaterThan(30);
  expect(view?.violations).toBeGreaterThan(0);
  const { steps = [], usage, violations, phase, stopReason, atMs, task } = view ?? {};
  const told = { steps: steps.length, tokens: usage?.totalTokens, violations, phase, stopReason, atMs, task };
  expect(list.get('r1')).toMatchObject(told);
});
