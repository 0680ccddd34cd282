/** A trace as it stands in a file, read event by event and checked. What is no trace is misuse. */
import { messageOf } from '../core/message-of.ts';
import { type TraceEvent, traceFormat } from '../core/trace.ts';
import { isOfRecording } from '../record/recording.ts';
import { misuse } from './misuse.ts';
import { type Line, linesOf } from './read-lines.ts';
import { traceEventProblem } from './schemas.ts';

/** What the reader should know of the file; each at most once. */
export interface TraceFaults {
  /** The last line breaks off: the program that wrote it ended there. */
  torn: number | null;
  /** The first line before which an event is missing. */
  gap: number | null;
  /** The first run whose end is not there, and the last line that is. */
  endless: { readonly runId: string; readonly line: number } | null;
  /** It is no trace but a recording, of what a model said. */
  isRecording: boolean;
}

export function noFaults(): TraceFaults {
  return { torn: null, gap: null, endless: null, isRecording: false };
}

/** In code units. An event holds at most one conversation, or the calls of one reply. */
const longestLine = 100_000_000;

/** `name` is for messages. Throws misuse that names the line. */
export async function* readTrace(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  faults: TraceFaults,
): AsyncGenerator<TraceEvent> {
  let standing: Standing | null = null;
  for await (const line of linesOf(readable(chunks, name), longestLine)) {
    if (line.text.trim() === '') continue;
    if (line.text.length > longestLine) throw wrong(name, line, `is longer than ${longestLine} characters`);
    const event = eventOf(line, name, faults);
    if (event === null) continue;
    if (standing === null && !begins(event))
      throw wrong(name, line, `is ${event.type}, and a trace begins with run.started or run.resumed`);
    standing = after(standing, event, line, faults);
    yield event;
  }
  if (standing === null) throw misuse(`${name} holds no events.`, whatATraceIs);
  faults.endless ??= standing.open;
}

/** Behind an event. */
interface Standing {
  /** The sequence of the next one. */
  readonly due: number;
  /** The run of which there is no end yet. */
  readonly open: TraceFaults['endless'];
}

function after(before: Standing | null, event: TraceEvent, { number }: Line, faults: TraceFaults): Standing {
  const due = event.sequence + 1;
  const open = before?.open ?? null;
  if (begins(event)) {
    // After a crash a run goes on from its snapshot.
    const goesOn = event.type === 'run.resumed' && event.runId === open?.runId;
    if (!goesOn) faults.endless ??= open;
    return { due, open: { runId: event.runId, line: number } };
  }
  if (event.sequence !== before?.due) faults.gap ??= number;
  return { due, open: open === null || event.type === 'run.ended' ? null : { ...open, line: number } };
}

function begins(event: TraceEvent): event is TraceEvent & { readonly type: 'run.started' | 'run.resumed' } {
  return event.type === 'run.started' || event.type === 'run.resumed';
}

/** Null for a last line that breaks off. */
function eventOf(line: Line, name: string, faults: TraceFaults): TraceEvent | null {
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch (thrown) {
    if (line.ended || line.number === 1) throw wrong(name, line, 'is no JSON', thrown);
    faults.torn = line.number;
    return null;
  }
  if (isTraceEvent(value)) return value;
  if (isOfRecording(value)) {
    faults.isRecording = line.number === 1;
    throw wrong(name, line, 'is of a recording, of what a model said, for replay(file) of fuseloop/record');
  }
  throw wrong(name, line, `is no event of a trace (${traceEventProblem(value) ?? ''})`);
}

function isTraceEvent(value: unknown): value is TraceEvent {
  return traceEventProblem(value) === null;
}

const whatATraceIs = `A trace is what fuseloop run --trace FILE writes: one JSON object a line, of the format ${traceFormat}.`;

function wrong(name: string, { number }: Line, what: string, cause?: unknown): Error {
  return misuse(`${name}, line ${number}, ${what}.`, whatATraceIs, cause);
}

async function* readable(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (thrown) {
    throw misuse(`${name} cannot be read: ${messageOf(thrown)}.`, 'Name a file that is there, or - for stdin.', thrown);
  }
}
