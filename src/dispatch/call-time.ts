/** Time as gates and calls are given it. Types only. */

/** Milliseconds, on one monotonic clock. */
export interface CallTime {
  nowMs(): number;
  /** Of the running time of the run. */
  leftMs(): number;
  /** Returns what cancels it. */
  later(delayMs: number, fire: () => void): () => void;
}
