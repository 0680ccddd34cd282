/** What is left of a run's budget, and how it is charged. Pure. */
import type { ReactEvent } from '../src/core/events.ts';
import type { ReactContext } from '../src/core/snapshot.ts';
import type { TokenCount } from '../src/core/usage.ts';

/** Model calls; below zero where agents that ran as tools made more than were left. */
export function stepsLeft({ limits, step, nestedSteps }: ReactContext): number {
  return limits.maxSteps - step - nestedSteps;
}

/** What an agent that ran as a tool spent is spent here, too. */
export function chargeNested(context: ReactContext, event: ReactEvent): ReactContext {
  if (!('spent' in event) || event.spent === undefined) return context;
  const { steps, toolCalls, tokens } = event.spent;
  return {
    ...context,
    nestedSteps: context.nestedSteps + steps,
    toolCalls: context.toolCalls + toolCalls,
    tokens: addTokens(context.tokens, tokens),
  };
}

export function addTokens(total: TokenCount, more: TokenCount): TokenCount {
  return {
    inputTokens: total.inputTokens + more.inputTokens,
    outputTokens: total.outputTokens + more.outputTokens,
    estimated: total.estimated || more.estimated,
  };
}
