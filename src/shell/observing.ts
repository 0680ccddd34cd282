/** Whoever looks at runs: each sees a copy of every event, and none can change the run or disturb another. */
import type { Observer, TraceEvent } from '../core/trace.ts';
import type { RunPlan } from './plan.ts';
import { unheeded } from './within.ts';

/** `run`: one object for all events of a run in this process. */
export function observe(
  { observers }: Pick<RunPlan, 'observers'>,
  event: TraceEvent,
  run: Parameters<Observer>[1],
): void {
  for (const observer of observers) unheeded(() => observer(structuredClone(event), run));
}

export function readObservers(given: Observer | readonly Observer[] = []): readonly Observer[] {
  return typeof given === 'function' ? [given] : given;
}

export function areObservers(given: unknown): boolean {
  return typeof given === 'function' || (Array.isArray(given) && given.every((one) => typeof one === 'function'));
}
