/** The trace as a view of the journal: flat, and without what must not be seen. */
import type { JournalEntry } from '../core/journal.ts';
import type { Redactor } from '../core/redact.ts';
import { type TraceEvent, traceFormat } from '../core/trace.ts';
import { redactTrace } from './redact-events.ts';

export function traceEvent({ event, ...place }: JournalEntry, redactor: Redactor): TraceEvent {
  const seen: TraceEvent = { ...(event.type === 'run.started' ? { ...event, format: traceFormat } : event), ...place };
  return redactTrace(seen, redactor);
}
