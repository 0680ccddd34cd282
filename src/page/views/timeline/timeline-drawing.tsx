/** The drawing of the timeline: what stays while the run is played, and over it what moves. */
import type { StepView } from '../../../observe/run-view.ts';
import type { Axis } from './axis.ts';
import { topsOf } from './lanes.ts';
import type { DrawnBar } from './timeline-bars.ts';
import { Bars, Boundaries, Ticks, Violations } from './timeline-marks.tsx';

/** What is drawn, and where. Lengths in pixels. */
export interface Plan {
  readonly steps: readonly StepView[];
  readonly drawn: readonly DrawnBar[];
  readonly axis: Axis;
  readonly toolRows: number;
  readonly width: number;
  readonly pxOfMs: number;
  /** Whether a place is in sight, or nearly. */
  readonly isSeen: (x: number) => boolean;
}

interface DrawingProps {
  readonly plan: Plan;
  /** Running time at which the page stands; null at the end. */
  readonly headMs: number | null;
  readonly chosen: StepView | undefined;
}

export function TimelineDrawing({ plan, headMs, chosen }: DrawingProps) {
  const { width, toolRows } = plan;
  const { height } = topsOf(toolRows);
  return (
    <svg class="timeline-drawing" width={width} height={height} aria-hidden="true" focusable="false">
      {chosen !== undefined && <ChosenStep plan={plan} step={chosen} />}
      <Boundaries plan={plan} />
      <Bars plan={plan} />
      <Violations plan={plan} />
      <Ticks plan={plan} />
      {headMs !== null && <Head plan={plan} headMs={headMs} />}
    </svg>
  );
}

function ChosenStep({ plan, step }: { readonly plan: Plan; readonly step: StepView }) {
  const { axis, pxOfMs, toolRows } = plan;
  const from = axis.begin(step.startedAtMs) * pxOfMs;
  const to = (step.endedAtMs === null ? axis.lengthMs : axis.end(step.endedAtMs)) * pxOfMs;
  return <rect class="chosen" x={from} y={0} width={Math.max(2, to - from)} height={topsOf(toolRows).axis} rx={3} />;
}

/** Where the page stands, and a veil over what it does not know yet. */
function Head({ plan, headMs }: { readonly plan: Plan; readonly headMs: number }) {
  const { axis, pxOfMs, width, toolRows } = plan;
  const tops = topsOf(toolRows);
  const x = axis.end(headMs) * pxOfMs;
  return (
    <>
      <rect class="veil" x={x} y={0} width={Math.max(0, width - x)} height={tops.axis} />
      <line class="head" x1={x} x2={x} y1={0} y2={tops.height} />
    </>
  );
}
