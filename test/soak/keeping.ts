/** Where the runs of a soak are kept, and what becomes of the place: its size over time, what leaves it, what stays. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  fileStore,
  memoryStore,
  prune,
  runStatuses,
  type Store,
  type StoredRun,
  sqliteStore,
} from '../../src/store.ts';
import { countedStore, noCounts, type StoreCounts } from './counted-store.ts';
import { type MemoryVerdict, verdictOn } from './memory.ts';

export const storeKinds = ['file', 'sqlite', 'memory'] as const;
export type StoreKind = (typeof storeKinds)[number];

/** What is in the store at one moment. */
export interface StoreSize {
  readonly runs: number;
  /** Of all runs, as the list tells them. */
  readonly bytes: number;
  /** On the disk, with all that is not of a run; of a store in memory the same as `bytes`. */
  readonly onDisk: number;
}

export interface KeptVerdict {
  readonly kind: StoreKind;
  readonly lines: number;
  readonly linesPerSecond: number;
  readonly waits: StoreCounts['waits'];
  readonly first: StoreSize;
  readonly middle: StoreSize;
  readonly last: StoreSize;
  readonly most: StoreSize;
  /** Bytes for each run that may still be there. */
  readonly bytesPerRun: MemoryVerdict;
  readonly pruned: number;
  /** What was there and should not have been, in words; the first few. */
  readonly strays: readonly string[];
  /** What was there when all had ended, and all of that was pruned. */
  readonly left: readonly string[];
}

export interface Keeping {
  /** Two ways into the same place, as two processes have; one where it is the memory. */
  readonly stores: readonly [Store, ...Store[]];
  began(runId: string): void;
  ended(runId: string): void;
  lines(): number;
  /** Removes what ended a while ago. On a slow disk that takes longer than it takes to look. */
  prune(): Promise<void>;
  /** Looks at what is there. */
  look(): Promise<void>;
  /** Prunes all. `interrupted`: runs that did not end are nothing to wonder about. */
  finish(interrupted: boolean): Promise<KeptVerdict>;
}

const mostStrays = 5;
const nothing: StoreSize = { runs: 0, bytes: 0, onDisk: 0 };

/** `keepMs`: so long a run stays behind its end. `parent`: of the folder that is made, and removed at the end. */
export function openKeeping(
  kind: StoreKind,
  { keepMs, parent = tmpdir() }: { readonly keepMs: number; readonly parent?: string },
): Keeping {
  const folder = kind === 'memory' ? null : mkdtempSync(join(parent, 'fuseloop-soak-'));
  const counts = noCounts();
  const plain = storesOf(kind, folder);
  const [store, ...others] = plain;
  const live = new Set<string>();
  /** When each run that may still be there came to its end. */
  const endedAtMs = new Map<string, number>();
  const sizes: StoreSize[] = [];
  const perRun: number[] = [];
  const strays: string[] = [];
  const beganMs = performance.now();
  let pruned = 0;
  /** What ended before this instant has been pruned. */
  let prunedUntilMs = 0;

  const sizeOf = (runs: readonly StoredRun[]): StoreSize => {
    const bytes = runs.reduce((sum, run) => sum + run.bytes, 0);
    return { runs: runs.length, bytes, onDisk: folder === null ? bytes : bytesIn(folder) };
  };
  const judge = (runs: readonly StoredRun[], dueMs: number, before: ReadonlySet<string>) => {
    for (const { runId, status, stopReason } of runs) {
      if (live.has(runId) || before.has(runId)) continue;
      const atMs = endedAtMs.get(runId);
      if (atMs !== undefined && atMs >= dueMs) continue; // it may have ended since it was listed
      if (strays.length < mostStrays) strays.push(`${runId}: ${status} ${stopReason ?? ''}`.trim());
    }
  };

  return {
    stores: [countedStore(store, counts), ...others.map((one) => countedStore(one, counts))],
    began: (runId) => void live.add(runId),
    ended(runId) {
      live.delete(runId);
      endedAtMs.set(runId, Date.now());
    },
    lines: () => counts.lines,
    async prune() {
      const dueMs = Date.now() - keepMs;
      pruned += await prune(store, { endedBeforeMs: dueMs });
      prunedUntilMs = dueMs;
    },
    async look() {
      const dueMs = prunedUntilMs;
      const before = new Set(live);
      const runs = await store.list();
      judge(runs, dueMs, before);
      for (const [runId, atMs] of endedAtMs) if (atMs < dueMs) endedAtMs.delete(runId);
      const size = sizeOf(runs);
      sizes.push(size);
      const mayBe = live.size + endedAtMs.size;
      if (mayBe > 0) perRun.push(size.bytes / mayBe);
    },
    async finish(interrupted) {
      const seconds = (performance.now() - beganMs) / 1_000;
      const open = await store.list({ status: runStatuses.filter((status) => status !== 'ended') });
      if (!interrupted) judge(open, Number.POSITIVE_INFINITY, new Set());
      const everything = { endedBeforeMs: Date.now() + 60_000 };
      pruned += await prune(store, everything);
      const left = (await store.list()).map(({ runId, status, heldBy }) =>
        `${runId}: ${status} ${heldBy ?? ''}`.trim(),
      );
      for (const one of plain) await one.close();
      if (folder !== null) {
        if (kind === 'file') left.push(...readdirSync(folder));
        rmSync(folder, { recursive: true, force: true });
      }
      const [first = nothing, middle = nothing, last = nothing] = [0, 0.5, 1].map(
        (share) => sizes[Math.round(share * (sizes.length - 1))],
      );
      return {
        ...{ kind, lines: counts.lines, linesPerSecond: counts.lines / seconds, waits: counts.waits },
        ...{ first, middle, last, most: sizes.reduce(larger, nothing) },
        ...{ bytesPerRun: verdictOn(perRun), pruned, strays, left: interrupted ? [] : left.slice(0, mostStrays) },
      };
    },
  };
}

function storesOf(kind: StoreKind, folder: string | null): readonly [Store, ...Store[]] {
  if (kind === 'memory' || folder === null) return [memoryStore()];
  if (kind === 'file') return [fileStore(folder), fileStore(folder)];
  const file = join(folder, 'runs.db');
  return [sqliteStore(file), sqliteStore(file)];
}

function larger(one: StoreSize, other: StoreSize): StoreSize {
  return other.onDisk > one.onDisk ? other : one;
}

/** Files come and go while it looks. */
function bytesIn(folder: string): number {
  return readdirSync(folder).reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
