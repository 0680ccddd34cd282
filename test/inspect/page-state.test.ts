/** The parts of the inspector's page that need no browser: the recording, the axis and bars of the timeline, the comparison. */
import { createAgent, type TraceEvent } from 'fuseloop';
import { scriptedModel, virtualClock } from 'fuseloop/testing';
import { calculator } from 'fuseloop/tools';
import { expect, test } from 'vitest';
import type { LiveEvent } from '../../src/core/trace.ts';
import { viewAfter } from '../../src/observe/fold-run.ts';
import type { RunView } from '../../src/observe/run-view.ts';
import { createRecording } from '../../src/page/state/recording.ts';
import { isDifferent, stepPairs } from '../../src/page/views/compare/compare-steps.ts';
import { axisOf } from '../../src/page/views/timeline/axis.ts';
import { barsOf, drawnBars } from '../../src/page/views/timeline/timeline-bars.ts';

const call = (expression: string) => `Thought: Next.\nAction: calculator\nAction Input: {"expression":"${expression}"}`;

async function traceOf(replies: readonly string[]): Promise<readonly TraceEvent[]> {
  const events: TraceEvent[] = [];
  const clock = virtualClock();
  const model = scriptedModel(
    replies.map((text) => ({ text, delayMs: 100 })),
    { clock },
  );
  const budget = { maxSteps: replies.length };
  const onEvent = (event: TraceEvent) => events.push(event);
  const done = createAgent({ model, tools: { calculator }, budget, clock, onEvent }).run('Add them.');
  await clock.until(done);
  return events;
}

const long = await traceOf([
  ...Array.from({ length: 60 }, (_, at) => call(`${at}+1`)),
  'Thought: Done.\nFinal Answer: 60',
]);

/** Straight through, as the reference. */
function views(events: readonly TraceEvent[]): readonly (RunView | null)[] {
  const all: (RunView | null)[] = [null];
  for (const event of events) all.push(viewAfter(all.at(-1) ?? null, event));
  return all;
}

function viewOf(events: readonly TraceEvent[]): RunView {
  const view = views(events).at(-1);
  if (view === null || view === undefined) throw new Error('no event');
  return view;
}

test('a recording gives the run as of any event, in whatever order it is asked', () => {
  const recording = createRecording();
  recording.take(long);
  const expected = views(long);
  expect(long.length).toBeGreaterThan(200);
  const positions = Array.from({ length: 80 }, (_, at) => (at * 37) % (long.length + 1));
  for (const position of [...positions, 64, 63, 65, 0, long.length, 128])
    expect(recording.viewAt(position), `position ${position}`).toEqual(expected[position]);
  expect(recording.viewAt(long.length + 10)).toBe(recording.viewAt(long.length));
});

test('a recording that grows, and is told what it knows, holds each event once', () => {
  const recording = createRecording();
  recording.take(long.slice(0, 50), 0);
  recording.viewAt(50);
  recording.take(long.slice(30, 90), 30);
  recording.take(long, 0);
  expect(recording.length).toBe(long.length);
  expect(recording.viewAt(long.length)).toEqual(viewOf(long));
  expect(recording.stepStarts.map(({ step }) => step)).toEqual(Array.from({ length: 61 }, (_, at) => at + 1));
  expect(recording.eventsOfStep(3, long.length).map(({ type }) => type)).toContain('call.settled');
  expect(recording.eventsOfStep(3, 4)).toEqual([]);
});

const piece = (text: string, step = 1): LiveEvent => ({ type: 'reply.delta', step, text });

test.each<readonly [string, readonly LiveEvent[], string | null]>([
  ['pieces are joined', [piece('Tho'), piece('ught')], 'Thought'],
  ['another try begins anew', [piece('Tho'), { type: 'reply.restarted', step: 1, attempt: 2 }, piece('Once')], 'Once'],
  ['another step begins anew', [piece('Tho'), piece('Next', 2)], 'Next'],
  ['a reply that ended is not arriving', [piece('Tho'), ...long.slice(0, 4)], null],
  ['of a long one the end is kept', [piece('a'.repeat(30_000)), piece('b')], `${'a'.repeat(19_999)}b`],
])('the arriving reply: %s', (_, events, text) => {
  const recording = createRecording();
  recording.take(events);
  expect(recording.reply?.text ?? null).toBe(text);
});

test('two runs are compared step by step', async () => {
  const one = viewOf(await traceOf([call('1+1'), call('2+2'), 'Thought: Done.\nFinal Answer: 4']));
  const same = viewOf(await traceOf([call('1+1'), call('2+2'), 'Thought: Done.\nFinal Answer: 4']));
  const other = viewOf(await traceOf([call('1+1'), call('2+3'), 'neither', 'Thought: Done.\nFinal Answer: 5']));
  expect(stepPairs(one, same).filter(isDifferent)).toEqual([]);
  const pairs = stepPairs(one, other);
  expect(pairs.map(isDifferent)).toEqual([false, true, true, true]);
  expect(pairs[1]?.differences).toEqual(['inputs', 'observations']);
  expect(pairs[2]?.differences).toEqual(expect.arrayContaining(['thought', 'answer', 'violation', 'tokens']));
  expect(pairs[3]).toMatchObject({ left: null, differences: [] });
});

test('bars that are too narrow are joined, and none is lost', () => {
  const view = viewOf(long);
  const now = { atMs: view.atMs, wallMs: view.lastWallMs };
  const axis = axisOf(view, now);
  const { bars } = barsOf(view, axis, now.atMs);
  const ofModel = bars.filter(({ lane }) => lane === 'model');
  expect(ofModel.map(({ step }) => step)).toEqual(view.steps.map(({ number }) => number));
  expect(axis.lengthMs).toBe(view.atMs);
  const narrow = drawnBars(ofModel, 40 / axis.lengthMs, 0, 40);
  expect([narrow[0]?.bar.step, narrow.at(-1)?.lastStep]).toEqual([1, 61]);
  expect(narrow.reduce((sum, { count }) => sum + count, 0)).toBe(61);
  expect(Math.max(...narrow.map(({ width }) => width))).toBeLessThanOrEqual(6);
  expect(drawnBars(ofModel, 1, 0, axis.lengthMs)).toHaveLength(61);
  expect(drawnBars(ofModel, 1, 1_000, 1_050).map(({ bar }) => bar.step)).toEqual([10, 11]);
});

test.each([
  ['none', 0, 'calm'],
  ['one', 1, 'calm'],
  ['all but one', 3, 'calm'],
  ['all', 4, 'bad'],
] as const)('bars that are one are red only as far as they failed: %s', (_name, failed, tone) => {
  const view = viewOf(long);
  const now = { atMs: view.atMs, wallMs: view.lastWallMs };
  const [one] = barsOf(view, axisOf(view, now), now.atMs).bars;
  if (one === undefined) throw new Error('the run has no bar');
  const four = [0, 1, 2, 3].map((step) => ({ ...one, step, from: step, to: step + 1 }));
  for (const order of [four, four.toReversed()]) {
    const tones = new Map(order.slice(0, failed).map(({ step }) => [step, 'bad' as const]));
    const bars = four.map((bar) => ({ ...bar, tone: tones.get(bar.step) ?? ('calm' as const) }));
    expect(drawnBars(bars, 1, 0, 100)).toMatchObject([{ count: 4, bad: failed, tone }]);
  }
});

test('a wait for a person is put in where it was, and shortened where it was long', () => {
  const [first] = viewOf(long).steps;
  const [call] = first?.calls ?? [];
  if (first === undefined || call === undefined) throw new Error('no call');
  const approval = { askedWallMs: 1_000, untilMs: 9e6, decidedWallMs: 601_000, decision: 'granted' } as const;
  const asked = { ...call, approval: { ...approval, by: null, why: '', cause: null, edited: false } };
  const view = { ...viewOf(long), steps: [{ ...first, calls: [asked] }] };
  const axis = axisOf(view, { atMs: 1_000, wallMs: 601_000 });
  expect(axis.waits).toMatchObject([
    { step: 1, atMs: call.startedAtMs, waitedMs: 600_000, shownMs: 150, isOpen: false },
  ]);
  expect(axis.lengthMs).toBe(1_150);
  const at = call.startedAtMs ?? 0;
  expect([axis.end(at), axis.begin(at), axis.begin(at - 1)]).toEqual([at, at + 150, at - 1]);
});
