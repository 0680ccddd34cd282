/** Which events of a run the machine obeyed, and which are facts beside it. */
import type { ReactEvent, ReactEventType } from '../core/events.ts';
import type { JournalEvent } from '../core/journal.ts';

type Fact = Exclude<JournalEvent['type'], ReactEventType | 'run.started' | 'run.resumed'>;

const facts: { readonly [Type in Fact]: true } = {
  'prompt.sent': true,
  'model.asked': true,
  'call.retried': true,
  'call.nested': true,
  'loop.warned': true,
  'run.ended': true,
};

const machineEvents: { readonly [Type in ReactEventType]: true } = {
  'reply.stopped': true,
  'reply.ended': true,
  'reply.truncated': true,
  'reply.filtered': true,
  'reply.failed': true,
  'prompt.refused': true,
  'calls.checked': true,
  'approval.asked': true,
  'approval.granted': true,
  'approval.denied': true,
  'call.settled': true,
  'answer.accepted': true,
  'answer.rejected': true,
  'run.aborted': true,
  'store.failed': true,
  'clock.expired': true,
  'machine.failed': true,
};

export function isOfMachine<Event extends { readonly type: string }>(
  event: Event,
): event is Extract<Event, ReactEvent> {
  return Object.hasOwn(machineEvents, event.type);
}

/** A type that is neither is of a later version, or of no run. */
export function isFact(type: string): boolean {
  return Object.hasOwn(facts, type);
}
