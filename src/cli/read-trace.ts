/** Traces as the command line reads them: what is no trace is misuse. */
import type { TraceEvent } from '../core/trace.ts';
import { eventsOf, noNotes, type TraceNotes } from '../observe/trace-reader.ts';

/** What the reader should know of the file. */
export type TraceFaults = TraceNotes;

export const noFaults = noNotes;

/** `name` is for messages. Throws misuse that names the line. */
export function readTrace(
  chunks: AsyncIterable<Uint8Array | string>,
  name: string,
  faults: TraceFaults,
): AsyncGenerator<TraceEvent> {
  return eventsOf(chunks, name, faults);
}
