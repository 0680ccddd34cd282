/** Whether a run that ended can go on with the limits that it is given, or would end again before anything happens. Pure. */
import type { Budget } from '../core/limits.ts';
import type { RunLimits, Snapshot } from '../core/snapshot.ts';
import { totalTokens } from '../core/usage.ts';
import type { Port } from '../step.ts';

/** What is spent, and from what value on the run could go on. */
export interface StillSpent {
  readonly limit: keyof Budget;
  readonly used: string;
  readonly least: number;
}

/** The budget with which the run would end at once; null where it goes on. Fuses are looked at before. */
export function stillSpent({ context, atMs }: Snapshot, limits: RunLimits, port: Port): StillSpent | null {
  const { stopReason, step, nestedSteps, toolCalls, tokens, calls } = context;
  const ms = Math.floor(atMs);
  const wallClock: StillSpent = { limit: 'wallClockMs', used: `used ${ms} ms`, least: ms + 1 };
  if (atMs >= limits.wallClockMs) return wallClock;
  const total = totalTokens(tokens);
  const most = Math.max(total, context.limits.maxTokens);
  const maxTokens: StillSpent = { limit: 'maxTokens', used: `used ${total} tokens of ${most}`, least: most + 1 };
  // A prompt that did not fit shows in no count.
  if (stopReason === 'token_budget' && limits.maxTokens <= context.limits.maxTokens) return maxTokens;
  const waiting = calls.filter(({ status }) => status === 'ready').length || 1;
  switch (port.reopen(context, limits).snapshot.context.stopReason) {
    case 'max_steps':
      return { limit: 'maxSteps', used: `used ${step + nestedSteps}`, least: step + nestedSteps + 1 };
    case 'token_budget':
      return maxTokens;
    case 'max_tool_calls':
      return { limit: 'maxToolCalls', used: `used ${toolCalls}, and needs ${waiting}`, least: toolCalls + waiting };
    case 'timeout':
      return wallClock;
    default:
      return null;
  }
}
