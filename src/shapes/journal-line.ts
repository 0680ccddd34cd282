/** The lines of a journal, checked: every word is one that is known, since a run goes on from them. Pure. */
import type { Snapshot } from '../core/snapshot.ts';
import { stopReasons } from '../core/stop-reasons.ts';
import { type JournalLine, journalFormat } from '../core/store.ts';
import type { TraceEvent } from '../core/trace.ts';
import { eventMembers } from './events.ts';
import { message, partsOf, place, state, status } from './parts.ts';
import {
  count,
  custom,
  exactly,
  fits,
  issuesOf,
  json,
  knownWord,
  list,
  members,
  oneOf,
  problemOf,
  type Schema,
  text,
  time,
} from './schema.ts';

/** As far as a store reads it; the rest is checked by `resume`. */
const snapshotShape = members({
  format: exactly('fuseloop.snapshot/1'),
  runId: text,
  task: text,
  state,
  startedAtMs: time,
  sequence: count,
  context: members({
    stopReason: oneOf(stopReasons).exclude(['suspended']).nullable(),
    calls: list(members({ callId: text, tool: text, input: json, status })),
  }),
  history: members({ messages: list(message), steps: list(members({})) }),
});
const snapshot = custom<Snapshot>().check(({ value, issues }) => {
  for (const { path, message } of issuesOf(snapshotShape, value))
    issues.push({ code: 'custom', input: value, path: [...path], message });
});

/** Contents of a line that are kept elsewhere. */
const apart = members({
  sha256: text.regex(/^[0-9a-f]{64}$/),
  bytes: count,
  paths: list(list(text).min(1)),
}).exactOptional();

/** Whoever shows it checks the rest: here it is only kept. */
const placed = members({ ...place, type: text });
const nested = custom<TraceEvent>((value) => fits(placed, value), { error: 'is no event of a trace' });

const events = eventMembers(partsOf(knownWord), nested);
const started = { ...events['run.started'], format: exactly(journalFormat) };

const schemaOf: ReadonlyMap<string, Schema<unknown>> = new Map<string, Schema<unknown>>([
  ...Object.entries({ ...events, 'run.started': started }).map(([type, own]): [string, Schema<unknown>] => [
    type,
    members({ ...place, ...own, type: exactly(type), apart }),
  ]),
  [
    'checkpoint',
    members({ type: exactly('checkpoint'), format: exactly(journalFormat), wallMs: time, snapshot, apart }),
  ],
]);
const ofType = members({ type: text });

/** The line itself, or what is wrong with it: words without a full stop. */
export function checkedLine(value: unknown): { readonly line: JournalLine } | { readonly problem: string } {
  const problem = lineProblem(value);
  return isLine(value, problem) ? { line: value } : { problem: problem ?? '' };
}

function isLine(_value: unknown, problem: string | null): _value is JournalLine {
  return problem === null;
}

function lineProblem(value: unknown): string | null {
  if (!fits(ofType, value)) return problemOf(ofType, value);
  const schema = schemaOf.get(value.type);
  return schema === undefined ? `type: ${JSON.stringify(value.type)} is not known` : problemOf(schema, value);
}
