/**
 * Running time as a length. It stands still while a person decides, so each wait is put in where it happened: as long as it was,
 * or shortened where it would leave no room for the rest. Pure.
 */
import type { CallView, RunView, StepView } from '../../../observe/run-view.ts';

export interface Now {
  /** Running time. It stands still while a person decides. */
  readonly atMs: number;
  /** Milliseconds since 1970. */
  readonly wallMs: number;
}

export interface Wait {
  readonly step: number;
  /** The running time at which it stands. */
  readonly atMs: number;
  readonly waitedMs: number;
  /** What it takes on the axis. */
  readonly shownMs: number;
  readonly isOpen: boolean;
}

export interface Axis {
  readonly waits: readonly Wait[];
  readonly lengthMs: number;
  /** Where a thing begins, and where one ends: they differ at a wait, which is between them. */
  begin(atMs: number): number;
  end(atMs: number): number;
}

/** The most that one wait takes, as a share of the running time. */
const mostShare = 0.15;
const leastMs = 20;

export function axisOf(view: RunView, now: Now): Axis {
  const nowMs = now.atMs;
  const cap = Math.max(leastMs, nowMs * mostShare);
  const waits = view.steps.flatMap((step) => waitOf(step, now.wallMs, cap));
  const before = (atMs: number, isBegin: boolean) => {
    let sum = atMs;
    for (const wait of waits) {
      if (wait.atMs > atMs || (wait.atMs === atMs && !isBegin)) break;
      sum += wait.shownMs;
    }
    return sum;
  };
  const lengthMs = nowMs + waits.reduce((sum, { shownMs }) => sum + shownMs, 0);
  return { waits, lengthMs, begin: (atMs) => before(atMs, true), end: (atMs) => before(atMs, false) };
}

function waitOf(step: StepView, wallMs: number, cap: number): Wait[] {
  const asked = step.calls.filter(({ approval }) => approval !== null);
  if (asked.length === 0) return [];
  const from = Math.min(...asked.map(({ approval }) => approval?.askedWallMs ?? Number.POSITIVE_INFINITY));
  const to = Math.max(...asked.map(({ approval }) => approval?.decidedWallMs ?? wallMs));
  const waitedMs = Math.max(0, to - from);
  return [
    {
      step: step.number,
      atMs: placeOf(step, asked),
      waitedMs,
      shownMs: Math.max(leastMs, Math.min(waitedMs, cap)),
      isOpen: asked.some(({ approval }) => approval?.decision === null) && step.endedAtMs === null,
    },
  ];
}

/** A person is asked when all that need nobody have ended; what was granted begins behind it. */
function placeOf(step: StepView, asked: readonly CallView[]): number {
  const begun = asked.flatMap(({ startedAtMs }) => startedAtMs ?? []);
  if (begun.length > 0) return Math.min(...begun);
  const ended = step.calls.flatMap((call) => (call.approval === null ? (call.endedAtMs ?? []) : []));
  return Math.max(step.repliedAtMs ?? step.startedAtMs, ...ended);
}

/** Round marks for an axis: so far apart that their texts fit. */
export function ticksOf(lengthMs: number, widthPx: number): readonly number[] {
  const least = (lengthMs / Math.max(1, widthPx)) * 90;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= least) ?? power * 10;
  const count = Math.min(500, Math.floor(lengthMs / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}
