/** What the observer of an actor system sees of agents in it: `agent.logic` sends its actor each event of the trace. */
import type { InspectionEvent } from 'xstate';
import type { TraceEvent } from '../../core/trace.ts';
import { memberOf } from './definition.ts';

/** An event as it is sent to the actor of an agent; null for any other. */
export function runEventIn(event: InspectionEvent): TraceEvent | null {
  if (event.type !== '@xstate.event' || event.event.type !== 'run.moved') return null;
  const moved: unknown = event.event.event;
  return isTraceEvent(moved) ? moved : null;
}

function isTraceEvent(value: unknown): value is TraceEvent {
  const state = memberOf(value, 'state');
  const isState = typeof state === 'string' || (typeof state === 'object' && state !== null);
  return typeof memberOf(value, 'type') === 'string' && typeof memberOf(value, 'sequence') === 'number' && isState;
}

/** The events that an agent's actor is sent by its own run. */
export function isOfRun(type: string): boolean {
  return type === 'run.moved' || type === 'run.settled';
}
