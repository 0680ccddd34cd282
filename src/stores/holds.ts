/**
 * The holds that were given out here. One of this very thread counts only while it is among them: one that was let go, also
 * where that could not be written, or that was never handed out, is in nobody's way.
 */
import { randomUUID } from 'node:crypto';
import type { HeldRun } from '../core/store.ts';

/** Another one for each time that this module is loaded, as in another thread: what is held there is not known here. */
export const instance = randomUUID();

const living = new Set<string>();

/** The name of a hold, from before it is written anywhere. */
export function beginHold(): string {
  const hold = randomUUID();
  living.add(hold);
  return hold;
}

/** Only when nothing more is written through it. */
export function endHold(hold: string): void {
  living.delete(hold);
}

export function isLiving(hold: string | null): boolean {
  return hold !== null && living.has(hold);
}

type Release = () => Promise<void>;

/** Of all stores: a hold that nobody remembers lasts as long as the process, and so does its open file. */
const heldHere = new Set<Release>();

/** The holds of one store. */
export interface Holds {
  /** What `work` gives, until it is let go. A `release` that failed may be asked again, and is with the next hold that is taken. */
  take(work: () => Promise<HeldRun>): Promise<HeldRun>;
  /** Lets all go, also those that are being taken. Rejects with what the first says that cannot be let go. */
  close(): Promise<void>;
}

export function createHolds(): Holds {
  const taking = new Set<Promise<HeldRun>>();
  const held = new Set<Release>();
  const failed = new Set<Release>();

  /** Without its lines, which whoever goes on with the run may forget. */
  function remembered({ epoch, lines, append, replace, release: inner }: HeldRun): HeldRun {
    let releasing: Promise<void> | null = null;
    const letGo = async () => {
      try {
        await inner();
        for (const set of [held, failed, heldHere]) set.delete(release);
      } catch (thrown) {
        releasing = null;
        failed.add(release);
        throw thrown;
      }
    };
    const release = () => {
      releasing ??= letGo();
      return releasing;
    };
    held.add(release);
    heldHere.add(release);
    return { epoch, lines, append, replace, release };
  }

  return {
    async take(work) {
      for (const release of failed) release().catch(() => {});
      const taken = work().then(remembered);
      taking.add(taken);
      try {
        return await taken;
      } finally {
        taking.delete(taken);
      }
    },
    async close() {
      const released = [...held].map((release) => release());
      const late = [...taking].map((taken) => taken.catch(() => null).then((run) => run?.release()));
      const ends = await Promise.allSettled([...released, ...late]);
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    },
  };
}
