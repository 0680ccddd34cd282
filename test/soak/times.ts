/** How long something took, over millions of times, in a fixed size. */

export interface Times {
  add(ms: number): void;
  /** Milliseconds, within 2 %; 0 where nothing was counted. */
  quantile(share: number): number;
}

/** Each bucket of time is so much longer than the one before. */
const growth = 1.02;
const buckets = 1_000;

export function createTimes(): Times {
  const times = new Uint32Array(buckets);
  return {
    add(ms) {
      const bucket = Math.min(Math.round(Math.log(1 + ms) / Math.log(growth)), buckets - 1);
      times[bucket] = (times[bucket] ?? 0) + 1;
    },
    quantile(share) {
      const total = times.reduce((sum, count) => sum + count, 0);
      let left = Math.ceil(total * share);
      const bucket = times.findIndex((count) => {
        left -= count;
        return left <= 0;
      });
      return total === 0 ? 0 : growth ** bucket - 1;
    },
  };
}
