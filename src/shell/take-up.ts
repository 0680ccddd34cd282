/** How a run goes on from where it was left, in a process and in the fold of its journal. Pure. */
import { charge } from '../../machines/budget.ts';
import { isEnd, type Rest } from '../../machines/edge.ts';
import type { RunLimits } from '../core/snapshot.ts';
import type { Spent } from '../core/usage.ts';
import type { Port, Stepped } from '../step.ts';

/**
 * `limits`: those that it goes on with. `spent`: by agents that ran as tools when it was left. The commands are to be
 * performed, and to be followed by the history: a step that an end found may be over now.
 */
export function takeUp(
  port: Port,
  { state, context }: Rest,
  limits: RunLimits,
  spent?: Spent,
): Pick<Stepped, 'snapshot' | 'commands'> {
  const charged = spent === undefined ? context : charge(context, spent);
  if (isEnd(state)) return port.reopen(charged, limits);
  const snapshot = port.restore(state, { ...charged, limits });
  return { snapshot, commands: port.outstanding(snapshot).commands };
}
