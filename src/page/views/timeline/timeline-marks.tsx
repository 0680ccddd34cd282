/** What of the timeline stays as it is while the run is played. */
import { useFormat } from '../../texts/use-texts.ts';
import { memoised } from '../common/memoised.ts';
import { ticksOf } from './axis.ts';
import { padding, rowHeight, topsOf } from './lanes.ts';
import type { Bar, DrawnBar } from './timeline-bars.ts';
import type { Plan } from './timeline-drawing.tsx';

interface MarksProps {
  readonly plan: Plan;
}

/** Where steps begin; with their numbers where there is room. */
export const Boundaries = memoised(({ plan }: MarksProps) => {
  const { steps, axis, pxOfMs, isSeen, toolRows } = plan;
  const all = steps.map(({ number, startedAtMs }) => ({ number, x: axis.begin(startedAtMs) * pxOfMs }));
  const lines = thinned(
    all.filter(({ x }) => isSeen(x)),
    3,
  );
  const labels = new Set(thinned(lines, 28).map(({ number }) => number));
  const bottom = topsOf(toolRows).axis;
  return (
    <>
      {lines.map(({ number, x }) => (
        <g key={number}>
          <line class="boundary" x1={x} x2={x} y1={0} y2={bottom} />
          {labels.has(number) && (
            <text class="step-number" x={x + 3} y={9}>
              {number}
            </text>
          )}
        </g>
      ))}
    </>
  );
});

/** Of a bar that stands for several, as much is red from below as failed. */
export const Bars = memoised(({ plan }: MarksProps) => {
  const tops = topsOf(plan.toolRows);
  const topOf = ({ lane, row }: Bar) => tops[lane] + row * rowHeight + padding;
  return (
    <>
      {plan.drawn.map(({ bar, tone, x, width }, index) => (
        <rect
          key={`${bar.lane}${bar.row} ${bar.from} ${bar.step}`}
          class={`bar of-${bar.lane} tone-${tone}`}
          data-bar={index}
          data-lane={bar.lane}
          data-step={bar.step}
          x={x}
          y={topOf(bar)}
          width={width}
          height={rowHeight - padding}
          rx={Math.min(3, width / 2)}
        />
      ))}
      {plan.drawn.map((one) => {
        if (one.tone === 'bad' || one.bad === 0) return null;
        const height = Math.max(3, ((rowHeight - padding) * one.bad) / one.count);
        const y = topOf(one.bar) + rowHeight - padding - height;
        const key = `bad ${one.bar.lane}${one.bar.row} ${one.bar.from} ${one.bar.step}`;
        return <rect key={key} class="bar-bad" x={one.x} y={y} width={one.width} height={height} />;
      })}
      {plan.drawn.flatMap((one) => retryMarks(one, plan, topOf(one.bar)))}
    </>
  );
});

/** A gap in the bar of a call where one of its tries failed. */
function retryMarks({ bar }: DrawnBar, { axis, pxOfMs }: Plan, top: number) {
  if (bar.what.kind !== 'call') return [];
  return bar.what.call.retries.map(({ attempt, atMs }) => {
    const x = axis.end(atMs) * pxOfMs;
    const key = `${bar.what.kind} ${bar.step} ${x} ${attempt}`;
    return <line key={key} class="retry-mark" x1={x} x2={x} y1={top} y2={top + rowHeight - padding} />;
  });
}

export const Violations = memoised(({ plan }: MarksProps) => {
  const { steps, axis, pxOfMs, toolRows } = plan;
  const bottom = topsOf(toolRows).axis;
  const marks = steps.flatMap(({ number, violation, startedAtMs }) =>
    violation === null ? [] : [{ number, code: violation.code, x: axis.begin(startedAtMs) * pxOfMs }],
  );
  return (
    <>
      {thinned(marks, 4).map(({ number, code, x }) => (
        <path
          key={number}
          class="violation-mark"
          data-violation={code}
          data-step={number}
          d={`M ${x + 1} ${bottom - 1} l 4 -7 l 4 7 z`}
        />
      ))}
    </>
  );
});

/** Room that the text of a mark takes. */
const tickTextPx = 44;

export const Ticks = memoised(({ plan }: MarksProps) => {
  const format = useFormat();
  const { axis, pxOfMs, width, isSeen, toolRows } = plan;
  const top = topsOf(toolRows).axis;
  const runningMs = axis.lengthMs - axis.waits.reduce((sum, { shownMs }) => sum + shownMs, 0);
  const ticks = ticksOf(runningMs, width).map((ms) => ({ ms, x: axis.begin(ms) * pxOfMs }));
  return (
    <g class="ticks">
      <line class="base" x1={0} x2={width} y1={top + 0.5} y2={top + 0.5} />
      {ticks
        .filter(({ x }) => isSeen(x))
        .map(({ ms, x }) => (
          <g key={ms}>
            <line x1={x + 0.5} x2={x + 0.5} y1={top} y2={top + 4} />
            {x < width - tickTextPx && (
              <text x={x + 3} y={top + 13}>
                {format.time(ms)}
              </text>
            )}
          </g>
        ))}
    </g>
  );
});

/** Those that stand at least so far apart. */
function thinned<Item extends { readonly x: number }>(items: readonly Item[], leastPx: number): Item[] {
  let last = Number.NEGATIVE_INFINITY;
  return items.filter(({ x }) => {
    if (x - last < leastPx) return false;
    last = x;
    return true;
  });
}
