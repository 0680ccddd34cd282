/** The streams that are open, woken in batches: a thousand events in a moment are one message to each. */
import type { ServerResponse } from 'node:http';
import { safeHeaders } from './headers.ts';
import type { Hold } from './hold.ts';
import type { Holds } from './holds.ts';
import { listReader } from './list-reader.ts';
import { runReader } from './run-reader.ts';
import { openStream, type Stream, type StreamOptions } from './stream.ts';

export interface Readers {
  /** False where too many streams are open. */
  list(response: ServerResponse): boolean;
  run(response: ServerResponse, hold: Hold, from: number): boolean;
  /** Something is new about the run, or in the list. */
  changed(hold: Hold | null): void;
  close(): void;
}

export interface ReadersOptions {
  readonly holds: () => Holds;
  /** In milliseconds: who takes nothing for so long is cut off. */
  readonly stallMs: number;
  /** Told how many lists are open, which is how many pages. */
  readonly onPages: (open: number) => void;
}

const mostStreams = 100;
/** In milliseconds, from a change until it is told: about as often as a page is drawn, and as one can read. */
const batchMs = Object.freeze({ run: 40, list: 200 });

export function createReaders({ holds, stallMs, onPages }: ReadersOptions): Readers {
  const lists = new Set<Stream>();
  const runs = new Map<Stream, Hold>();
  const awake = new Set<Hold>();
  const wakeLists = batched(batchMs.list, () => {
    for (const stream of lists) stream.wake();
  });
  const wakeRuns = batched(batchMs.run, () => {
    for (const [stream, hold] of runs) {
      if (!holds().has(hold)) stream.close();
      else if (awake.has(hold)) stream.wake();
    }
    awake.clear();
  });
  const isFull = () => lists.size + runs.size >= mostStreams;
  const open = (response: ServerResponse, next: StreamOptions['next'], closed: (stream: Stream) => void) => {
    const stream = openStream({ response, headers: safeHeaders, next, stallMs, onClose: () => closed(stream) });
    return stream;
  };
  return {
    list(response) {
      if (isFull()) return false;
      const next = listReader(holds(), () => response.destroy());
      const closed = (stream: Stream) => {
        if (lists.delete(stream)) onPages(lists.size);
      };
      lists.add(open(response, next, closed));
      onPages(lists.size);
      return true;
    },
    run(response, hold, from) {
      if (isFull()) return false;
      runs.set(
        open(response, runReader(hold, from), (stream) => runs.delete(stream)),
        hold,
      );
      return true;
    },
    changed(hold) {
      if (hold === null) {
        if (lists.size > 0) wakeLists.soon();
        return;
      }
      if (runs.size === 0) return;
      awake.add(hold);
      wakeRuns.soon();
    },
    close() {
      wakeLists.cancel();
      wakeRuns.cancel();
      for (const stream of [...lists, ...runs.keys()]) stream.close();
    },
  };
}

/** Does the work at most once in so many milliseconds. It keeps no process alive. */
function batched(everyMs: number, work: () => void) {
  let due: NodeJS.Timeout | null = null;
  return {
    soon() {
      due ??= setTimeout(() => {
        due = null;
        work();
      }, everyMs).unref();
    },
    cancel() {
      if (due !== null) clearTimeout(due);
    },
  };
}
