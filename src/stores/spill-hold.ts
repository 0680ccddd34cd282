/** Hold of a run whose contents are kept apart. Lines go to the store in the order in which they came, each behind its contents. */
import type { HeldRun, JournalLine } from '../core/store.ts';
import type { Blob, LeanLine } from './apart.ts';
import type { Blobs } from './blobs.ts';
import { createKeeper, type Sweep } from './keep-apart.ts';
import { letGo } from './store-errors.ts';

interface Spilling {
  readonly runId: string;
  readonly inner: Pick<HeldRun, 'append' | 'replace' | 'release'>;
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
  const keeper = createKeeper(runId, blobs);
  let failure: unknown = null;
  let isLetGo = false;
  /** Settles when all that came so far was handed to the store, and what was replaced is swept away. Never rejects. */
  let handed: Promise<unknown> = Promise.resolve();

  /** Resolves when the lines were handed to the store, with the promise that they are stored. */
  async function hand(lines: readonly LeanLine[], kept: Promise<void>, pass: Pass, before: Promise<unknown>) {
    kept.catch(() => {}); // It is waited for behind what came before.
    await before;
    await kept;
    if (failure !== null) throw failure;
    return { written: pass(lines) };
  }

  async function write(lines: readonly JournalLine[], pass: Pass, mark: () => Sweep | null): Promise<void> {
    if (failure !== null) throw failure;
    if (isLetGo) throw letGo(runId);
    try {
      const parts = lines.map(spill);
      const sweep = mark();
      const kept = keeper.put(parts.flatMap(({ blob }) => blob ?? []));
      const lean = parts.map(({ line }) => line);
      const handing = hand(lean, kept, pass, handed);
      handed = handing.then(({ written }) => sweep?.sweepBehind(written)).catch(() => {});
      await (await handing).written;
    } catch (thrown) {
      failure ??= thrown;
      throw thrown;
    }
  }

  return {
    append: (lines) =>
      write(
        lines,
        (lean) => inner.append(lean),
        () => null,
      ),
    replace: (lines) => write(lines, (lean) => inner.replace(lean), keeper.mark),
    release() {
      isLetGo = true;
      return handed.then(() => inner.release());
    },
  };
}
