/** The journal as others see it: the trace, without what must not be seen, and what a store keeps. Both are flat. */
import type { JournalEntry, PromptSent } from '../core/journal.ts';
import type { Redactor } from '../core/redact.ts';
import type { JournalEventLine } from '../core/store.ts';
import { type TraceEvent, traceFormat } from '../core/trace.ts';
import { redactMessage, redactTrace } from './redact-events.ts';

export function traceEvent({ event, ...place }: JournalEntry, redactor: Redactor): TraceEvent {
  const seen: TraceEvent = { ...(event.type === 'run.started' ? { ...event, format: traceFormat } : event), ...place };
  return redactTrace(seen, redactor);
}

/** Inputs stay as they are, because they will run; the rest has passed the redactor before the machine saw it. */
export function journalLine({ event, ...place }: JournalEntry, redactor: Redactor): JournalEventLine {
  if (event.type === 'prompt.sent') return { ...withoutMessages(event), ...place };
  if (event.type !== 'run.started') return { ...event, ...place };
  const messages = event.messages.map((message) => redactMessage(message, redactor));
  return { ...event, task: redactor.text(event.task), messages, ...place };
}

function withoutMessages({ added: _, ...sent }: PromptSent): PromptSent {
  return sent;
}
