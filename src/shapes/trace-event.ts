/**
 * The events of a trace, checked. A trace of a later version can be read: members that are not known are kept, and so are words
 * that are not, but for those by which is decided what became of a call; of an event that is not known the place alone is
 * checked. Pure.
 */
import { type TraceDropped, type TraceEvent, traceFormat } from '../core/trace.ts';
import { eventMembers } from './events.ts';
import { partsOf, place } from './parts.ts';
import { anyWord, count, custom, exactly, fits, members, problemOf, type Schema, text, time } from './schema.ts';

const nested = custom<TraceEvent>().check(({ value, issues }) => {
  const problem = traceEventProblem(value);
  if (problem !== null) issues.push({ code: 'custom', input: value, path: [], message: problem });
});

const events = eventMembers(partsOf(anyWord), nested);
const started = { ...events['run.started'], format: exactly(traceFormat) };

const schemaOf: ReadonlyMap<string, Schema<unknown>> = new Map(
  Object.entries({ ...events, 'run.started': started }).map(([type, own]) => [
    type,
    members({ ...place, ...own, type: exactly(type) }),
  ]),
);
const anyEvent = members({ ...place, type: text });

const dropped: Schema<TraceDropped> = members({
  type: exactly('trace.dropped'),
  runId: text,
  count,
  from: count,
  to: count,
  wallMs: time,
});

/** What is wrong with a value that should be an event of a trace, with the path to it; null where nothing is. */
export function traceEventProblem(value: unknown): string | null {
  if (!fits(anyEvent, value)) return problemOf(anyEvent, value);
  const schema = schemaOf.get(value.type);
  return schema === undefined ? null : problemOf(schema, value);
}

export function isTraceEvent(value: unknown): value is TraceEvent {
  return traceEventProblem(value) === null;
}

/** The line that a writer leaves in the place of events that it dropped. Throws nothing. */
export function isTraceDropped(value: unknown): value is TraceDropped {
  return fits(dropped, value);
}
