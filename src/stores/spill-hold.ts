/** Hold of a run whose contents are kept apart. Lines go to the store in the order in which they came, each behind its contents. */
import type { HeldRun, JournalLine } from '../core/store.ts';
import type { Blob, LeanLine } from './apart.ts';
import { type Blobs, blobsFailed } from './blobs.ts';
import { letGo } from './store-errors.ts';

interface Spilling {
  readonly runId: string;
  readonly inner: HeldRun;
  readonly blobs: Blobs;
  readonly spill: (line: JournalLine) => { readonly line: LeanLine; readonly blob: Blob | null };
}

type Pass = (lines: readonly JournalLine[]) => Promise<void>;

export function spillingHold({
  runId,
  inner,
  blobs,
  spill,
}: Spilling): Pick<HeldRun, 'append' | 'replace' | 'release'> {
  let failure: unknown = null;
  let releasing: Promise<void> | null = null;
  /** Settles when all that came so far was handed to the store, and what was replaced is swept away. Never rejects. */
  let handed: Promise<unknown> = Promise.resolve();
  /** Nothing is kept while contents are removed, and nothing removed while they are kept. */
  let swept: Promise<unknown> = Promise.resolve();
  const puts = new Set<Promise<unknown>>();
  /** What is to stay, for each sweep that is still to come. */
  const staying = new Set<Set<string>>();

  const put = async (found: readonly Blob[]) => {
    await swept;
    try {
      await Promise.all(found.map(({ sha256, text }) => blobs.put(runId, sha256, text)));
    } catch (thrown) {
      throw blobsFailed('kept', thrown);
    }
  };

  /** Resolves when the lines were handed to the store, with the promise that they are stored. */
  const hand = async (lines: readonly LeanLine[], found: readonly Blob[], pass: Pass, before: Promise<unknown>) => {
    const kept = put(found);
    const settled = kept.catch(() => {}).finally(() => puts.delete(settled));
    puts.add(settled);
    await before;
    await kept;
    if (failure !== null) throw failure;
    return { written: pass(lines) };
  };

  async function write(lines: readonly JournalLine[], pass: Pass, sweeps: boolean): Promise<void> {
    if (failure !== null) throw failure;
    if (releasing !== null) throw letGo(runId);
    try {
      const parts = lines.map(spill);
      const found = parts.flatMap(({ blob }) => blob ?? []);
      const mine = new Set<string>();
      if (sweeps) staying.add(mine);
      for (const set of staying) for (const { sha256 } of found) set.add(sha256);
      const lean = parts.map(({ line }) => line);
      const handing = hand(lean, found, pass, handed);
      handed = handing.then(({ written }) => (sweeps ? sweep(written, mine) : null)).catch(() => {});
      await (await handing).written;
    } catch (thrown) {
      failure ??= thrown;
      throw thrown;
    }
  }

  /** Once the new lines are stored nothing refers to the old contents. */
  async function sweep(written: Promise<void>, mine: Set<string>): Promise<void> {
    try {
      await written;
      if (blobs.keep === undefined) return;
      const waited = Promise.all(puts);
      swept = waited.then(() => blobs.keep?.(runId, [...mine])).catch(() => {});
      await swept;
    } finally {
      staying.delete(mine);
    }
  }

  return {
    append: (lines) => write(lines, (lean) => inner.append(lean), false),
    replace: (lines) => write(lines, (lean) => inner.replace(lean), true),
    release() {
      releasing ??= handed.then(() => inner.release());
      return releasing;
    },
  };
}
