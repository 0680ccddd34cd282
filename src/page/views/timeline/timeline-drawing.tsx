import type { StepView } from '../../../observe/run-view.ts';
import { durationText } from '../../texts/duration.ts';
import { type Axis, ticksOf } from './axis.ts';
import type { DrawnBar, Lane } from './timeline-bars.ts';

interface DrawingProps {
  readonly steps: readonly StepView[];
  readonly drawn: readonly DrawnBar[];
  readonly axis: Axis;
  readonly toolRows: number;
  /** In pixels. */
  readonly width: number;
  readonly pxOfMs: number;
  /** Whether a place is in sight, or nearly. */
  readonly isSeen: (x: number) => boolean;
  /** Running time at which the page stands. */
  readonly headMs: number;
  readonly isAtEnd: boolean;
  readonly chosen: number | null;
}

const rowHeight = 16;
const padding = 3;
const betweenLanes = 6;

export const laneHeight = (rows: number): number => rows * rowHeight + betweenLanes;

export function TimelineDrawing(props: DrawingProps) {
  const { steps, drawn, axis, toolRows, width, pxOfMs, isSeen, headMs, isAtEnd, chosen } = props;
  const tops = topsOf(toolRows);
  const headX = axis.end(headMs) * pxOfMs;
  const stepX = (step: StepView) => axis.begin(step.startedAtMs) * pxOfMs;
  const boundaries = thinned(
    steps.map((step) => ({ step, x: stepX(step) })).filter(({ x }) => isSeen(x)),
    3,
  );
  const labels = new Set(thinned(boundaries, 26).map(({ step }) => step.number));
  const chosenStep = steps.find(({ number }) => number === chosen);
  const violations = steps.filter(({ violation }) => violation !== null).map((step) => ({ step, x: stepX(step) }));

  return (
    <svg class="timeline-drawing" width={width} height={tops.height} aria-hidden="true" focusable="false">
      {chosenStep !== undefined && <ChosenStep step={chosenStep} axis={axis} pxOfMs={pxOfMs} height={tops.axis} />}
      {boundaries.map(({ step, x }) => (
        <g key={step.number}>
          <line class="boundary" x1={x} x2={x} y1={0} y2={tops.axis} />
          {labels.has(step.number) && (
            <text class="step-number" x={x + 3} y={9}>
              {step.number}
            </text>
          )}
        </g>
      ))}
      {drawn.map((one, index) => (
        <rect
          key={`${one.bar.lane}${one.bar.row} ${one.bar.from} ${one.bar.step}`}
          class={`bar of-${one.bar.lane} tone-${one.tone}${one.bar.what.kind === 'call' && one.bar.what.call.retries.length > 0 ? ' retried' : ''}`}
          data-bar={index}
          data-lane={one.bar.lane}
          data-step={one.bar.step}
          x={one.x}
          y={tops[one.bar.lane] + one.bar.row * rowHeight + padding}
          width={one.width}
          height={rowHeight - padding}
          rx={Math.min(3, one.width / 2)}
        />
      ))}
      {drawn.flatMap((one) => retryMarks(one, axis, pxOfMs, tops.tools))}
      {thinned(violations, 4).map(({ step, x }) => (
        <path
          key={step.number}
          class="violation-mark"
          data-violation={step.violation?.code}
          data-step={step.number}
          d={`M ${x + 1} ${tops.axis - 1} l 4 -7 l 4 7 z`}
        />
      ))}
      <Ticks axis={axis} pxOfMs={pxOfMs} width={width} top={tops.axis} isSeen={isSeen} />
      {!isAtEnd && (
        <>
          <rect class="veil" x={headX} y={0} width={Math.max(0, width - headX)} height={tops.axis} />
          <line class="head" x1={headX} x2={headX} y1={0} y2={tops.height} />
        </>
      )}
    </svg>
  );
}

function ChosenStep({
  step,
  axis,
  pxOfMs,
  height,
}: {
  readonly step: StepView;
  readonly axis: Axis;
  readonly pxOfMs: number;
  readonly height: number;
}) {
  const from = axis.begin(step.startedAtMs) * pxOfMs;
  const to = axis.end(step.endedAtMs ?? Number.MAX_SAFE_INTEGER) * pxOfMs;
  return (
    <rect
      class="chosen"
      x={from}
      y={0}
      width={Math.max(2, Math.min(to, axis.lengthMs * pxOfMs) - from)}
      height={height}
      rx={3}
    />
  );
}

interface TicksProps {
  readonly axis: Axis;
  readonly pxOfMs: number;
  readonly width: number;
  readonly top: number;
  readonly isSeen: (x: number) => boolean;
}

function Ticks({ axis, pxOfMs, width, top, isSeen }: TicksProps) {
  const running = axis.lengthMs - axis.waits.reduce((sum, { shownMs }) => sum + shownMs, 0);
  const ticks = ticksOf(running, width).map((ms) => ({ ms, x: axis.begin(ms) * pxOfMs }));
  return (
    <g class="ticks">
      <line class="base" x1={0} x2={width} y1={top + 0.5} y2={top + 0.5} />
      {ticks
        .filter(({ x }) => isSeen(x))
        .map(({ ms, x }) => (
          <g key={ms}>
            <line x1={x + 0.5} x2={x + 0.5} y1={top} y2={top + 4} />
            {x < width - 44 && (
              <text x={x + 3} y={top + 13}>
                {durationText(ms)}
              </text>
            )}
          </g>
        ))}
    </g>
  );
}

function retryMarks({ bar }: DrawnBar, axis: Axis, pxOfMs: number, top: number) {
  if (bar.what.kind !== 'call') return [];
  const y = top + bar.row * rowHeight + padding;
  return bar.what.call.retries.map(({ attempt, atMs }) => {
    const x = axis.end(atMs) * pxOfMs;
    return (
      <line key={`${bar.step} ${x} ${attempt}`} class="retry-mark" x1={x} x2={x} y1={y} y2={y + rowHeight - padding} />
    );
  });
}

function topsOf(toolRows: number): { readonly [lane in Lane | 'axis' | 'height']: number } {
  const model = 12;
  const tools = model + laneHeight(1);
  const person = tools + laneHeight(toolRows);
  const axis = person + laneHeight(1);
  return { model, tools, person, axis, height: axis + 18 };
}

/** Those that stand at least so far apart. */
function thinned<Item extends { readonly x: number }>(items: readonly Item[], leastPx: number): Item[] {
  let last = Number.NEGATIVE_INFINITY;
  return items.filter(({ x }) => {
    if (x - last < leastPx) return false;
    last = x;
    return true;
  });
}
