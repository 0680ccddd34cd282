/** Which run a file of runs that follow each other is about. Pure. */
import { begins, type TraceEvent } from '../core/trace.ts';

/** `who` is the run's object, which two runs with one id do not share; its id, where a program gives none. */
interface Whose {
  readonly runId: string;
  readonly who: unknown;
}

export interface Turns {
  /** Whether the event is of the run whose turn it is. One that begins while another goes on is not, to its end. */
  isOurs(event: TraceEvent, whose: Whose): boolean;
  /** The id of the run whose turn it is; null between two. */
  current(): string | null;
}

export function createTurns(): Turns {
  let current: Whose | null = null;
  const elsewhere = new Set<unknown>();
  const follow = (event: TraceEvent, whose: Whose) => {
    // The life before it was left without an end.
    if (begins(event) && current !== null && current.who !== whose.who) elsewhere.add(current.who);
    if (begins(event)) current = whose;
    if (event.type === 'run.ended') current = null;
  };
  return {
    isOurs(event, whose) {
      const isOurs = !elsewhere.has(whose.who) && isOf(current, event, whose);
      if (isOurs) follow(event, whose);
      else if (begins(event)) elsewhere.add(whose.who);
      else if (event.type === 'run.ended') elsewhere.delete(whose.who);
      return isOurs;
    },
    current: () => current?.runId ?? null,
  };
}

function isOf(current: Whose | null, event: TraceEvent, { runId, who }: Whose): boolean {
  if (current === null) return begins(event);
  // A program may give another object each time.
  return current.who === who || (current.runId === runId && event.type !== 'run.started');
}
