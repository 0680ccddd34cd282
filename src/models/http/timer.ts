/** Timers of any length. */

const longestTimerMs = 2 ** 31 - 1;

/** A longer time than one timer takes is waited for in parts; none at all is not waited for. Returns what clears it. */
export function after(delayMs: number, fire: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const arm = (leftMs: number) => {
    const partMs = Math.min(leftMs, longestTimerMs);
    timer = setTimeout(() => (leftMs > partMs ? arm(leftMs - partMs) : fire()), partMs);
  };
  if (delayMs > 0) arm(delayMs);
  else fire();
  return () => clearTimeout(timer);
}
