/** Whether memory stays flat: the heap after a collection, in slices of time, of each the lowest. */

export interface Memory {
  /** Collects and looks. Needs `--expose-gc`. */
  look(): void;
  verdict(): MemoryVerdict;
}

export interface MemoryVerdict {
  /** Bytes: the lowest of the first slice behind the warm-up, and of the last one. */
  readonly first: number;
  readonly last: number;
  /** Bytes that a slice is higher than the one before: the median over all pairs of slices. */
  readonly slope: number;
  /** Null where there was too little time to tell. */
  readonly flat: boolean | null;
}

const slices = 8;
/** Of all that was seen before this, nothing counts: caches fill, code is compiled. */
const warmUp = 0.25;
/** With fewer looks than this in a slice, what happens to be in flight decides. */
const looksPerSlice = 3;
/** The growth over all slices that is taken for noise: a share of the heap. */
const noise = 0.1;

export function createMemory(): Memory {
  const heaps: number[] = [];
  return {
    look() {
      if (globalThis.gc === undefined) throw new Error('A soak needs a process with --expose-gc.');
      globalThis.gc();
      heaps.push(process.memoryUsage().heapUsed);
    },
    verdict: () => verdictOn(heaps),
  };
}

export function verdictOn(heaps: readonly number[]): MemoryVerdict {
  const warm = heaps.slice(Math.floor(heaps.length * warmUp));
  const size = warm.length / slices;
  const lowest = Array.from({ length: slices }, (_, slice) =>
    Math.min(...warm.slice(Math.floor(slice * size), Math.max(Math.floor((slice + 1) * size), 1))),
  );
  const [first = 0, last = 0] = [lowest[0], lowest.at(-1)];
  if (size < looksPerSlice) return { first: warm[0] ?? 0, last: warm.at(-1) ?? 0, slope: 0, flat: null };
  const slope = slopeOf(lowest);
  return { first, last, slope, flat: slope * slices <= noise * first };
}

/** Theil–Sen: one odd slice does not move it. */
function slopeOf(values: readonly number[]): number {
  const slopes = values.flatMap((one, at) => values.slice(at + 1).map((other, behind) => (other - one) / (behind + 1)));
  const sorted = slopes.sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
