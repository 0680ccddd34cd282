/** What a pointer is at in the timeline. */
import type { StepView } from '../../../observe/run-view.ts';
import type { Axis } from './axis.ts';
import type { DrawnBar } from './timeline-bars.ts';

export function barAt({ target }: Event, drawn: readonly DrawnBar[]): DrawnBar | null {
  const index = target instanceof SVGElement ? target.dataset.bar : undefined;
  return index === undefined ? null : (drawn[Number(index)] ?? null);
}

/** The step of what was clicked, or the one that was in progress there. */
export function stepAt(event: MouseEvent, steps: readonly StepView[], axis: Axis, pxOfMs: number): number | null {
  const { target } = event;
  if (!(target instanceof SVGElement)) return null;
  if (target.dataset.step !== undefined) return Number(target.dataset.step);
  const drawing = target.closest('.timeline-drawing') ?? target;
  const ms = (event.clientX - drawing.getBoundingClientRect().left) / pxOfMs;
  const step = steps.findLast(({ startedAtMs }) => axis.begin(startedAtMs) <= ms) ?? steps[0];
  return step?.number ?? null;
}
