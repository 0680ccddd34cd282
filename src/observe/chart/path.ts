/**
 * The states that an event led through. A trace has the state behind each event; what the machine passed on the way is never
 * at rest, and follows from the event. Pure. `test/verify/path.test.ts` holds it against the machine itself.
 */
import type { StatePath } from '../../core/snapshot.ts';
import type { TraceEvent } from '../../core/trace.ts';

/** What is asked of an event of a trace. */
export type Moving = Pick<TraceEvent, 'type' | 'state' | 'ignored'>;

/**
 * The states in their order, the one before first: `['ACTION.running', 'OBSERVATION', 'THOUGHT.reasoning']`. Two that stand side
 * by side are a way of the chart. Empty where nothing moved.
 *
 * `before` is the state behind the event before; null where that is not known. A run that goes on is put into its state: the path
 * is that state alone. Behind `call.settled`, `ACTION.running` twice says that the next calls start or that others are still in
 * flight: the trace does not tell the one from the other.
 */
export function pathOf(before: StatePath | null, { type, state, ignored }: Moving): readonly string[] {
  const to = stateName(state);
  const from = before === null ? null : stateName(before);
  if (ignored === true) return [];
  if (type === 'run.started') return [door, to];
  if (type === 'run.resumed') return from === to ? [] : [to];
  const passes = isJudged(type) && !to.startsWith('ACTION.') ? [door] : [];
  if (passes.length === 0 && from === to && !entersAgain(type, to)) return [];
  return [...(from === null ? [] : [from]), ...passes, to];
}

/** The ways of a path as they are counted: `ACTION.running > OBSERVATION`. */
export function movesOf(path: readonly string[]): readonly string[] {
  return path.slice(1).map((to, index) => `${path[index]} > ${to}`);
}

/** `THOUGHT.reasoning`, `FINAL`. */
export function stateName(state: StatePath): string {
  if (typeof state === 'string') return state;
  return Object.entries(state)
    .map(([outer, inner]) => `${outer}.${inner}`)
    .join('|');
}

/** Every step passes it, and no run rests there. */
const door = 'OBSERVATION';

/** What may complete a step. Where ACTION has more to do it stays there; from anywhere else it is at the door. */
function isJudged(type: TraceEvent['type']): boolean {
  switch (type) {
    case 'reply.ended':
    case 'reply.truncated':
    case 'calls.checked':
    case 'call.settled':
    case 'approval.granted':
    case 'approval.denied':
    case 'answer.accepted':
    case 'answer.rejected':
      return true;
    default:
      return false;
  }
}

/** Another try of the model; the next calls. */
function entersAgain(type: TraceEvent['type'], state: string): boolean {
  return type === 'reply.failed' || (type === 'call.settled' && state === 'ACTION.running');
}
