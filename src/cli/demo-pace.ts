/** The clock of the scripted models. */
import type { Clock } from '../core/clock.ts';
import { systemClock } from '../shell/system-clock.ts';

/** FUSELOOP_DEMO_PACE stretches the pauses of a demonstration; our tests set it to 0. Not for users, so not in the help. */
export function demoClock(pace: string | undefined): Clock {
  const factor = Number(pace ?? 1);
  if (!(factor >= 0 && factor <= 100)) return systemClock;
  return { ...systemClock, setTimer: (delayMs, fire) => systemClock.setTimer(delayMs * factor, fire) };
}
