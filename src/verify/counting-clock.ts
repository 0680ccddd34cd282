/** A clock that knows how many of its timers are armed: those of tools are theirs, and all others must be gone in the end. */
import type { Clock } from '../core/clock.ts';

export interface CountingClock extends Pick<Clock, 'setTimer'> {
  armed(): number;
}

export function countingClock(clock: Pick<Clock, 'setTimer'>): CountingClock {
  let armed = 0;
  return {
    armed: () => armed,
    setTimer(delayMs, fire) {
      let open = true;
      const close = () => {
        if (open) armed--;
        open = false;
      };
      armed++;
      const cancel = clock.setTimer(delayMs, () => {
        close();
        fire();
      });
      return () => {
        close();
        cancel();
      };
    },
  };
}
