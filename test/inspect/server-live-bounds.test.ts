/** Live runs that are too large together: none goes, each keeps its beginning and its last step, and what is cut is told. */
import { expect, it } from 'vitest';
import { isTraceEvent, type TraceEvent } from '../../src/core/trace.ts';
import { runViews } from '../../src/observe/fold-run.ts';
import type { Inspector } from '../../src/observe/inspect/inspector.ts';
import { act, answer, returns, setup } from '../shell/setup.ts';
import { decide, eventsIn, isEnd, listIn, openInspector, stream } from './opened.ts';

const steps = 30;

/** A run of some steps, whose last call waits for a person. */
async function live(inspector: Inspector, runId: string, characters: number) {
  const trace: TraceEvent[] = [];
  const looks = Array.from({ length: steps }, (_, index) => act('look', { index }));
  const tools = { look: returns('x'.repeat(characters)), save: returns('saved', { needsApproval: true }) };
  const budget = { maxSteps: 100, maxToolCalls: 100, maxTokens: 1_000_000_000 };
  const onEvent = [(event: TraceEvent) => void trace.push(event), inspector.onEvent];
  const replies = [...looks, act('save', { runId }), answer('42')];
  const world = setup({ replies, tools, agent: { budget, onEvent } });
  const run = world.start({ runId });
  inspector.watch(run, { decidable: true });
  await world.clock.calm();
  return { ...world, run, trace };
}

async function listed(inspector: Inspector, holds: (runs: ReturnType<typeof listIn>) => boolean) {
  return listIn(await (await stream(inspector, '/runs')).until((messages) => holds(listIn(messages))));
}

const areWaiting = (count: number) => (runs: ReturnType<typeof listIn>) =>
  [...runs.values()].filter(({ phase }) => phase === 'waiting').length === count;

/** What a page that is opened now is sent of the run, up to that event. */
async function eventsUpTo(inspector: Inspector, key: string, type: TraceEvent['type'], from = 0) {
  const reading = await stream(inspector, `/runs/${key}/events?from=${from}`);
  const messages = await reading.until((all) => eventsIn(all).some((event) => event.type === type));
  reading.leave();
  return eventsIn(messages).filter(isTraceEvent);
}

const sequencesOf = (events: readonly TraceEvent[]) => events.map(({ sequence, type }) => `${sequence} ${type}`);

const typesOf = (events: readonly TraceEvent[]) => events.map(({ type }): string => type);

it('cuts the middles of live runs, behind all that are over, and says how many events are missing', async () => {
  const inspector = await openInspector({ mostBytes: 1_000_000 });
  const over = setup({ replies: [answer('42')], agent: { onEvent: inspector.onEvent } });
  await over.run();
  const runs = [];
  for (const runId of ['a', 'b', 'c', 'd', 'e']) runs.push(await live(inspector, runId, 3_000));
  const list = await listed(inspector, areWaiting(5));
  expect([...list.values()].map(({ runId }) => runId).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  for (const { run, trace, clock } of runs) {
    const summary = [...list.values()].find(({ runId }) => runId === run.runId);
    const { key = '', lost = 0 } = summary ?? {};
    expect(summary).toMatchObject({ task: 'the task', steps: steps + 1, missing: 0, isLive: true });
    expect(lost).toBeGreaterThan(20);
    const shown = await eventsUpTo(inspector, key, 'approval.asked');
    // No place has changed.
    expect(shown).toHaveLength(trace.length);
    expect(shown[0]).toEqual(trace[0]);
    expect(typesOf(shown).filter((type) => type === 'trace.dropped')).toHaveLength(lost);
    const rest = shown.slice(lost + 1);
    expect(sequencesOf(rest)).toEqual(sequencesOf(trace.slice(lost + 1)));
    const [view, ...others] = runViews(shown);
    expect(others).toEqual([]);
    expect(view).toMatchObject({ missing: lost, phase: 'waiting', task: 'the task' });
    expect(view?.steps.at(-1)?.calls[0]).toMatchObject({
      tool: 'save',
      status: 'waiting',
      input: { runId: run.runId },
    });
    const approved = { kind: 'approve', callId: `${steps + 1}.1` };
    expect(await decide(inspector, key, approved)).toMatchObject({ status: 204 });
    await clock.until(run.outcome);
    expect(await eventsUpTo(inspector, key, 'run.ended')).toHaveLength(trace.length);
  }
});

it('tells one who has read a part only what that one lacks', async () => {
  const inspector = await openInspector({ mostBytes: 100_000 });
  const { trace } = await live(inspector, 'one', 3_000);
  const list = await listed(inspector, areWaiting(1));
  const lost = list.get('r1')?.lost ?? 0;
  expect(lost).toBeGreaterThan(20);
  const from = 12;
  const rest = await eventsUpTo(inspector, 'r1', 'approval.asked', from);
  expect(rest).toHaveLength(trace.length - from);
  const [view] = runViews([...trace.slice(0, from), ...rest]);
  expect(view).toMatchObject({ missing: lost + 1 - from, phase: 'waiting' });
});

it('says of a run that had to go, and is told on, that its beginning is missing', async () => {
  const inspector = await openInspector({ mostBytes: 6_000 });
  const first = await live(inspector, 'first', 10);
  await live(inspector, 'second', 10);
  const before = await listed(inspector, (runs) => [...runs.values()].some(({ runId }) => runId === 'second'));
  expect([...before.values()].map(({ runId }) => runId)).toEqual(['second']);
  const known = first.trace.length;
  first.run.approve(`${steps + 1}.1`);
  await first.clock.until(first.run.outcome);
  const after = await listed(inspector, (runs) => [...runs.values()].some(({ stopReason }) => stopReason === 'final'));
  const summary = [...after.values()].find(({ runId }) => runId === 'first');
  expect(summary).toMatchObject({ task: null, missing: known, isLive: false });
  const messages = await (await stream(inspector, `/runs/${summary?.key}/events`)).until(isEnd);
  const [view] = runViews(eventsIn(messages).filter(isTraceEvent));
  expect(view).toMatchObject({ task: null, resumed: 0, missing: known + (summary?.lost ?? 0), stopReason: 'final' });
});
