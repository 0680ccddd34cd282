/** What the receivers of @statelyai/inspect 0.7 read: actors, events and snapshots, as plain data. */
import type { JsonValue } from '../../core/json.ts';
import type { StatePath } from '../../core/snapshot.ts';
import { plainOfTrace } from './plain.ts';
import type { Session } from './sessions.ts';

/** Of the wire: receivers ask for one, whatever it is. */
const version = '0.7.2';

export interface StatelySnapshot {
  readonly status: 'active' | 'done' | 'error' | 'stopped';
  readonly value?: JsonValue;
  readonly context?: JsonValue;
  readonly output?: JsonValue;
  readonly error?: JsonValue;
}

interface Common {
  readonly sessionId: string;
  readonly rootId: string | undefined;
  /** Milliseconds since 1970, in decimal. */
  readonly createdAt: string;
  readonly id: null;
  readonly _version: string;
}

export type StatelyMessage = Common &
  (
    | {
        readonly type: '@xstate.actor';
        readonly name: string;
        readonly parentId: string | undefined;
        /** JSON of the machine's config. */
        readonly definition: string;
        readonly snapshot: StatelySnapshot;
      }
    | { readonly type: '@xstate.event'; readonly event: JsonValue; readonly sourceId: string | undefined }
    | { readonly type: '@xstate.snapshot'; readonly event: JsonValue; readonly snapshot: StatelySnapshot }
  );

interface Of {
  readonly sessionId: string;
  readonly rootId: string | undefined;
  readonly atWallMs: number;
}

const common = ({ sessionId, rootId, atWallMs }: Of): Common => ({
  sessionId,
  rootId,
  createdAt: String(atWallMs),
  id: null,
  _version: version,
});

export function actorMessage(
  of: Of,
  given: {
    readonly name: string;
    readonly parentId: string | null;
    readonly definition: string;
    readonly snapshot: StatelySnapshot;
  },
): StatelyMessage {
  return { type: '@xstate.actor', ...common(of), ...given, parentId: given.parentId ?? undefined };
}

export function eventMessage(of: Of, event: JsonValue, sourceId: string | null): StatelyMessage {
  return { type: '@xstate.event', ...common(of), event, sourceId: sourceId ?? undefined };
}

export function snapshotMessage(of: Of, event: JsonValue, snapshot: StatelySnapshot): StatelyMessage {
  return { type: '@xstate.snapshot', ...common(of), event, snapshot };
}

export function ofSession({ id, rootId, last }: Session): Of {
  return { sessionId: id, rootId, atWallMs: last.wallMs };
}

/** The event without what stands beside it. */
export function eventOf({ last }: Session): JsonValue {
  const { state: _state, sequence: _sequence, wallMs: _wallMs, ...event } = last;
  return plainOfTrace(event);
}

export function snapshotOf(session: Session, state: StatePath): StatelySnapshot {
  const { last } = session;
  const ended = last.type === 'run.ended' ? { output: { stopReason: last.stopReason } } : {};
  return { status: statusOf(session), value: plainOfTrace(state), context: contextOf(session), ...ended };
}

/** What the trace tells of the run so far, against its limits: the machine's own context is not in it. */
export function contextOf({ last, view }: Session): JsonValue {
  const { runId, steps, atMs, usage, violations, violationsInRow, toolErrorsInRow } = view;
  const { stopReason, answer, failure, limits } = view;
  const counts = { step: steps.length, atMs, usage, violations, violationsInRow, toolErrorsInRow };
  return plainOfTrace({ runId, ...counts, stopReason, answer, failure, limits, ignored: last.ignored === true });
}

/** A run that was left can go on: it stopped, and is not done. */
function statusOf({ last, state }: Session): StatelySnapshot['status'] {
  if (last.type !== 'run.ended') return 'active';
  return state === 'FINAL' || state === 'ERROR' ? 'done' : 'stopped';
}
