/**
 * Which calls begin. A trace does not say so: it follows from the calls, as in the machine (`startCalls`, `startNext` and
 * `nothingMayStart` there). Pure.
 */
import { changeOpen, charge, openStep } from './fold-view.ts';
import type { CallView, RunView } from './run-view.ts';

/** Reads that stand together begin together, as many as may; anything else begins alone. */
export function started(view: RunView): RunView {
  const calls = openStep(view)?.calls ?? [];
  const first = calls.findIndex(isReady);
  if (first === -1) return view;
  const begun = new Set<CallView>();
  for (const call of calls.slice(first)) {
    if (!isReady(call)) continue;
    if (begun.size > 0 && (call.effect !== 'readOnly' || begun.size >= view.limits.maxParallel)) break;
    begun.add(call);
    if (call.effect !== 'readOnly') break;
  }
  return withBegun(view, begun);
}

/** A call has settled, and the run acts on: a read takes the free place beside others, or the next calls begin. */
export function startedNext(view: RunView): RunView {
  const calls = openStep(view)?.calls ?? [];
  const others = calls.filter(({ status }) => status === 'running').length;
  if (others === 0) return started(view);
  const next = calls.find(isReady);
  const joins = next?.effect === 'readOnly' && others < view.limits.maxParallel && !nothingMayStart(view, calls);
  return joins ? withBegun(view, new Set([next])) : view;
}

function isReady({ status }: CallView): boolean {
  return status === 'ready';
}

function withBegun(view: RunView, begun: ReadonlySet<CallView>): RunView {
  const { atMs } = view;
  const running = changeOpen(view, (step) => ({
    ...step,
    calls: step.calls.map((call) =>
      begun.has(call) ? { ...call, status: 'running' as const, startedAtMs: atMs } : call,
    ),
  }));
  return charge(running, { toolCalls: begun.size });
}

/** The budget has no room for them, or no reply is left that could use a result. `calls`: at least one is ready. */
function nothingMayStart({ usage, limits, answer, steps, fold }: RunView, calls: readonly CallView[]): boolean {
  if (answer !== null || usage.totalTokens > limits.maxTokens) return true;
  const ready = calls.filter(isReady).length;
  if (usage.toolCalls + ready > limits.maxToolCalls) return true;
  const stepsLeft = limits.maxSteps - (steps.at(-1)?.number ?? 0) - fold.nestedSteps;
  if (stepsLeft > 0 && usage.totalTokens < limits.maxTokens) return false;
  return !calls.some(({ status, endsRun }) => endsRun && (status === 'ready' || status === 'waiting'));
}
