/** What is left of a run's budget, and how it is charged. Pure. */
import type { ReactContext } from '../src/core/snapshot.ts';
import type { Spent, TokenCount } from '../src/core/usage.ts';
import type { Happening } from './edge.ts';

/** Model calls; below zero where agents that ran as tools made more than were left. */
export function stepsLeft({ limits, step, nestedSteps }: ReactContext): number {
  return limits.maxSteps - step - nestedSteps;
}

/** What an agent that ran as a tool spent, as an event tells, is spent here, too. */
export function chargeNested(context: ReactContext, event: Happening): ReactContext {
  return 'spent' in event && event.spent !== undefined ? charge(context, event.spent) : context;
}

export function charge(context: ReactContext, { steps, toolCalls, tokens }: Spent): ReactContext {
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
