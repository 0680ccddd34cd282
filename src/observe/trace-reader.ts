/** `readTrace`: a trace as it stands in a file, read event by event and checked. Nothing but one line is held. */
import { createReadStream } from 'node:fs';
import { AgentError } from '../core/errors.ts';
import { isJsonObject } from '../core/json.ts';
import { messageOf } from '../core/message-of.ts';
import { isOfRecording } from '../core/recording-format.ts';
import { begins, type TraceEvent, traceFormat } from '../core/trace.ts';
import { isTraceDropped, isTraceEvent, traceEventProblem } from '../shapes/trace-event.ts';
import { type Line, linesOf } from './trace-lines.ts';

/** What is to be known of a file, as far as it has been read; each but `dropped` at most once. */
export interface TraceNotes {
  /** The last line breaks off: the program that wrote it ended there. */
  torn: number | null;
  /** The first line before which an event is missing, and nothing says why. */
  gap: number | null;
  /** Events that its writer left out, and says so. */
  dropped: number;
  /** Events in which its writer cut texts, since their line would have been too long. */
  cut: number;
  /** The first run whose end is not there, and the last line that is. */
  endless: { readonly runId: string; readonly line: number } | null;
  /** It is no trace but a recording, of what a model said. */
  isRecording: boolean;
}

export function noNotes(): TraceNotes {
  return { torn: null, gap: null, dropped: 0, cut: 0, endless: null, isRecording: false };
}

/** Lines, each one event; or bytes or texts in pieces of any length. */
export type TraceSource = string | URL | Iterable<string> | AsyncIterable<Uint8Array | string>;

export interface TraceReading extends AsyncIterable<TraceEvent> {
  /** Complete once it has been read to its end. */
  readonly notes: Readonly<TraceNotes>;
}

/**
 * Reads a trace: the path or the URL of a file, a stream, or a list of lines. Iterate over it, once, for its events. A last line
 * that breaks off is left out; that, and what is missing, is in `notes`.
 *
 * The iteration throws AgentError (`invalid_option`) that names the line and the member: for what is no trace or of a version
 * that is not known, and for a file that cannot be read. `name` is for those messages.
 */
export function readTrace(
  source: TraceSource,
  { name = nameOf(source) }: { readonly name?: string } = {},
): TraceReading {
  const notes = noNotes();
  return { notes, [Symbol.asyncIterator]: () => eventsOf(piecesOf(source), name, notes) };
}

function nameOf(source: TraceSource): string {
  return typeof source === 'string' || source instanceof URL ? String(source) : 'the trace';
}

async function* piecesOf(source: TraceSource): AsyncGenerator<Uint8Array | string> {
  if (typeof source === 'string' || source instanceof URL) yield* createReadStream(source);
  else if (Symbol.asyncIterator in source) yield* source;
  else for (const line of source) yield line.endsWith('\n') ? line : `${line}\n`;
}

/** In code units. An event holds at most one conversation, or the calls of one reply. */
const longestLine = 100_000_000;

/** `notes` are kept while it is read. */
export async function* eventsOf(
  pieces: AsyncIterable<Uint8Array | string>,
  name: string,
  notes: TraceNotes,
): AsyncGenerator<TraceEvent> {
  let standing: Standing | null = null;
  for await (const line of linesOf(readable(pieces, name), longestLine)) {
    const value = jsonIn(line, name, notes);
    if (value === undefined) continue;
    if (isTraceDropped(value)) {
      notes.dropped += value.count;
      standing = { due: value.to + 1, open: openOf(standing) };
      continue;
    }
    const event = eventOf(value, line, name, notes);
    if (standing === null && !begins(event))
      throw wrong(name, line, `is ${event.type}, and a trace begins with run.started or run.resumed`);
    standing = after(standing, event, line, notes);
    if (event.cut === true) notes.cut++;
    yield event;
  }
  if (standing === null) throw unreadable(`${name} holds no events.`, whatATraceIs);
  notes.endless ??= standing.open;
}

/** Behind an event. */
interface Standing {
  /** The sequence of the next one. */
  readonly due: number;
  /** The run of which there is no end yet. */
  readonly open: TraceNotes['endless'];
}

function after(before: Standing | null, event: TraceEvent, { number }: Line, notes: TraceNotes): Standing {
  const due = event.sequence + 1;
  const open = openOf(before);
  if (begins(event)) {
    // After a crash a run goes on from its snapshot.
    const goesOn = event.type === 'run.resumed' && event.runId === open?.runId;
    if (!goesOn) notes.endless ??= open;
    return { due, open: { runId: event.runId, line: number } };
  }
  if (event.sequence !== before?.due) notes.gap ??= number;
  return { due, open: open === null || event.type === 'run.ended' ? null : { ...open, line: number } };
}

function openOf(standing: Standing | null): Standing['open'] {
  return standing?.open ?? null;
}

/** Undefined for an empty line, and for a last one that breaks off. */
function jsonIn(line: Line, name: string, notes: TraceNotes): unknown {
  if (line.text.trim() === '') return undefined;
  if (line.text.length > longestLine) throw wrong(name, line, `is longer than ${longestLine} characters`);
  try {
    const value: unknown = JSON.parse(line.text);
    return value;
  } catch (thrown) {
    if (line.ended || line.number === 1) throw wrong(name, line, 'is no JSON', thrown);
    notes.torn = line.number;
    return undefined;
  }
}

function eventOf(value: unknown, line: Line, name: string, notes: TraceNotes): TraceEvent {
  if (isTraceEvent(value)) return value;
  if (isOfRecording(value)) {
    notes.isRecording = line.number === 1;
    throw wrong(name, line, 'is of a recording, of what a model said, for replay(file) of fuseloop/record');
  }
  const later = laterFormat(value);
  if (later === null) throw wrong(name, line, `is no event of a trace (${traceEventProblem(value) ?? ''})`);
  throw unreadable(
    `${name}, line ${line.number}, is of the format ${JSON.stringify(later)}; this version of fuseloop reads ${traceFormat}.`,
    'Read it with the version of fuseloop that wrote it, or a later one.',
  );
}

function laterFormat(value: unknown): string | null {
  const format = isJsonObject(value) ? value.format : null;
  return typeof format === 'string' && format.startsWith('fuseloop.trace/') && format !== traceFormat
    ? format.slice(0, 40)
    : null;
}

const whatATraceIs = `A trace is what fuseloop run --trace FILE writes: one JSON object a line, of the format ${traceFormat}.`;

function wrong(name: string, { number }: Line, what: string, cause?: unknown): AgentError {
  return unreadable(`${name}, line ${number}, ${what}.`, whatATraceIs, cause);
}

function unreadable(message: string, hint: string, cause?: unknown): AgentError {
  return new AgentError('invalid_option', message, { hint, cause });
}

async function* readable(
  pieces: AsyncIterable<Uint8Array | string>,
  name: string,
): AsyncGenerator<Uint8Array | string> {
  try {
    yield* pieces;
  } catch (thrown) {
    throw unreadable(
      `${name} cannot be read: ${messageOf(thrown)}.`,
      'Name a file that is there, or - for stdin.',
      thrown,
    );
  }
}
