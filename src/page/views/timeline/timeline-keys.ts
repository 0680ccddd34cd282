import type { StepView } from '../../../observe/run-view.ts';
import type { Zoom } from './use-zoom.ts';

interface Keyed {
  readonly steps: readonly StepView[];
  /** The number of the step that is chosen. */
  readonly current: number;
  readonly onStep: (step: number) => void;
  readonly zoomed: Zoom;
}

/** Arrows choose a step; plus and minus zoom, 0 fits. With Shift they are the page's. */
export function timelineKey(event: KeyboardEvent, { steps, current, onStep, zoomed }: Keyed): void {
  const { zoom, zoomTo } = zoomed;
  const first = steps[0]?.number ?? 0;
  const last = steps.at(-1)?.number ?? 0;
  const acts = new Map<string, () => void>([
    ['ArrowLeft', () => onStep(Math.max(first, current - 1))],
    ['ArrowRight', () => onStep(Math.min(last, current + 1))],
    ['+', () => zoomTo(zoom * 2)],
    ['=', () => zoomTo(zoom * 2)],
    ['-', () => zoomTo(zoom / 2)],
    ['0', () => zoomTo(1)],
  ]);
  const act = event.shiftKey && event.key.startsWith('Arrow') ? undefined : acts.get(event.key);
  if (act === undefined || steps.length === 0) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}
