/** The journal folded through the port, with every law checked on every edge. */
import { expect } from 'vitest';
import { checkLaws } from '../../machines/laws.ts';
import type { ReactEvent } from '../../src/core/events.ts';
import type { JournalEvent } from '../../src/core/journal.ts';
import type { TraceEvent } from '../../src/core/trace.ts';
import { createPort, type ReactSnapshot, stateOf } from '../../src/step.ts';

const port = createPort();

/** The machine after these events of one run. Fails where a state differs from the recorded one, or a law is broken. */
export function fold(events: readonly TraceEvent[]): ReactSnapshot {
  const [first, ...rest] = events;
  if (first?.type !== 'run.started') throw new Error('The trace does not begin with run.started.');
  let { snapshot } = port.start(first.limits);
  expect(stateOf(snapshot)).toEqual(first.state);
  for (const [index, event] of rest.entries()) {
    expect(event.sequence).toBe(index + 1);
    if (isOfMachine(event) && event.ignored !== true) snapshot = obey(snapshot, event);
    expect(stateOf(snapshot)).toEqual(event.state);
  }
  return snapshot;
}

function obey(before: ReactSnapshot, event: ReactEvent): ReactSnapshot {
  const { snapshot: after, commands, ignored } = port.step(before, event);
  expect(ignored).toBe(false);
  const edge = { before: rest(before), event, after: rest(after), commands };
  expect(checkLaws(edge), JSON.stringify(edge)).toEqual([]);
  return after;
}

function rest(snapshot: ReactSnapshot) {
  return { state: stateOf(snapshot), context: snapshot.context };
}

function isOfMachine(event: TraceEvent): event is Extract<TraceEvent, ReactEvent> {
  const others: readonly JournalEvent['type'][] = [
    'run.started',
    'run.resumed',
    'run.ended',
    'prompt.sent',
    'loop.warned',
  ];
  return !others.includes(event.type);
}
