/** The trace as a view of the journal: flat, and without what must not be seen. */
import type { JournalEntry } from '../core/journal.ts';
import { type TraceEvent, traceFormat } from '../core/trace.ts';

/** What is replaced wherever it stands in a text: the text itself, or whatever the pattern matches. */
export type Redaction = readonly (string | RegExp)[];

export function traceEvent({ event, ...place }: JournalEntry, redaction: Redaction): TraceEvent {
  const seen: TraceEvent = { ...(event.type === 'run.started' ? { ...event, format: traceFormat } : event), ...place };
  return redaction.length === 0 ? seen : redacted(seen, redaction);
}

function redacted<Value>(value: Value, redaction: Redaction): Value;
function redacted(value: unknown, redaction: Redaction): unknown {
  if (typeof value === 'string') return redactText(value, redaction);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redacted(item, redaction));
  const members = Object.entries(value).map(([key, item]) => [redactText(key, redaction), redacted(item, redaction)]);
  return Object.fromEntries(members);
}

function redactText(text: string, redaction: Redaction): string {
  let seen = text;
  for (const secret of redaction) if (secret !== '') seen = seen.replaceAll(asGlobal(secret), '[redacted]');
  return seen;
}

/** `replaceAll` takes a pattern only where it is global. */
function asGlobal(secret: string | RegExp): string | RegExp {
  if (typeof secret === 'string' || secret.global) return secret;
  return new RegExp(secret.source, `${secret.flags}g`);
}
