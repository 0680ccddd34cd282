/** The bars of the timeline: what the model, the tools and a person took. Pure; places are on the axis, in milliseconds. */
import type { CallView, RunView, StepView, TryView } from '../../../observe/run-view.ts';
import { callTone, type Tone } from '../common/tones.ts';
import type { Axis } from './axis.ts';

export type Lane = 'model' | 'tools' | 'person';

export interface Bar {
  readonly lane: Lane;
  /** From 0: calls side by side stand below each other. */
  readonly row: number;
  readonly step: number;
  readonly from: number;
  readonly to: number;
  readonly tone: Tone;
  readonly what:
    | { readonly kind: 'try'; readonly one: TryView }
    | { readonly kind: 'call'; readonly call: CallView }
    | { readonly kind: 'wait'; readonly waitedMs: number };
}

export interface Bars {
  readonly bars: readonly Bar[];
  readonly toolRows: number;
}

/** More calls at once share the last row. */
const mostRows = 5;

export function barsOf(view: RunView, axis: Axis, nowMs: number): Bars {
  const tools = view.steps.flatMap((step) => callBars(step, axis, nowMs));
  const bars = [...view.steps.flatMap((step) => tryBars(step, axis, nowMs)), ...tools, ...waitBars(axis)];
  return { bars, toolRows: 1 + Math.max(0, ...tools.map(({ row }) => row)) };
}

function tryBars(step: StepView, axis: Axis, nowMs: number): Bar[] {
  return step.tries.map((one): Bar => {
    const tone = one.finish === 'failed' ? 'bad' : one.endedAtMs === null && step.endedAtMs === null ? 'busy' : 'calm';
    const to = one.endedAtMs ?? step.endedAtMs ?? nowMs;
    const place = { from: axis.begin(one.sentAtMs), to: axis.end(Math.max(to, one.sentAtMs)) };
    return { lane: 'model', row: 0, step: step.number, tone, what: { kind: 'try', one }, ...ordered(place) };
  });
}

function callBars(step: StepView, axis: Axis, nowMs: number): Bar[] {
  const rows: number[] = [];
  return step.calls.flatMap((call): Bar[] => {
    if (call.startedAtMs === null) return [];
    const from = axis.begin(call.startedAtMs);
    const to = axis.end(Math.max(call.endedAtMs ?? step.endedAtMs ?? nowMs, call.startedAtMs));
    const free = rows.findIndex((until) => until <= from);
    const row = Math.min(free === -1 ? rows.length : free, mostRows - 1);
    rows[row] = Math.max(from, to);
    return [
      {
        lane: 'tools',
        row,
        step: step.number,
        tone: callTone(call.status),
        what: { kind: 'call', call },
        ...ordered({ from, to }),
      },
    ];
  });
}

function waitBars(axis: Axis): Bar[] {
  return axis.waits.map(({ step, atMs, shownMs, waitedMs, isOpen }): Bar => {
    const from = axis.end(atMs);
    const tone = isOpen ? 'wait' : 'calm';
    return { lane: 'person', row: 0, step, from, to: from + shownMs, tone, what: { kind: 'wait', waitedMs } };
  });
}

const ordered = ({ from, to }: { readonly from: number; readonly to: number }) => ({ from, to: Math.max(from, to) });

/** A bar as it is drawn, in pixels. Those too narrow to be told apart are one. */
export interface DrawnBar {
  readonly bar: Bar;
  readonly x: number;
  readonly width: number;
  /** The last step of those that it stands for, where it stands for several. */
  readonly lastStep: number | null;
  /** How many bars it stands for, and how many of them failed. Its tone is that of failure only where all did. */
  readonly count: number;
  readonly bad: number;
  readonly tone: Tone;
}

const narrowPx = 3;
/** Bars that are one are no wider: where in the run the failures were stays to be seen. */
const mostJoinedPx = 6;

/** Those that can be seen between two places in pixels. */
export function drawnBars(bars: readonly Bar[], pxOfMs: number, fromPx: number, toPx: number): readonly DrawnBar[] {
  const drawn: DrawnBar[] = [];
  const lastOfRow = new Map<string, number>();
  for (const bar of bars) {
    const x = bar.from * pxOfMs;
    const width = Math.max(1.5, (bar.to - bar.from) * pxOfMs);
    if (x + width < fromPx || x > toPx) continue;
    const row = `${bar.lane} ${bar.row}`;
    const index = lastOfRow.get(row);
    const before = index === undefined ? undefined : drawn[index];
    const isNear = before !== undefined && x - (before.x + before.width) < 1 && x + width - before.x <= mostJoinedPx;
    const isJoined = isNear && width < narrowPx;
    if (!isJoined || index === undefined) {
      lastOfRow.set(row, drawn.length);
      drawn.push({ bar, x, width, lastStep: null, count: 1, bad: bar.tone === 'bad' ? 1 : 0, tone: bar.tone });
      continue;
    }
    drawn[index] = joined(before, bar, x + width);
  }
  return drawn;
}

function joined(before: DrawnBar, bar: Bar, endPx: number): DrawnBar {
  return {
    ...before,
    width: Math.max(before.width, endPx - before.x),
    lastStep: bar.step > before.bar.step ? bar.step : before.lastStep,
    count: before.count + 1,
    bad: before.bad + (bar.tone === 'bad' ? 1 : 0),
    tone: before.tone === 'bad' || bar.tone !== 'bad' ? bar.tone : before.tone,
  };
}
