/** What the gates are given of a run. */
import type { EffectRecord } from '../core/snapshot.ts';
import type { ApprovalOptions } from '../core/tool.ts';
import type { CallTime } from '../dispatch/call-time.ts';
import type { GateOptions } from '../dispatch/gates.ts';
import { missingTools } from './answer-gate.ts';
import type { History } from './history.ts';
import type { RunPlan } from './plan.ts';
import type { RunScope } from './scope.ts';
import { armTimer } from './timer.ts';

export function gateOptions(scope: RunScope, effects: readonly EffectRecord[]): GateOptions {
  const { plan, history, parsed } = scope;
  const { toolbox, messages, within, timeouts, policy } = plan;
  return {
    toolbox,
    messages,
    within,
    hookMs: timeouts.hookMs,
    effects,
    twin: () => undefined,
    asksAgain: true,
    parsed,
    policy,
    missing: () => missingTools(plan.requireTools, history.steps),
    startsBefore: (tool) =>
      history.steps.reduce(
        (sum, { calls }) => sum + calls.filter((call) => call.tool === tool && wasStarted(call)).length,
        0,
      ),
    approvalOptions: (toolCallId) => ({ toolCallId, ...toldOf(plan, history) }),
    time: timeOf(scope),
  };
}

/** What a tool, and its question whether to ask, are told of the run. */
export function toldOf({ context }: RunPlan, history: History): Omit<ApprovalOptions, 'toolCallId'> {
  return { messages: history.shown(), context, experimental_context: context };
}

/** Waits within the time of the run. */
export function timeOf({ plan: { clock, limits }, nowMs }: RunScope): CallTime {
  return {
    nowMs: clock.monotonicMs,
    leftMs: () => limits.wallClockMs - nowMs(),
    later(delayMs, fire) {
      const atMs = clock.monotonicMs() + delayMs;
      return armTimer(clock, clock.monotonicMs, () => atMs, fire);
    },
  };
}

function wasStarted({ startedAtMs }: { readonly startedAtMs: number | null }): boolean {
  return startedAtMs !== null;
}
