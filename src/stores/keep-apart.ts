/** The contents of one run that is held: kept, and swept away once no line refers to them any more. */
import type { Blob } from './apart.ts';
import { type Blobs, blobsFailed } from './blobs.ts';

export interface Keeper {
  /** Resolves when all would survive a power cut. */
  put(found: readonly Blob[]): Promise<void>;
  /** From now on all that is put stays, and what was put before may go: `sweep` removes it. */
  mark(): Sweep;
}

export interface Sweep {
  /** Rejects with what `written` says, and then removes nothing. What cannot be removed goes with the next sweep. */
  sweepBehind(written: Promise<void>): Promise<void>;
}

/** Nothing is put while contents are removed, and nothing removed while they are put. */
export function createKeeper(runId: string, blobs: Blobs): Keeper {
  let swept: Promise<unknown> = Promise.resolve();
  const puts = new Set<Promise<unknown>>();
  /** What is to stay, for each sweep that is still to come. */
  const staying = new Set<Set<string>>();

  async function putAll(found: readonly Blob[], behind: Promise<unknown>): Promise<void> {
    await behind;
    try {
      await Promise.all(found.map(({ sha256, text }) => blobs.put(runId, sha256, text)));
    } catch (thrown) {
      throw blobsFailed('kept', thrown);
    }
  }

  return {
    put(found) {
      for (const set of staying) for (const { sha256 } of found) set.add(sha256);
      const kept = putAll(found, swept);
      const settled = kept.catch(() => {}).finally(() => puts.delete(settled));
      puts.add(settled);
      return kept;
    },
    mark() {
      const mine = new Set<string>();
      staying.add(mine);
      return {
        async sweepBehind(written) {
          try {
            await written;
            swept = Promise.all(puts)
              .then(() => blobs.keep?.(runId, [...mine]))
              .catch(() => {});
            await swept;
          } finally {
            staying.delete(mine);
          }
        },
      };
    },
  };
}
