/** What receivers of @xstate/inspect 0.8 read. Machine, state and event are JSON inside of JSON. */
import type { JsonValue } from '../../core/json.ts';
import type { StatePath } from '../../core/snapshot.ts';
import { memberOf } from './definition.ts';
import { plainOfTrace } from './plain.ts';
import type { Session } from './sessions.ts';
import { contextOf } from './stately-messages.ts';

/** `machine` as `definitionFour` gives it. */
export function registerMessage(session: Session, machine: string, name: string): string {
  const { id: sessionId, parentId } = session;
  return JSON.stringify({
    type: 'service.register',
    machine,
    state: stateJson(session, session.state, { type: 'xstate.init' }),
    id: name,
    sessionId,
    ...(parentId === null ? {} : { parent: parentId }),
  });
}

/** `event` is what the session's last event is for a receiver. */
export function eventMessageFour(session: Session, event: JsonValue): string {
  return JSON.stringify({
    type: 'service.event',
    event: JSON.stringify(scxml(session, event)),
    sessionId: session.id,
  });
}

export function stateMessage(session: Session, state: StatePath, event: JsonValue): string {
  return JSON.stringify({
    type: 'service.state',
    state: stateJson(session, state, event),
    sessionId: session.id,
  });
}

export function stopMessage({ id }: Session): string {
  return JSON.stringify({ type: 'service.stop', sessionId: id });
}

/** All that `State.create` of version 4 wants to find. */
function stateJson(session: Session, state: StatePath, event: JsonValue): string {
  return JSON.stringify({
    value: plainOfTrace(state),
    context: contextOf(session),
    event,
    _event: scxml(session, event),
    _sessionid: session.id,
    actions: [],
    activities: {},
    meta: {},
    events: [],
    children: {},
    done: state === 'FINAL' || state === 'ERROR',
    tags: [],
    configuration: [],
    transitions: [],
  });
}

function scxml(session: Session, event: JsonValue) {
  const name = memberOf(event, 'type') ?? session.last.type;
  return { name, data: event, $$type: 'scxml', type: 'external' };
}
