/** A trace as a list, and what is to be known of it. */
import type { TraceEvent } from '../../src/core/trace.ts';
import { readTrace, type TraceSource } from '../../src/trace.ts';

export async function readAll(source: TraceSource) {
  const reading = readTrace(source);
  const events: TraceEvent[] = [];
  for await (const event of reading) events.push(event);
  return { events, notes: reading.notes };
}
