/** How numbers are spread: mean and largest exactly, percentiles in bounded memory. Pure but for the adding. */

export interface Spread {
  readonly count: number;
  readonly total: number;
  readonly mean: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

export interface Spreading {
  /** A number that is not finite, or below zero, is left out. */
  add(value: number): void;
  /** Null where nothing was added. */
  spread(): Spread | null;
}

/** So many numbers are kept as they are; more are counted in buckets. */
const mostKept = 1_000;
/** Of a bucket: what it holds differs by at most 1 % from its middle. */
const growth = 1.02;

/**
 * Percentiles are by nearest rank: of 20 values p95 is the 19th. They are exact up to 1,000 values; behind that values are counted in
 * buckets, each 2 % wider than the one before, so that a percentile is right to 1 % and memory no longer grows.
 * Source: Masson, Rim, Lee, DDSketch, 2019, https://arxiv.org/abs/1908.10693
 */
export function createSpread(): Spreading {
  let kept: number[] = [];
  const buckets = new Map<number, number>();
  let [count, total, min, max] = [0, 0, Number.POSITIVE_INFINITY, 0];

  const intoBucket = (value: number) => {
    const bucket = value < 1e-9 ? Number.NEGATIVE_INFINITY : Math.floor(Math.log(value) / Math.log(growth));
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
  };
  const inBuckets = (rank: number): number => {
    let seen = 0;
    for (const [bucket, held] of [...buckets].sort(([one], [other]) => one - other)) {
      seen += held;
      if (seen >= rank) return Number.isFinite(bucket) ? Math.min(max, Math.max(min, growth ** (bucket + 0.5))) : 0;
    }
    return max;
  };

  return {
    add(value) {
      if (!Number.isFinite(value) || value < 0) return;
      count++;
      total += value;
      min = Math.min(min, value);
      max = Math.max(max, value);
      if (count <= mostKept) kept.push(value);
      else intoBucket(value);
      if (count !== mostKept + 1) return;
      for (const one of kept) intoBucket(one);
      kept = [];
    },
    spread() {
      if (count === 0) return null;
      const sorted = kept.toSorted((one, other) => one - other);
      const at = (share: number) => {
        const rank = Math.ceil(share * count);
        return count <= mostKept ? (sorted[rank - 1] ?? max) : inBuckets(rank);
      };
      return { count, total, mean: total / count, p50: at(0.5), p95: at(0.95), max };
    },
  };
}
