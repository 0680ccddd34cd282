/** The run over its running time: who was busy when. The whole run is drawn; what the page does not know yet is veiled. */
import { useMemo, useRef, useState } from 'preact/hooks';
import type { RunView } from '../../../observe/run-view.ts';
import type { Session } from '../../state/session.ts';
import { useStore } from '../../state/store.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { axisOf, type Now } from './axis.ts';
import { LaneNames } from './lane-names.tsx';
import { barAt, stepAt } from './pointed.ts';
import { barsOf, drawnBars } from './timeline-bars.ts';
import { type Plan, TimelineDrawing } from './timeline-drawing.tsx';
import { timelineKey } from './timeline-keys.ts';
import { barText, useStepText } from './timeline-texts.ts';
import { useZoom, type Zoom, zoomWithWheel } from './use-zoom.ts';
import { ZoomButtons } from './zoom-buttons.tsx';

/** Room behind the end, so that the last bar and mark are not at the edge. */
const marginPx = 8;

interface TimelineProps {
  readonly session: Session;
  readonly view: RunView;
  /** The whole run, as far as it has come. */
  readonly whole: RunView;
  readonly now: Now;
  readonly onStep: (step: number) => void;
}

export function Timeline({ session, view, whole, now, onStep }: TimelineProps) {
  const texts = useTexts();
  const stepText = useStepText();
  const chosen = useStore(session.store, ({ step }) => step);
  const [told, setTold] = useState<string | null>(null);
  const current = chosen ?? view.steps.at(-1)?.number ?? 0;
  const chosenStep = whole.steps.find(({ number }) => number === chosen);
  const currentText = stepText(chosenStep ?? whole.steps.find(({ number }) => number === current));
  const scroller = useRef<HTMLDivElement>(null);
  const zoomed = useZoom(scroller);
  const plan = usePlan(whole, now, zoomed);

  return (
    <section class="timeline" aria-labelledby="timeline-title" data-view="timeline" data-zoom={zoomed.zoom}>
      <div class="timeline-head">
        <h3 id="timeline-title">{texts.timeline}</h3>
        <span class="timeline-told" data-part="told">
          {told ?? currentText}
        </span>
        <ZoomButtons zoom={zoomed.zoom} onZoom={zoomed.zoomTo} />
      </div>
      <div class="timeline-body">
        <LaneNames toolRows={plan.toolRows} />
        <div
          ref={scroller}
          class="timeline-scroll"
          role="slider"
          tabIndex={0}
          aria-label={`${texts.timeline}. ${texts.timelineHint}`}
          aria-valuemin={0}
          aria-valuemax={whole.steps.at(-1)?.number ?? 0}
          aria-valuenow={current}
          aria-valuetext={currentText}
          onKeyDown={(event) => timelineKey(event, { steps: whole.steps, current, onStep, zoomed })}
          onWheel={(event) => zoomWithWheel(event, zoomed)}
          onClick={(event) => {
            const step = stepAt(event, whole.steps, plan.axis, plan.pxOfMs);
            if (step !== null) onStep(step);
          }}
          onPointerOver={(event) => {
            const bar = barAt(event, plan.drawn);
            setTold(bar === null ? null : barText(texts, bar));
          }}
          onPointerLeave={() => setTold(null)}
        >
          {zoomed.width > 0 && (
            <TimelineDrawing plan={plan} headMs={view === whole ? null : view.atMs} chosen={chosenStep} />
          )}
        </div>
      </div>
    </section>
  );
}

/** What is drawn of the whole run. It stays the same while the run is played. */
function usePlan(whole: RunView, now: Now, { zoom, left, width }: Zoom): Plan {
  const axis = useMemo(() => axisOf(whole, now), [whole, now]);
  const { bars, toolRows } = useMemo(() => barsOf(whole, axis, now.atMs), [whole, axis, now]);
  return useMemo(() => {
    const pxOfMs = (width * zoom - marginPx) / Math.max(1, axis.lengthMs);
    const [from, to] = [left - width, left + 2 * width];
    const isSeen = (x: number) => x >= from && x <= to;
    const drawn = drawnBars(bars, pxOfMs, from, to);
    return { steps: whole.steps, axis, drawn, toolRows, pxOfMs, isSeen, width: width * zoom };
  }, [whole, axis, bars, toolRows, zoom, left, width]);
}
