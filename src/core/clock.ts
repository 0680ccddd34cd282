/** Time as a parameter. Types only; `src/shell/system-clock.ts` is the real one. */

export interface Clock {
  /** Milliseconds on a clock that never goes back. */
  monotonicMs(): number;
  /** Milliseconds since 1970, for people and for deadlines that outlive the process. */
  wallMs(): number;
  /** Calls `fire` once after at least `delayMs`; returns what cancels it. `delayMs` is at most 2^31 - 1. */
  setTimer(delayMs: number, fire: () => void): () => void;
}
