/** An event with its long texts cut: for the list of runs, which shows none, and for runs that are too large. Pure. */
import type { TraceEvent } from '../../core/trace.ts';

/** In code units for a text, in items for a list, in levels for depth: a run of agents in agents is still whole. */
const most = Object.freeze({ text: 400, items: 200, depth: 40 });

/** A copy of the same shape. What is no event any more stays as it is. */
export function briefEvent(event: TraceEvent): TraceEvent {
  const cut = brief(event, 0);
  return isOfSameKind(cut, event) ? cut : event;
}

export function briefText(text: string): string {
  return text.length > most.text ? `${text.slice(0, most.text)}…` : text;
}

function brief(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return briefText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= most.depth) return null;
  if (Array.isArray(value)) return value.slice(0, most.items).map((item) => brief(item, depth + 1));
  const members = Object.entries(value).slice(0, most.items);
  return Object.fromEntries(members.map(([key, item]) => [key, brief(item, depth + 1)]));
}

function isOfSameKind(cut: unknown, { type, sequence }: TraceEvent): cut is TraceEvent {
  if (typeof cut !== 'object' || cut === null) return false;
  return Reflect.get(cut, 'type') === type && Reflect.get(cut, 'sequence') === sequence;
}
