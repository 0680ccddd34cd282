/**
 * The life of one process: until it dies. What is armed or awaited in it after that never comes, as when a machine loses
 * power; what it had begun in the world stays begun.
 */
import type { Clock } from '../core/clock.ts';

export interface Life {
  /** For the loop. */
  readonly engine: Clock;
  /** For the model, the tools and the person: the same time, counted apart. */
  readonly world: Clock;
  /** Timers of the loop that are armed. */
  armed(): number;
  dead(): boolean;
  die(): void;
  /** The promise while the process lives; afterwards it never settles. */
  while<Value>(promise: Promise<Value>): Promise<Value>;
}

export function createLife(clock: Clock): Life {
  let dead = false;
  let armed = 0;
  const view = (count: (change: 1 | -1) => void): Clock => ({
    monotonicMs: clock.monotonicMs,
    wallMs: clock.wallMs,
    setTimer(delayMs, fire) {
      if (dead) return () => {};
      let open = true;
      const close = () => {
        if (open) count(-1);
        open = false;
      };
      count(1);
      const cancel = clock.setTimer(delayMs, () => {
        close();
        if (!dead) fire();
      });
      return () => {
        close();
        cancel();
      };
    },
  });
  return {
    engine: view((change) => {
      armed += change;
    }),
    world: view(() => {}),
    armed: () => armed,
    dead: () => dead,
    die() {
      dead = true;
    },
    while: (promise) =>
      new Promise((resolve, reject) => {
        promise.then(
          (value) => dead || resolve(value),
          (thrown) => dead || reject(thrown),
        );
      }),
  };
}
