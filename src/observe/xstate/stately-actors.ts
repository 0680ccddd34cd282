/**
 * Actors of XState as messages, with the state that they have now. Only what an inspector shows is taken: the input of an
 * actor, which may hold anything of the host, is not. The actor of an agent shows its run, which `sessions` tells.
 */
import type { ActorRefLike, InspectionEvent } from 'xstate';
import type { JsonValue } from '../../core/json.ts';
import { definitionOf, idOf, memberOf } from './definition.ts';
import { isOfRun } from './from-actor.ts';
import { plainOfOthers } from './plain.ts';
import {
  actorMessage,
  eventMessage,
  type StatelyMessage,
  type StatelySnapshot,
  snapshotMessage,
} from './stately-messages.ts';

/** Null for what is not shown: the inner steps of a transition, and what the run itself tells better. */
export function messageOfActor(event: InspectionEvent, atWallMs: number): StatelyMessage | null {
  const { sessionId } = event.actorRef;
  const of = { sessionId, rootId: event.rootId, atWallMs };
  switch (event.type) {
    case '@xstate.actor':
      return actorMessage(of, { ...describedActor(event.actorRef), snapshot: { status: 'active' } });
    case '@xstate.event':
      return eventMessage(of, shownEvent(event.event), event.sourceRef?.sessionId ?? null);
    case '@xstate.snapshot':
      return snapshotMessage(of, shownEvent(event.event), shownSnapshot(event.snapshot));
    default:
      return null;
  }
}

export function describedActor(actor: ActorRefLike) {
  const config = memberOf(memberOf(actor, 'logic'), 'config');
  const isDefined = typeof config === 'object' && config !== null;
  const id = memberOf(actor, 'id');
  const isNamed = typeof id === 'string' && id !== actor.sessionId;
  const name = isNamed || !isDefined ? String(id ?? actor.sessionId) : idOf(config);
  const parent = memberOf(memberOf(actor, '_parent'), 'sessionId');
  return {
    name,
    parentId: typeof parent === 'string' ? parent : null,
    definition: isDefined ? definitionOf({ config }) : JSON.stringify({ id: name }),
  };
}

/** `xstate.init` has the input of the actor, and an outcome all steps of a run. */
function shownEvent(event: { readonly type: string }): JsonValue {
  if (event.type === 'xstate.init' || isOfRun(event.type)) return { type: event.type };
  return plainOfOthers(event);
}

const shown = ['context', 'output', 'error'] as const;

function shownSnapshot(snapshot: object): StatelySnapshot {
  const members = shown.flatMap((name) => {
    const value = memberOf(snapshot, name);
    return value === undefined ? [] : [[name, plainOfOthers(value)]];
  });
  // The snapshot of an agent's actor says `state` where a machine's says `value`.
  const value = memberOf(snapshot, 'value') ?? memberOf(snapshot, 'state');
  return {
    status: statusIn(snapshot),
    ...(value === undefined ? {} : { value: plainOfOthers(value) }),
    ...Object.fromEntries(members),
  };
}

function statusIn(snapshot: object): StatelySnapshot['status'] {
  const status = memberOf(snapshot, 'status');
  return status === 'done' || status === 'error' || status === 'stopped' ? status : 'active';
}
