/** A sliding window over the starts of one tool, shared by all runs of an agent. Pure but for what it remembers. */
import type { CallTime } from './call-time.ts';

/** At most `calls` starts in any `perMs` milliseconds. */
export interface RateLimit {
  readonly calls: number;
  readonly perMs: number;
}

export interface RateWindow {
  /** How long the next start has to wait, in milliseconds. */
  waitMs(nowMs: number): number;
  /** Keeps the place of a start that happens `waitMs` from now, or at `fromMs` if that is later; returns what gives it back. */
  take(nowMs: number, fromMs: number): () => void;
}

export function createRateWindow({ calls, perMs }: RateLimit): RateWindow {
  let starts: number[] = [];
  const forget = (nowMs: number) => {
    starts = starts.filter((startMs) => startMs > nowMs - perMs);
  };
  const nextMs = (nowMs: number): number => {
    forget(nowMs);
    const before = starts.length < calls ? undefined : starts[starts.length - calls];
    return before === undefined ? nowMs : Math.max(nowMs, before + perMs);
  };
  return {
    waitMs: (nowMs) => nextMs(nowMs) - nowMs,
    take(nowMs, fromMs) {
      const startMs = Math.max(nextMs(nowMs), fromMs);
      starts.push(startMs);
      starts.sort((one, other) => one - other);
      return () => {
        const at = starts.indexOf(startMs);
        if (at >= 0) starts.splice(at, 1);
      };
    },
  };
}

/** Until the window has a place, in milliseconds. */
export function waitFor(window: RateWindow | null, time: CallTime): number {
  return window === null ? 0 : Math.ceil(window.waitMs(time.nowMs()));
}

/**
 * Takes a place in the window, if there is one, waits for it, and goes on; at once where there is nothing to wait for. Returns
 * what cancels it: a start that does not happen gives its place back.
 */
export function inItsPlace(window: RateWindow | null, waitMs: number, time: CallTime, start: () => void): () => void {
  const nowMs = time.nowMs();
  const giveBack = window?.take(nowMs, nowMs + waitMs);
  if (waitMs <= 0) {
    start();
    return () => {};
  }
  let isWaiting = true;
  const cancel = time.later(waitMs, () => {
    isWaiting = false;
    start();
  });
  return () => {
    cancel();
    if (isWaiting) giveBack?.();
    isWaiting = false;
  };
}
