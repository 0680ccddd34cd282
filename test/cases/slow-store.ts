/** The store of a case: in memory, and as slow as the case says. */
import type { Clock } from '../../src/index.ts';
import { memoryStore, type Store } from '../../src/store.ts';

/** Each write takes `writeDelayMs`, one behind the other, as on one disk. */
export function slowStore(writeDelayMs: number, { setTimer }: Pick<Clock, 'setTimer'>): Store {
  const store = memoryStore();
  return {
    ...store,
    async open(runId) {
      const held = await store.open(runId);
      let before: Promise<void> = Promise.resolve();
      const inTurn = (write: () => Promise<void>): Promise<void> => {
        const wait = () => new Promise<void>((resolve) => setTimer(writeDelayMs, resolve));
        before = before.then(wait).then(write);
        return before;
      };
      return {
        ...held,
        append: (lines) => inTurn(() => held.append(lines)),
        replace: (lines) => inTurn(() => held.replace(lines)),
      };
    },
  };
}
