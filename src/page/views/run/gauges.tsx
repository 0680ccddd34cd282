/** What was used of each budget, and how far the two fuses are. */
import type { RunView } from '../../../observe/run-view.ts';
import { useFormat, useTexts } from '../../texts/use-texts.ts';
import { memoised } from '../common/memoised.ts';
import { hasNoBeginning } from './run-gaps.tsx';

const noLimits = {
  ...{ maxSteps: null, maxTokens: null, wallClockMs: null, maxToolCalls: null },
  ...{ maxViolations: null, maxToolErrors: null },
};

interface GaugeRow {
  readonly id: string;
  readonly label: string;
  readonly used: number;
  /** Null where it is not known. */
  readonly most: number | null;
  readonly text: (value: number) => string;
  readonly note?: string | null;
}

export const Gauges = memoised(({ view }: { readonly view: RunView }) => {
  const texts = useTexts();
  const format = useFormat();
  const { usage } = view;
  // Of a run without its beginning, no limit is known.
  const isKnown = !hasNoBeginning(view);
  const limits = isKnown ? view.limits : noLimits;
  const lack = view.missing > 0 ? texts.gaugeLacks : null;
  const budget: readonly GaugeRow[] = [
    { id: 'steps', label: texts.gaugeSteps, used: usage.steps, most: limits.maxSteps, text: format.count, note: lack },
    {
      id: 'tokens',
      label: texts.gaugeTokens,
      used: usage.totalTokens,
      most: limits.maxTokens,
      text: format.short,
      note: lack ?? (usage.estimated ? texts.estimated : null),
    },
    { id: 'time', label: texts.gaugeTime, used: view.atMs, most: limits.wallClockMs, text: format.time },
    {
      id: 'calls',
      label: texts.gaugeCalls,
      used: usage.toolCalls,
      most: limits.maxToolCalls,
      text: format.count,
      note: lack,
    },
  ];
  return (
    <section class="gauges" aria-label={texts.gauges} data-view="gauges">
      {budget.map((row) => (
        <Gauge key={row.id} {...row} />
      ))}
      <Fuse
        id="violations"
        label={texts.fuseViolations}
        used={view.violationsInRow}
        most={limits.maxViolations}
        note={lack}
      />
      <Fuse
        id="toolErrors"
        label={texts.fuseToolErrors}
        used={view.toolErrorsInRow}
        most={limits.maxToolErrors}
        note={lack}
      />
    </section>
  );
});

function Gauge({ id, label, used, most, text, note = null }: GaugeRow) {
  const texts = useTexts();
  const share = most === null ? 0 : most > 0 ? Math.min(1, used / most) : 1;
  const level = share >= 1 ? 'full' : share >= 0.8 ? 'high' : 'calm';
  const told = most === null ? text(used) : texts.of(text(used), text(most));
  return (
    <div class="gauge" data-gauge={id} data-level={level}>
      <span class="gauge-label">{label}</span>
      <span class="gauge-value">
        {told}
        {note !== null && <abbr title={note}> ~</abbr>}
        {most === null && <abbr title={texts.unknownLimit}> / ?</abbr>}
      </span>
      {most !== null && (
        <>
          <meter class="hidden" aria-label={label} max={Math.max(1, most)} value={Math.min(used, most)}>
            {told}
          </meter>
          <div class="gauge-bar" aria-hidden="true">
            <div class="gauge-fill" style={{ width: `${share * 100}%` }} />
          </div>
        </>
      )}
    </div>
  );
}

/** More segments than this are a bar. */
const mostSegments = 12;

/** A fuse is few: its parts can be counted by eye. */
function Fuse({
  id,
  label,
  used,
  most,
  note,
}: {
  readonly id: string;
  readonly label: string;
  readonly used: number;
  readonly most: number | null;
  readonly note: string | null;
}) {
  const texts = useTexts();
  const format = useFormat();
  if (most === null || most > mostSegments)
    return <Gauge id={id} label={label} used={used} most={most} text={format.count} note={note} />;
  const told = texts.of(format.count(used), format.count(most));
  return (
    <div class="gauge fuse" data-gauge={id} data-level={used >= most ? 'full' : used > 0 ? 'high' : 'calm'}>
      <span class="gauge-label">{label}</span>
      <span class="gauge-value">
        {told}
        {note !== null && <abbr title={note}> ~</abbr>}
      </span>
      <meter class="hidden" aria-label={label} max={Math.max(1, most)} value={Math.min(used, most)}>
        {told}
      </meter>
      <div class="fuse-segments" aria-hidden="true">
        {Array.from({ length: most }, (_, index) => (
          <span key={index} class={index < used ? 'segment blown' : 'segment'} />
        ))}
      </div>
    </div>
  );
}
