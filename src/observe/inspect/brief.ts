/** An event with its long texts cut: for the list of runs, which shows none, and for runs that are too large. Pure. */
import type { TraceEvent } from '../../core/trace.ts';

/** In items: of a longer list the beginning is kept. */
export const mostItems = 200;
/** In code units for a text, in levels for depth: a run of agents in agents is still whole. */
const most = Object.freeze({ text: 400, depth: 40 });

/** A copy of the same shape. What is no event any more stays as it is. */
export function briefEvent(event: TraceEvent): TraceEvent {
  const cut = brief(event);
  return isOfSameKind(cut, event) ? cut : event;
}

export function briefText(text: string): string {
  return text.length > most.text ? `${text.slice(0, most.text)}…` : text;
}

/** A copy of data, of the same shape. */
export function brief(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return briefText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= most.depth) return null;
  if (Array.isArray(value)) return value.slice(0, mostItems).map((item) => brief(item, depth + 1));
  const members = Object.entries(value).slice(0, mostItems);
  return Object.fromEntries(members.map(([key, item]) => [key, brief(item, depth + 1)]));
}

/** Whether what was made of an event is one still. */
export function isOfSameKind(made: unknown, { type, sequence }: TraceEvent): made is TraceEvent {
  if (typeof made !== 'object' || made === null) return false;
  return Reflect.get(made, 'type') === type && Reflect.get(made, 'sequence') === sequence;
}
