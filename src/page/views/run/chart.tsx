/**
 * The machine: its states and ways, the lit state, how often each way was gone, and the way that was gone last. `data-lit` of the
 * figure is the state that is lit; so is it in the chart's own box of it.
 */
import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Chart, Label, StateBox, Way } from '../../../observe/chart/chart.ts';
import { charts } from '../../../observe/chart/layout.ts';
import { movesOf } from '../../../observe/chart/path.ts';
import type { RunView } from '../../../observe/run-view.ts';
import type { Session } from '../../state/session.ts';
import { useStore } from '../../state/store.ts';
import { useTexts, wordIn } from '../../texts/use-texts.ts';
import { memoised } from '../common/memoised.ts';

/** Narrower, the letters of the wide chart could not be read. */
const tallBelowPx = 720;
/** Between what is lit and the edge of the column. */
const marginPx = 12;

interface MachineChartProps {
  readonly session: Session;
  readonly view: RunView;
}

export const MachineChart = memoised(({ session, view }: MachineChartProps) => {
  const texts = useTexts();
  const lit = useStore(session.lighting.store, (state) => state.lit);
  const [figure, isTall] = useNarrow();
  const chart = isTall ? charts.tall : charts.wide;
  const last = useMemo(() => new Set(movesOf(view.lastMoves)), [view.lastMoves]);
  useLitInView(figure, lit, chart);
  const reason = view.phase === 'ended' && view.stopReason !== 'final' ? view.stopReason : null;
  return (
    <figure ref={figure} class="chart" data-view="chart" data-lit={lit ?? ''}>
      <figcaption class="hidden">{lit === null ? texts.chartStart : texts.chartNow(texts.stateName(lit))}</figcaption>
      {reason !== null && (
        <p class="chart-reason" data-part="reason">
          <strong>{texts.stateName('ERROR')}</strong> <code>{reason}</code> {wordIn(texts.words.stopReasons, reason)}
        </p>
      )}
      <svg
        viewBox={`0 0 ${chart.width} ${chart.height}`}
        preserveAspectRatio="xMidYMin"
        aria-hidden="true"
        focusable="false"
      >
        <StartMark chart={chart} />
        {chart.states
          .filter(({ kind }) => kind === 'outer')
          .map((box) => (
            <State key={box.name} box={box} lit={lit} />
          ))}
        {chart.ways.map((way) => (
          <WayLine
            key={way.id}
            way={way}
            word={texts.words.ways[way.id]}
            count={countOf(way, view)}
            isLast={way.moves.some((move) => last.has(move))}
          />
        ))}
        {chart.states
          .filter(({ kind }) => kind !== 'outer')
          .map((box) => (
            <State key={box.name} box={box} lit={lit} />
          ))}
      </svg>
      <MoveTable view={view} />
    </figure>
  );
});

interface StateProps {
  readonly box: StateBox;
  readonly lit: string | null;
}

const State = memoised(({ box, lit }: StateProps) => {
  const texts = useTexts();
  const { name, kind, x, y, width, height } = box;
  const isLit = lit === name || (lit?.startsWith(`${name}.`) ?? false);
  const place = { x, y, width, height };
  const outer = name.split('.')[0] ?? name;
  return (
    <g
      class={`state kind-${kind} of-${outer}${isLit ? ' lit' : ''}`}
      data-state={name}
      data-lit={isLit ? 'now' : undefined}
    >
      <title>{texts.words.states[name]}</title>
      {isLit && kind !== 'outer' && <rect class="halo" {...place} rx={9} />}
      <rect class="box" {...place} rx={kind === 'outer' ? 14 : 8} />
      {kind === 'final' && <rect class="inset" x={x + 4} y={y + 4} width={width - 8} height={height - 8} rx={5} />}
      <StateLabel label={box.label} word={texts.stateWord(name)} />
    </g>
  );
});

/** The name, and below it the word for it in a language that has another. */
function StateLabel({ label, word }: { readonly label: Label; readonly word: string | null }) {
  const { x, y, anchor, size, text } = label;
  if (word === null)
    return (
      <text x={x} y={y} text-anchor={anchor} font-size={size}>
        {text}
      </text>
    );
  return (
    <text text-anchor={anchor} font-size={size * 0.88}>
      <tspan x={x} y={y - size * 0.46}>
        {text}
      </tspan>
      <tspan class="state-word" x={x} y={y + size * 0.52} font-size={size * 0.8}>
        {word}
      </tspan>
    </text>
  );
}

interface WayLineProps {
  readonly way: Way;
  readonly word: string;
  readonly count: number;
  readonly isLast: boolean;
}

const WayLine = memoised(({ way: { id, line, head, label }, word, count, isLast }: WayLineProps) => (
  <g class={`way${count > 0 ? ' gone' : ''}${isLast ? ' last' : ''}`} data-way={id} data-count={count}>
    {isLast && <path class="glow" d={line} />}
    <path class="line" d={line} />
    <path class="head" d={head} />
    <text x={label.x} y={label.y} text-anchor={label.anchor} font-size={label.size}>
      {word}
      {count > 0 && <tspan class="count">{` ${count.toLocaleString('en')}×`}</tspan>}
    </text>
  </g>
));

const StartMark = memoised(({ chart: { start } }: { readonly chart: Chart }) => {
  return (
    <g class="way gone start">
      <circle cx={start.x} cy={start.y} r={start.radius} />
      <path class="line" d={start.line} />
      <path class="head" d={start.head} />
    </g>
  );
});

/** The counts as a table: what the picture shows, for who cannot see it. */
const MoveTable = memoised(({ view }: { readonly view: RunView }) => {
  const texts = useTexts();
  return (
    <div class="hidden">
      <table>
        <caption>{texts.moves}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.from}</th>
            <th scope="col">{texts.to}</th>
            <th scope="col">{texts.times}</th>
          </tr>
        </thead>
        <tbody>
          {[...view.moves].map(([move, count]) => {
            const [from, to] = move.split(' > ');
            return (
              <tr key={move}>
                <td>{texts.stateName(from ?? '')}</td>
                <td>{texts.stateName(to ?? '')}</td>
                <td>{count}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
});

const countOf = (way: Way, view: RunView): number =>
  way.moves.reduce((sum, move) => sum + (view.moves.get(move) ?? 0), 0);

function useNarrow() {
  const element = useRef<HTMLElement>(null);
  const [isNarrow, setNarrow] = useState(false);
  useEffect(() => {
    if (element.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setNarrow((entry?.contentRect.width ?? 1_000) < tallBelowPx));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, isNarrow] as const;
}

/** Where the column is too low for the whole chart, or becomes so, it is scrolled to what is lit. */
function useLitInView(figure: RefObject<HTMLElement>, lit: string | null, chart: Chart): void {
  useEffect(() => {
    const column = figure.current?.closest('.run-side');
    const box = figure.current?.querySelector(`[data-state="${lit}"]`);
    if (lit === null || !column || !box) return undefined;
    // It tells of the size at first, and whenever the window or what stands above the column takes some of it.
    const observer = new ResizeObserver(() => bringIntoSight(column, box));
    observer.observe(column);
    return () => observer.disconnect();
  }, [figure, lit, chart]);
}

function bringIntoSight(column: Element, box: Element): void {
  if (column.scrollHeight <= column.clientHeight) return;
  const seen = column.getBoundingClientRect();
  const { top, bottom } = box.getBoundingClientRect();
  const above = top - seen.top - marginPx;
  const below = bottom - seen.bottom + marginPx;
  if (above < 0) column.scrollBy({ top: above });
  else if (below > 0) column.scrollBy({ top: below });
}
