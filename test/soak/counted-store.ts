/** A store that counts what became durable through it, and how long that took. */
import type { HeldRun, JournalLine, Store } from '../../src/store.ts';
import { createTimes, type Times } from './times.ts';

export interface StoreCounts {
  /** Lines that became durable. */
  lines: number;
  /** From handing lines over until they were durable, in milliseconds. */
  readonly waits: Times;
}

export function noCounts(): StoreCounts {
  return { lines: 0, waits: createTimes() };
}

export function countedStore(store: Store, counts: StoreCounts): Store {
  const counted = async (lines: readonly JournalLine[], written: Promise<void>): Promise<void> => {
    const fromMs = performance.now();
    await written;
    counts.lines += lines.length;
    counts.waits.add(performance.now() - fromMs);
  };
  const hold = (held: HeldRun): HeldRun => ({
    ...held,
    append: (lines) => counted(lines, held.append(lines)),
    replace: (lines) => counted(lines, held.replace(lines)),
  });
  return { ...store, open: async (runId) => hold(await store.open(runId)) };
}
