/** A run with the agents that ran as tools in it. Pure. */
import type { RunView } from '../run-view.ts';

/** The run first, then those of agents, at any depth; of several tries of a call, the last. */
export function withNested(view: RunView): readonly RunView[] {
  const all = [view];
  // It grows while it is walked: traces may be deeper than a stack.
  for (const { steps } of all)
    for (const { calls } of steps) for (const { nested } of calls) if (nested !== null) all.push(nested);
  return all;
}
