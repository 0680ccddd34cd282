/** Stores that fail at one place, in one way: each on top of a store that keeps what it was given. */
import type { Clock } from '../../src/core/clock.ts';
import type { HeldRun, Store } from '../../src/core/store.ts';

export const ways = ['hangs', 'rejects', 'rejects with no error', 'throws', 'answers too late'] as const;
export type Way = (typeof ways)[number];

export interface Fault {
  readonly at: 'open' | 'append' | 'replace' | 'release';
  /** The how-manieth of them, from 0; all that come behind it fail as well. */
  readonly from: number;
  readonly way: Way;
}

/** `lateMs`: how long it takes to answer too late. What is late has been done all the same. */
export function faulty(store: Store, { at, from, way }: Fault, clock: Pick<Clock, 'setTimer'>, lateMs: number): Store {
  const asked = { open: 0, append: 0, replace: 0, release: 0 };
  let isBroken = false;
  const faultOf = <Value>(method: Fault['at'], work: () => Promise<Value>): Promise<Value> => {
    const isWrite = method === 'append' || method === 'replace';
    // As the contract says: once a write has failed, so does every later one.
    const isWell = !(isWrite && isBroken) && (method !== at || asked[method]++ < from);
    if (isWell) return work();
    isBroken ||= isWrite;
    return fail(way, work, clock, lateMs);
  };
  const run = (held: HeldRun): HeldRun => ({
    epoch: held.epoch,
    lines: held.lines,
    append: (lines) => faultOf('append', () => held.append(lines)),
    replace: (lines) => faultOf('replace', () => held.replace(lines)),
    release: () => faultOf('release', () => held.release()),
  });
  return { ...store, open: (runId) => faultOf('open', async () => run(await store.open(runId))) };
}

function fail<Value>(
  way: Way,
  work: () => Promise<Value>,
  clock: Pick<Clock, 'setTimer'>,
  lateMs: number,
): Promise<Value> {
  switch (way) {
    case 'hangs':
      return new Promise(() => {});
    case 'rejects':
      return Promise.reject(new Error('the disk is gone'));
    case 'rejects with no error':
      return Promise.reject(undefined);
    case 'throws':
      throw new Error('the disk is gone');
    case 'answers too late':
      return new Promise((resolve, reject) => clock.setTimer(lateMs, () => void work().then(resolve, reject)));
  }
}
