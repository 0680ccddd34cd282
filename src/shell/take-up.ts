/** How a run goes on from where it was left, in a process and in the fold of its journal. Pure. */
import { charge } from '../../machines/budget.ts';
import { isEnd, phaseOf, type Rest } from '../../machines/edge.ts';
import type { ReactEventType } from '../core/events.ts';
import type { RunLimits, StatePath } from '../core/snapshot.ts';
import type { Spent } from '../core/usage.ts';
import type { Port, Stepped } from '../step.ts';

interface HowTakenUp {
  readonly limits: RunLimits;
  readonly spent?: Spent | undefined;
  readonly askedAnew?: boolean;
}

/**
 * `limits`: those that it goes on with. `spent`: by agents that ran as tools when it was left. `askedAnew`: a person has the
 * whole time to decide. The commands are to be performed, and to be followed by the history: a step that an end found may be
 * over now.
 */
export function takeUp(
  port: Port,
  { state, context }: Rest,
  { limits, spent, askedAnew }: HowTakenUp,
): Pick<Stepped, 'snapshot' | 'commands'> {
  const charged = spent === undefined ? context : charge(context, spent);
  if (isEnd(state)) return port.reopen(charged, limits);
  const approvalUntilMs = askedAnew === true ? null : context.approvalUntilMs;
  const snapshot = port.restore(state, { ...charged, limits, approvalUntilMs });
  return { snapshot, commands: port.outstanding(snapshot).commands };
}

/** A person's time to decide passed when nobody had the run: whoever has it refuses the calls at that moment. */
export function isOverdue({ state, context: { approvalUntilMs } }: Rest, wallMs: number): boolean {
  return phaseOf(state) === 'awaitingApproval' && approvalUntilMs !== null && approvalUntilMs <= wallMs;
}

/** How often it was taken up since anything came of it, behind an event of the machine. What was read of a reply does not last. */
export function retakenAfter(retaken: number, type: ReactEventType, after: StatePath): number {
  return type === 'reply.stopped' && isInThought(after) ? retaken : 0;
}

export function isInThought(state: StatePath): boolean {
  return typeof state !== 'string' && state.THOUGHT !== undefined;
}
