/** The run over its running time: who was busy when. The whole run is drawn; what the page does not know yet is veiled. */
import { useMemo, useRef, useState } from 'preact/hooks';
import type { RunView } from '../../../observe/run-view.ts';
import type { Session } from '../../state/session.ts';
import { useStore } from '../../state/store.ts';
import { useTexts } from '../../texts/use-texts.ts';
import type { Now } from '../run/use-now.ts';
import { axisOf } from './axis.ts';
import { LaneNames } from './lane-names.tsx';
import { barAt, stepAt } from './pointed.ts';
import { barsOf, drawnBars } from './timeline-bars.ts';
import { TimelineDrawing } from './timeline-drawing.tsx';
import { timelineKey } from './timeline-keys.ts';
import { barText, useStepText } from './timeline-texts.ts';
import { useZoom, zoomWithWheel } from './use-zoom.ts';
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
  const currentText = stepText(whole.steps.find(({ number }) => number === current));
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
            <TimelineDrawing
              {...plan}
              steps={whole.steps}
              headMs={view.atMs}
              isAtEnd={view === whole}
              chosen={chosen}
            />
          )}
        </div>
      </div>
    </section>
  );
}

/** What is drawn, and where. */
function usePlan(whole: RunView, now: Now, { zoom, left, width }: ReturnType<typeof useZoom>) {
  const axis = useMemo(() => axisOf(whole, now), [whole, now]);
  const { bars, toolRows } = useMemo(() => barsOf(whole, axis, now.atMs), [whole, axis, now]);
  const pxOfMs = (width * zoom - marginPx) / Math.max(1, axis.lengthMs);
  const drawn = useMemo(() => drawnBars(bars, pxOfMs, left - width, left + 2 * width), [bars, pxOfMs, left, width]);
  const isSeen = (x: number) => x >= left - width && x <= left + 2 * width;
  return { axis, drawn, toolRows, pxOfMs, isSeen, width: width * zoom };
}
