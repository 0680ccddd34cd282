/** The journal as others see it: the trace, without what must not be seen, and what a store keeps. Both are flat. */
import type { JournalEntry } from '../core/journal.ts';
import type { Redactor } from '../core/redact.ts';
import type { JournalEventLine } from '../core/store.ts';
import { type TraceEvent, traceFormat } from '../core/trace.ts';
import { redactMessage, redactTrace } from './redact-events.ts';

export function traceEvent({ event, ...place }: JournalEntry, redactor: Redactor): TraceEvent {
  const seen: TraceEvent = { ...(event.type === 'run.started' ? { ...event, format: traceFormat } : event), ...place };
  return redactTrace(seen, redactor);
}

/**
 * Inputs stay as they are, because they will run; the rest has passed the redactor before the machine saw it. What only those need
 * who look at a run is left out.
 */
export function journalLine({ event, ...place }: JournalEntry, redactor: Redactor): JournalEventLine {
  switch (event.type) {
    case 'run.started': {
      const messages = event.messages.map((message) => redactMessage(message, redactor));
      return { ...event, task: redactor.text(event.task), messages, ...place };
    }
    case 'prompt.sent': {
      const { added: _, ...sent } = event;
      return { ...sent, ...place };
    }
    case 'reply.stopped': {
      const { reasoning: _, ...stopped } = event;
      return { ...stopped, ...place };
    }
    case 'reply.ended': {
      const { reasoning: _, ...ended } = event;
      return { ...ended, ...place };
    }
    case 'reply.truncated': {
      const { reasoning: _, ...truncated } = event;
      return { ...truncated, ...place };
    }
    default:
      return { ...event, ...place };
  }
}
