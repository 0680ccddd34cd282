/** What a soak counts. All of it is of a fixed size, however long it goes on. */
import type { Outcome, TraceEvent } from '../../src/index.ts';
import { createTimes, type Times } from './times.ts';

export interface Tally {
  readonly runs: () => number;
  readonly steps: () => number;
  /** How often runs ended with each stop reason. */
  readonly endings: ReadonlyMap<string, number>;
  /** Of each step number, from 1: tries that were made, and those that failed. */
  readonly tries: readonly { readonly made: number; readonly failed: number }[];
  /** Of steps, in milliseconds. */
  readonly quantile: Times['quantile'];
  add(outcome: Outcome, trace: readonly TraceEvent[]): void;
}

export function createTally(maxSteps: number): Tally {
  const endings = new Map<string, number>();
  const tries = Array.from({ length: maxSteps }, () => ({ made: 0, failed: 0 }));
  const times = createTimes();
  let runs = 0;
  let steps = 0;
  return {
    runs: () => runs,
    steps: () => steps,
    endings,
    tries,
    quantile: times.quantile,
    add(outcome, trace) {
      runs++;
      endings.set(outcome.stopReason, 1 + (endings.get(outcome.stopReason) ?? 0));
      steps += outcome.usage.steps;
      for (const step of outcome.steps) times.add(step.endedAtMs - step.startedAtMs);
      for (const event of trace) countTry(tries, event);
    },
  };
}

function countTry(tries: readonly { made: number; failed: number }[], event: TraceEvent): void {
  const at = 'step' in event ? tries[event.step - 1] : undefined;
  if (at === undefined) return;
  if (event.type === 'prompt.sent') at.made++;
  if (event.type === 'reply.failed') at.failed++;
}
