/**
 * The events of a run for any number of readers, each at its own pace. A reader that comes late gets all that is in the
 * trace from the beginning. Events of the trace are never dropped (a run is bounded); pieces of replies are, for a
 * reader who falls behind.
 */
import { isTraceEvent, type LiveEvent, type TraceEvent } from '../core/trace.ts';

const mostDeltasWaiting = 1_000;

export interface LiveFeed {
  push(event: LiveEvent): void;
  /** After this nothing is pushed any more, and each reader ends when it has read what there is. */
  close(): void;
  read(): AsyncIterableIterator<LiveEvent>;
}

type Resolve = (result: IteratorResult<LiveEvent>) => void;

/** Either events wait for the reader, or the reader waits for events. */
interface Reader {
  events: LiveEvent[];
  deltas: number;
  asking: Resolve[];
}

const ended: IteratorResult<LiveEvent> = Object.freeze({ done: true, value: undefined });

export function liveFeed(): LiveFeed {
  const past: TraceEvent[] = [];
  const readers = new Set<Reader>();
  let open = true;

  return {
    push(event) {
      if (isTraceEvent(event)) past.push(event);
      for (const reader of readers) offer(reader, event);
    },
    close() {
      open = false;
      for (const reader of readers) dismiss(reader);
    },
    read() {
      const reader: Reader = { events: [...past], deltas: 0, asking: [] };
      if (open) readers.add(reader);
      return {
        next: () => {
          const event = take(reader);
          if (event !== null) return Promise.resolve(given(event));
          if (!readers.has(reader) || !open) return Promise.resolve(ended);
          return new Promise((resolve) => reader.asking.push(resolve));
        },
        return: () => {
          readers.delete(reader);
          reader.events = [];
          dismiss(reader);
          return Promise.resolve(ended);
        },
        [Symbol.asyncIterator]() {
          return this;
        },
      };
    },
  };
}

/** Each reader has an event of its own: what it writes into it is seen by nobody else, nor by the run. */
function given(event: LiveEvent): IteratorResult<LiveEvent> {
  return { done: false, value: structuredClone(event) };
}

function offer(reader: Reader, event: LiveEvent): void {
  const asking = reader.asking.shift();
  if (asking !== undefined) {
    asking(given(event));
    return;
  }
  if (event.type === 'reply.delta' && ++reader.deltas > mostDeltasWaiting) return;
  reader.events.push(event);
}

/** The count of deltas starts anew for a reader who has caught up. */
function take(reader: Reader): LiveEvent | null {
  const event = reader.events.shift();
  if (event === undefined) {
    reader.deltas = 0;
    return null;
  }
  return event;
}

function dismiss(reader: Reader): void {
  for (const asking of reader.asking.splice(0)) asking(ended);
}
