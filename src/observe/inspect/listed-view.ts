/**
 * What the list tells of a run, folded as any picture of a run, without what only the picture of one run shows: no text that a model
 * or a tool wrote stays in memory twice, and what is kept does not grow with the run. Pure.
 */
import type { TraceEvent } from '../../core/trace.ts';
import { viewAfter } from '../fold-run.ts';
import { newStep } from '../fold-view.ts';
import type { Mark, RunView } from '../run-view.ts';
import { brief, isOfSameKind } from './brief.ts';

export interface ListedView {
  /** Null before the first event. */
  view(): RunView | null;
  /** Of memory, about. */
  bytes(): number;
  add(event: TraceEvent): void;
}

/** A run may be taken up behind one of so many events. One further back is told with what came later. */
const mostMarks = 16;
/** In bytes, as measured: what a run costs, what each place does where it may be taken up, and a step. */
const cost = Object.freeze({ run: 2_000, mark: 1_200, step: 16 });
/** So much larger is data in memory than as JSON. */
const growth = 3;

export function listedView(): ListedView {
  let view: RunView | null = null;
  /** How long the last events are as JSON, as far as they are used. */
  let lengths: readonly number[] = [];
  let head = 0;
  return {
    view: () => view,
    bytes: () =>
      cost.run +
      growth * lengths.reduce((sum, length) => sum + length, head) +
      cost.mark * lengths.length +
      cost.step * (view?.steps.length ?? 0),
    add(event) {
      // Through JSON, since a piece of a text holds all of it.
      const json = JSON.stringify(listed(event));
      const parsed: unknown = JSON.parse(json);
      if (!isOfSameKind(parsed, event)) return;
      view = shortened(viewAfter(view, parsed));
      lengths = [...lengths, json.length].slice(-mostMarks);
      if (event.type === 'run.started' || event.type === 'run.resumed') head = json.length;
    },
  };
}

function listed(event: TraceEvent): unknown {
  // The run inside is told where it has ended: what it spent is charged then. So the event only has its place here.
  if (event.type === 'call.nested') return { ...withoutContent(event), event: null, callId: '' };
  return brief(withoutContent(event));
}

/** What no line of the list says, in an event, in its verdicts and in its calls. */
const content: ReadonlySet<string> = new Set([
  ...['input', 'output', 'observation', 'error', 'providerData', 'added', 'told', 'sentTools', 'notes', 'coerced'],
  ...['thought', 'reasoning', 'text', 'hint', 'partial', 'dropped', 'why'],
]);

function withoutContent(event: TraceEvent): Readonly<Record<string, unknown>> {
  const members = Object.entries(event).filter(([name]) => !content.has(name));
  return Object.fromEntries(
    members.map(([name, value]) => {
      if (name === 'messages' && Array.isArray(value)) return [name, []];
      return [name, Array.isArray(value) ? value.map(bare) : value];
    }),
  );
}

function bare(item: unknown): unknown {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
  return Object.fromEntries(Object.entries(item).filter(([name]) => !content.has(name)));
}

/** Steps that are done are only counted. */
function shortened(view: RunView): RunView {
  const { steps, fold } = view;
  const last = steps.length - 2;
  const kept = last < 0 || steps[last] === counted ? steps : steps.with(last, counted);
  const marks = fold.marks.slice(-mostMarks);
  const mark = marks.at(-1);
  const lean = mark === undefined ? marks : marks.with(-1, leanMark(mark));
  return { ...view, ...unsaid, steps: kept, fold: { ...fold, marks: lean } };
}

/** What stands for a step that is done: its number is none that an event has. */
const counted = Object.freeze(newStep(-1, 0));

function leanMark(mark: Mark): Mark {
  return { ...mark, view: { ...mark.view, ...unsaid } };
}

const unsaid = Object.freeze({
  messages: [],
  unknown: [],
  moves: new Map<string, number>(),
  lastMoves: [],
  notes: [],
} satisfies Partial<RunView>);
