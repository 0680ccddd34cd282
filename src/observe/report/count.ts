/** Counting by name. */

/** Adds one. */
export function count<Key>(counts: Map<Key, number>, key: Key, more = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + more);
}

/** The most frequent first. */
export function byCount([, one]: readonly [string, number], [, other]: readonly [string, number]): number {
  return other - one;
}
