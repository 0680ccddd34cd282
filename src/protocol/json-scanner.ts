/**
 * The scanner of the dialect `json`: the first JSON object that is a step counts, wherever it stands in the reply. Pure,
 * one pass. A call is acted on only when the reply ended well, or when an invented observation follows the whole object.
 */
import type { Reading } from '../core/reading.ts';
import type { ReadOptions, Scanner } from './dialect.ts';
import { fenceAt } from './fences.ts';
import { isMadeUp } from './json-lead.ts';
import { keptText, readTurn } from './json-reading.ts';
import { callOf, createTurn, type Turn, takeObject, thoughtOf } from './json-turn.ts';
import { isBlank, labelAt } from './labels.ts';
import { createLineScanner } from './line-scanner.ts';
import { replayLines } from './scanner.ts';
import { createTracker, objectOpens, type Tracker } from './tracker.ts';

export function createJsonScanner(options: ReadOptions): Scanner {
  return createLineScanner({
    begin: (feed) => createTurn(options, feed),
    line: takeLine,
    peek: peekLine,
    close: closeObject,
    read: readAndReport,
    kept: keptText,
  });
}

/** The stop of an object is known only when the whole reply has been read. */
function readAndReport(turn: Turn): Reading {
  const reading = readTurn(turn);
  if (reading.kind === 'calls') turn.marks.report('action', reading.thought, []);
  if (reading.kind === 'answer') turn.marks.report('answer', reading.thought, []);
  return reading;
}

function takeLine(turn: Turn, line: string, at: number): void {
  if (turn.found !== null) return takeRestLine(turn, line);
  if (turn.tracker !== null && endsObject(turn, turn.tracker, line, at)) takeObject(turn, at, false);
  if (turn.found !== null) return takeRestLine(turn, line);
  if (turn.tracker !== null) return takeObjects(turn, line, 0, at);
  const from = turn.thinking.take(line, at);
  if (from >= 0) takeLeadLine(turn, line, from, at);
}

function takeLeadLine(turn: Turn, line: string, from: number, at: number): void {
  const rest = from === 0 ? line : line.slice(from);
  turn.lead.push(rest);
  if (!isMadeUp(turn.madeUp, rest)) takeObjects(turn, line, from, at);
}

/** A label, or the end of its fence, stands outside a string where the object should go on: its closers are missing. */
function endsObject(turn: Turn, tracker: Tracker, line: string, at: number): boolean {
  const label = labelAt(line);
  const isLabel = label !== null && !label.lower;
  if (!isLabel && fenceAt(line)?.bare !== true) return false;
  if (isLabel && turn.firstLabelAt < 0) turn.firstLabelAt = at;
  return !tracker.inString();
}

/** Follows the open object, and each further one that begins on the line, up to the first that is a step. */
function takeObjects(turn: Turn, line: string, start: number, at: number): void {
  let from = start;
  while (turn.found === null) {
    if (turn.tracker === null) {
      from = nextObject(line, from);
      if (from < 0) return;
      turn.objectAt = at + from;
      turn.firstLabelAt = -1;
      turn.tracker = createTracker();
    }
    const closed = turn.tracker.take(line, from);
    turn.object.push(line.slice(from, closed < 0 ? line.length : closed));
    if (closed < 0) return;
    takeObject(turn, at + closed, true);
    from = closed;
  }
  takeRestLine(turn, line.slice(from));
}

/** The next brace on the line behind which an object can begin, or -1. */
function nextObject(line: string, from: number): number {
  let brace = line.indexOf('{', from);
  while (brace >= 0 && !objectOpens(line, brace)) brace = line.indexOf('{', brace + 1);
  return brace;
}

/** Behind a call only an observation matters: the model makes one up. */
function takeRestLine(turn: Turn, line: string): void {
  if (turn.found?.kind !== 'call') return;
  if (turn.observing && !isBlank(line)) return reportObservation(turn);
  const label = labelAt(line);
  if (label?.kind !== 'observation' || label.lower) return;
  if (isBlank(line.slice(label.contentAt))) turn.observing = true;
  else reportObservation(turn);
}

function peekLine(turn: Turn, head: string): void {
  if (turn.found?.kind !== 'call') return;
  if (turn.observing && !isBlank(head)) return reportObservation(turn);
  const label = labelAt(head);
  if (label?.kind === 'observation' && !label.lower && !isBlank(head.slice(label.contentAt))) reportObservation(turn);
}

function reportObservation(turn: Turn): void {
  turn.observing = false;
  const call = callOf(turn);
  if (call === null || turn.marks.reported('observation')) return;
  const thought = thoughtOf(turn);
  turn.marks.report('action', thought, []);
  turn.marks.report('observation', thought, [call]);
}

/** At the end of the reply: an object that never closed ends at the first label in it, or here. */
function closeObject(turn: Turn): void {
  if (turn.tracker === null) return;
  const from = turn.firstLabelAt;
  const text = turn.feed.text();
  if (from >= 0) turn.object = [text.slice(turn.objectAt, from)];
  takeObject(turn, from < 0 ? text.length : from, false);
  if (from >= 0 && turn.found !== null) replayLines(text, from, (line) => takeRestLine(turn, line));
}
