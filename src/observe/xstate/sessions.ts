/**
 * Runs as an inspector of XState thinks of actors: each has a session that opens with its first event, and closes with its
 * last. An agent that runs as a tool is a session of its own inside.
 */
import type { StatePath } from '../../core/snapshot.ts';
import type { TraceEvent } from '../../core/trace.ts';
import { pathOf } from '../chart/path.ts';
import { viewAfter } from '../fold-run.ts';
import type { RunView } from '../run-view.ts';

export interface Session {
  readonly id: string;
  /** The session of the run whose tool it is. */
  readonly parentId: string | null;
  /** That of which no other run is a part. */
  readonly rootId: string;
  /** Behind the last event. */
  readonly state: StatePath;
  readonly last: TraceEvent;
  /** Behind it. */
  readonly view: RunView;
}

export interface SessionListener {
  /** `state` is where it stands before its first event. */
  opened(session: Session): void;
  /** `states`: those that the event led through; the last is where the run rests. OBSERVATION, which never rests, is one. */
  moved(session: Session, states: readonly StatePath[]): void;
  closed(session: Session): void;
}

export interface Sessions {
  /** `id` of the session, which is the id of the run, or of the actor that it has; `rootId` where it is a part of others. */
  happened(event: TraceEvent, id: string, rootId?: string): void;
  /** Those that have not closed, in the order in which they opened. */
  open(): readonly Session[];
}

type Family = Pick<Session, 'id' | 'parentId' | 'rootId'>;

export function createSessions(listener: SessionListener): Sessions {
  const open = new Map<string, Session>();

  const close = (session: Session) => {
    if (!open.delete(session.id)) return;
    for (const one of [...open.values()]) if (one.parentId === session.id) close(one);
    listener.closed(session);
  };

  const take = (event: TraceEvent, family: Family) => {
    const known = open.get(family.id);
    const session: Session = {
      ...family,
      state: event.state,
      last: event,
      view: viewAfter(known?.view ?? null, event),
    };
    if (known === undefined) listener.opened({ ...session, state: firstState(event) });
    open.set(family.id, session);
    listener.moved(session, statesThrough(known?.state ?? null, event));
    if (event.type === 'call.nested')
      take(event.event, { id: `${family.id}/${event.callId}`, parentId: family.id, rootId: family.rootId });
    if (event.type === 'run.ended') close(session);
  };

  return {
    happened: (event, id, rootId = id) => take(event, { id, parentId: null, rootId }),
    open: () => [...open.values()],
  };
}

function firstState(event: TraceEvent): StatePath {
  const [first] = event.type === 'run.started' ? pathOf(null, event) : [];
  return first ?? event.state;
}

function statesThrough(before: StatePath | null, event: TraceEvent): readonly StatePath[] {
  const path = pathOf(before, event);
  const isKnown = event.type === 'run.started' || (before !== null && event.type !== 'run.resumed');
  const passed = (isKnown ? path.slice(1) : path).slice(0, -1);
  return [...passed, event.state];
}
