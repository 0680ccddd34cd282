/** Bugs that the matrix must find, each put between the run and its store. */
import type { HeldRun, JournalLine, Store } from '../../src/core/store.ts';

export const plants = {
  /** Says that lines are durable which are not: some are always still to be written. */
  lies: (store: Store): Store => ({ ...store, open: async (runId) => lying(await store.open(runId)) }),
  /** Loses the newest lines that were durable. */
  forgets: (store: Store): Store => ({ ...store, open: async (runId) => forgetting(await store.open(runId)) }),
} as const satisfies Readonly<Record<string, (store: Store) => Store>>;
export type Plant = keyof typeof plants;

const heldBack = 4;

function lying(held: HeldRun): HeldRun {
  let waiting: JournalLine[] = [];
  const flush = async (but: number) => {
    const due = waiting.slice(0, Math.max(0, waiting.length - but));
    waiting = waiting.slice(due.length);
    if (due.length > 0) await held.append(due);
  };
  return {
    ...held,
    append(lines) {
      waiting.push(...lines);
      void flush(heldBack);
      return Promise.resolve();
    },
    async replace(lines) {
      waiting = [];
      await held.replace(lines);
    },
    async release() {
      await flush(0);
      await held.release();
    },
  };
}

function forgetting(held: HeldRun): HeldRun {
  return { ...held, lines: held.lines.length > 3 ? held.lines.slice(0, -2) : held.lines };
}
