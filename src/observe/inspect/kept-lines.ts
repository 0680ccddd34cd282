/** The events of a run as lines of JSON, bounded in memory. What a person decides about is kept whole. */
import { begins, type TraceEvent } from '../../core/trace.ts';
import { briefEvent, mostItems } from './brief.ts';
import { overhead, sizeOf } from './event-size.ts';
import { middleOf } from './middle.ts';

export interface KeptLines {
  /** Only ever appended to. Events that were cut since have one line in their places, the same in each: `trace.dropped`. */
  readonly lines: readonly Buffer[];
  /** Of memory. */
  bytes(): number;
  /** Events that are not kept. Those whose texts were cut say so themselves (`cut`). */
  lost(): number;
  /** Whether a call that waits stands in the lines with its whole input. */
  hasWhole(callId: string): boolean;
  add(event: TraceEvent): void;
  /** Cuts about half of what lies between the beginning and the last step. False where nothing lies there. */
  shrink(): boolean;
}

/** In bytes: a copy of such an event costs nothing. */
const small = 10_000;

/**
 * Above `mostBytes` long texts are cut; above one and a half times as much only beginnings and ends are kept, and up to twice as much
 * the steps whose calls wait for a person.
 */
export function keptLines(mostBytes: number): KeptLines {
  const lines: Buffer[] = [];
  const middle = middleOf(lines);
  /** Calls that wait, and of which not all is kept. */
  const cut = new Set<string>();
  /** Of the last step, what was left out: without it, nobody sees its calls. */
  let leftOut: Buffer[] = [];
  let [bytes, lost] = [0, 0];

  const isRoom = (line: Buffer | null, most: number): line is Buffer => line !== null && bytes + costOf(line) <= most;
  const keep = (line: Buffer) => {
    lines.push(line);
    bytes += costOf(line);
  };
  const bytesLeftOut = () => leftOut.reduce((sum, line) => sum + costOf(line), 0);
  const addAsked = (event: TraceEvent, whole: Buffer | null) => {
    const isKept = isRoom(whole, 2 * mostBytes - bytesLeftOut());
    if (isKept) {
      lost -= leftOut.length;
      for (const line of leftOut.splice(0)) keep(line);
      keep(whole);
    }
    for (const { callId, place } of askedIn(event)) {
      // Of a reply that was cut, as many calls are shown.
      if (isKept && place < mostItems) cut.delete(callId);
      else cut.add(callId);
    }
    return isKept;
  };
  /** What belongs behind something that was left out waits with it. */
  const waits = (event: TraceEvent) => leftOut.length > 0 && makesCalls(event);
  const addBrief = (event: TraceEvent, whole: Buffer | null) => {
    const line = briefLine(event, whole);
    const isKept = isRoom(line, 1.5 * mostBytes) || (isTurningPoint(event) && bytes <= 2 * mostBytes);
    if (line !== null && isKept && !waits(event)) return keep(line);
    lost++;
    if (line !== null && makesCalls(event)) leftOut.push(line);
  };
  return {
    lines,
    bytes: () => bytes + bytesLeftOut(),
    lost: () => lost,
    hasWhole: (callId) => !cut.has(callId),
    add(event) {
      middle.comes(event);
      if (event.type === 'prompt.sent') leftOut = [];
      const isAsked = concernsAsking(event);
      const whole = wholeLine(event, (isAsked ? 2 : 1) * mostBytes - bytes);
      if (isAsked && addAsked(event, whole)) return;
      if (isRoom(whole, mostBytes) && !waits(event)) keep(whole);
      else addBrief(event, whole);
    },
    shrink() {
      const freed = middle.cut(costOf);
      bytes -= freed.bytes;
      lost += freed.lines;
      return freed.lines > 0;
    },
  };
}

function costOf(line: Buffer): number {
  return line.length + overhead;
}

/** Kept of the largest run: whether it is over must be known. */
function isTurningPoint(event: TraceEvent): boolean {
  return begins(event) || event.type === 'run.ended';
}

/** What a step is opened with, and where its calls come from. */
function makesCalls({ type }: TraceEvent): boolean {
  return type === 'prompt.sent' || type === 'reply.stopped' || type === 'reply.ended';
}

function concernsAsking(event: TraceEvent): boolean {
  return event.type.startsWith('approval.') || askedIn(event).length > 0;
}

/** The calls that wait for a person, by what this event says, and their places among all calls of the reply. */
function askedIn(event: TraceEvent): readonly { readonly callId: string; readonly place: number }[] {
  if (event.type === 'calls.checked')
    return event.verdicts.flatMap(({ callId, pass }, place) => (pass === 'ask' ? [{ callId, place }] : []));
  if (event.type === 'run.resumed')
    return event.calls.flatMap(({ callId, status }, place) => (status === 'asking' ? [{ callId, place }] : []));
  return [];
}

/** Of a large event for which there is no room, no copy is made. */
function wholeLine(event: TraceEvent, room: number): Buffer | null {
  const most = Math.max(small, room);
  return sizeOf(event, most) > most ? null : lineOf(event);
}

/** Marked where it holds less than the whole: so whoever reads it knows. */
function briefLine(event: TraceEvent, whole: Buffer | null): Buffer | null {
  const short = briefEvent(event);
  const line = lineOf(short);
  return line === null || (whole !== null && line.equals(whole)) ? line : lineOf({ ...short, cut: true });
}

/** With memory of its own: a piece of a pool would hold all of it. Null for what is no JSON: a program may show anything. */
function lineOf(event: TraceEvent): Buffer | null {
  try {
    const text = JSON.stringify(event);
    const line = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
    line.write(text);
    return line;
  } catch {
    return null;
  }
}
