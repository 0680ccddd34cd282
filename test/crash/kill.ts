/** Where a process of the matrix dies: by its own hand, with SIGKILL, so that nothing of it is tidied up. */
import type { HeldRun, JournalLine, Store } from '../../src/core/store.ts';

/**
 * `before`: the line has not been given to the store. `given`: it has, and is not durable. `durable`: it is, and the run has
 * not heard of it. A line is an event or a checkpoint, counted from 0 in each process. `started`: a tool has begun and done
 * nothing. `done`: its effect has happened, and it has not returned. `outside`: the parent kills it, so many milliseconds
 * after the run began.
 */
export type Kill =
  | { readonly at: 'before' | 'given' | 'durable'; readonly line: number }
  | { readonly at: 'started' | 'done'; readonly call: number }
  | { readonly at: 'outside'; readonly afterMs: number };

export function nameOfKill(kill: Kill): string {
  if (kill.at === 'outside') return `killed from outside after ${kill.afterMs} ms`;
  if ('line' in kill) return `${placeOfLine[kill.at]} (line ${kill.line})`;
  return `${kill.at === 'started' ? 'in a tool, before its effect' : 'in a tool, behind its effect'} (call ${kill.call})`;
}

const placeOfLine = {
  before: 'before a line is given to the store',
  given: 'while a line is being written',
  durable: 'as soon as a line is durable',
} as const;

export interface Life {
  /** A tool begins. */
  readonly started: () => void;
  /** Its effect has happened. */
  readonly done: () => void;
  /** The store, in which the process dies where it should. */
  readonly mortal: (store: Store) => Store;
  /** Lines given to the store so far, and tools begun. */
  readonly count: () => { readonly lines: number; readonly calls: number };
}

export function createLife(kill: Kill | null): Life {
  let lines = 0;
  let calls = -1;
  const isHere = (at: Kill['at'], place: number) =>
    kill !== null && kill.at === at && ('line' in kill ? kill.line : 'call' in kill ? kill.call : -1) === place;

  /** The places of these lines; each is one, also where several are given at once. */
  const written = (more: readonly JournalLine[], write: () => Promise<void>): Promise<void> => {
    const places = more.map(() => lines++);
    if (places.some((place) => isHere('before', place))) die();
    const writing = write();
    if (places.some((place) => isHere('given', place))) die();
    return places.some((place) => isHere('durable', place)) ? writing.then(die) : writing;
  };
  const mortalRun = (held: HeldRun): HeldRun => ({
    epoch: held.epoch,
    lines: held.lines,
    append: (more) => written(more, () => held.append(more)),
    replace: (others) => written(others, () => held.replace(others)),
    release: () => held.release(),
  });

  return {
    started() {
      calls++;
      if (isHere('started', calls)) die();
    },
    done() {
      if (isHere('done', calls)) die();
    },
    mortal: (store) => ({ ...store, open: async (runId) => mortalRun(await store.open(runId)) }),
    count: () => ({ lines, calls: calls + 1 }),
  };
}

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('A process that was killed goes on.');
}
