/** What a soak counts. All of it is of a fixed size, however long it goes on. */
import type { Outcome, TraceEvent } from '../../src/index.ts';

export interface Tally {
  readonly runs: () => number;
  readonly steps: () => number;
  /** How often runs ended with each stop reason. */
  readonly endings: ReadonlyMap<string, number>;
  /** Of each step number, from 1: tries that were made, and those that failed. */
  readonly tries: readonly { readonly made: number; readonly failed: number }[];
  /** Milliseconds, within 2 %; 0 where nothing was counted. */
  quantile(share: number): number;
  add(outcome: Outcome, trace: readonly TraceEvent[]): void;
}

/** Each bucket of time is so much longer than the one before. */
const growth = 1.02;
const buckets = 1_000;

export function createTally(maxSteps: number): Tally {
  const endings = new Map<string, number>();
  const tries = Array.from({ length: maxSteps }, () => ({ made: 0, failed: 0 }));
  const times = new Uint32Array(buckets);
  let runs = 0;
  let steps = 0;
  return {
    runs: () => runs,
    steps: () => steps,
    endings,
    tries,
    quantile(share) {
      const total = times.reduce((sum, count) => sum + count, 0);
      let left = Math.ceil(total * share);
      const bucket = times.findIndex((count) => {
        left -= count;
        return left <= 0;
      });
      return total === 0 ? 0 : growth ** bucket - 1;
    },
    add(outcome, trace) {
      runs++;
      endings.set(outcome.stopReason, 1 + (endings.get(outcome.stopReason) ?? 0));
      steps += outcome.usage.steps;
      for (const step of outcome.steps) countTime(times, step.endedAtMs - step.startedAtMs);
      for (const event of trace) countTry(tries, event);
    },
  };
}

function countTime(times: Uint32Array, ms: number): void {
  const bucket = Math.min(Math.round(Math.log(1 + ms) / Math.log(growth)), buckets - 1);
  times[bucket] = (times[bucket] ?? 0) + 1;
}

function countTry(tries: readonly { made: number; failed: number }[], event: TraceEvent): void {
  const at = 'step' in event ? tries[event.step - 1] : undefined;
  if (at === undefined) return;
  if (event.type === 'prompt.sent') at.made++;
  if (event.type === 'reply.failed') at.failed++;
}
