/** What the gates are given of a run. */
import type { EffectRecord } from '../core/snapshot.ts';
import type { GateOptions } from '../dispatch/gates.ts';
import type { RunScope } from './scope.ts';
import { armTimer } from './timer.ts';

export function gateOptions({ plan, history, parsed, nowMs }: RunScope, effects: readonly EffectRecord[]): GateOptions {
  const { toolbox, messages, within, timeouts, policy, clock, limits } = plan;
  return {
    toolbox,
    messages,
    within,
    hookMs: timeouts.hookMs,
    effects,
    parsed,
    policy,
    startsBefore: (tool) =>
      history.steps.reduce(
        (sum, { calls }) => sum + calls.filter((call) => call.tool === tool && wasStarted(call)).length,
        0,
      ),
    time: {
      nowMs: clock.monotonicMs,
      leftMs: () => limits.wallClockMs - nowMs(),
      later(delayMs, fire) {
        const atMs = clock.monotonicMs() + delayMs;
        return armTimer(clock, clock.monotonicMs, () => atMs, fire);
      },
    },
  };
}

function wasStarted({ startedAtMs }: { readonly startedAtMs: number | null }): boolean {
  return startedAtMs !== null;
}
