import { useEffect, useMemo, useState } from 'preact/hooks';
import type { RunView } from '../../../observe/run-view.ts';

import type { Now } from '../timeline/axis.ts';

const everyMs = 250;

/** The time of a run: of one that is live it goes on between its events. */
export function useNow(view: RunView | null, isLive: boolean): Now {
  const { phase = 'ended', atMs = 0, lastWallMs = 0 } = view ?? {};
  const goesOn = isLive && (phase === 'running' || phase === 'waiting');
  const [ticks, tick] = useState(0);
  useEffect(() => {
    if (!goesOn) return undefined;
    const timer = setInterval(() => tick((count) => count + 1), everyMs);
    return () => clearInterval(timer);
  }, [goesOn]);
  // It is another time with each tick.
  return useMemo(() => {
    const sinceMs = goesOn ? Math.max(0, Date.now() - lastWallMs) : 0;
    return { atMs: phase === 'running' ? atMs + sinceMs : atMs, wallMs: lastWallMs + sinceMs };
  }, [goesOn, phase, atMs, lastWallMs, ticks]);
}
