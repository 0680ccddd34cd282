/**
 * How every foreign promise is awaited: with a limit. Types only; `src/shell/within.ts` is the one implementation.
 */

/** `late`: the limit passed first, and whatever comes afterwards is not used. */
export type Settled<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'thrown'; readonly thrown: unknown }
  | { readonly kind: 'late' };

/**
 * Calls `work` and gives its result to `settle`: exactly once, and never after the returned `cancel` was called. A plain
 * value settles at once, within the call. What comes after the limit, or after `cancel`, goes to `afterwards`.
 */
export type Within = <Value>(
  limitMs: number,
  work: () => Value | PromiseLike<Value>,
  settle: (settled: Settled<Value>) => void,
  afterwards?: (settled: Settled<Value>) => void,
) => () => void;
