/** The lines of an input behind its label (dialects `labelled` and `paper`): where it ends, and what shelters a label in it. Pure. */

import { unquoted } from './behind-name.ts';
import { closesFence, type Fence, fenceAt } from './fences.ts';
import { type InputRead, readArguments, readInput, valueOpens } from './input-text.ts';
import { isBlank, isHalfStopWord, isSpace, labelAt, skipSpaces, skipSpacesBack } from './labels.ts';
import { plainArguments } from './plain-arguments.ts';
import { createTracker, type Tracker } from './tracker.ts';

export interface InputLines {
  /** Where the input begins in the reply. */
  readonly at: number;
  /** Call syntax: it begins with a parenthesis. */
  readonly isArguments: boolean;
  readonly fencesOff: boolean;
  /** A quoted text, with its quotes. */
  quoted: boolean;
  /** Written without a label or call syntax: an input behind a label of its own counts instead. */
  weak: boolean;
  /** Something was written. */
  begun: boolean;
  /** Follows a JSON-like value that is still open. */
  tracker: Tracker | null;
  /** The fence that is open. */
  fence: Fence | null;
  /** The input began with a fence. */
  fenced: boolean;
  /** The value or the fence it began with is closed: what follows is no input. */
  closed: boolean;
  /** Behind the fence that closed it, in the reply; -1 where none did. */
  closedAt: number;
  /** The first line that would be a label if it were not sheltered; -1 where there is none. */
  firstLabelAt: number;
}

export function beginInput(at: number, isArguments: boolean, fencesOff: boolean): InputLines {
  return {
    at,
    isArguments,
    fencesOff,
    quoted: false,
    weak: false,
    begun: false,
    tracker: null,
    fence: null,
    fenced: false,
    closed: false,
    closedAt: -1,
    firstLabelAt: -1,
  };
}

/** Inside a string or a fence, where a label is text. */
export function isSheltered(input: InputLines): boolean {
  return !input.closed && (input.fence !== null || input.tracker?.inString() === true);
}

/** The input is a quoted text, which ends with its line. */
export function takeQuoted(input: InputLines, line: string, at: number): void {
  input.begun = true;
  input.quoted = true;
  input.weak = true;
  input.closed = true;
  input.closedAt = at + line.length;
}

export function takeInputText(input: InputLines, line: string, from: number, at: number): void {
  if (input.closedAt >= 0) return;
  const fence = input.fencesOff ? null : fenceAt(line, from);
  if (input.fence !== null && closesFence(input.fence, fence) && !input.tracker?.inString())
    return closeFence(input, at + line.length);
  if (input.closed) return;
  if (input.tracker !== null) return follow(input, input.tracker, line, from);
  if (fence !== null) {
    if (!input.begun && input.fence === null) input.fenced = true;
    input.fence ??= fence;
    return;
  }
  if (!input.begun) beginValue(input, line, from);
}

function closeFence(input: InputLines, end: number): void {
  input.fence = null;
  if (!input.fenced) return;
  input.tracker = null;
  input.closed = true;
  input.closedAt = end;
}

function follow(input: InputLines, tracker: Tracker, line: string, from: number): void {
  if (tracker.take(line, from) < 0) return;
  input.tracker = null;
  input.closed = true;
}

function beginValue(input: InputLines, line: string, from: number): void {
  const first = skipSpaces(line, from);
  if (first === line.length) return;
  input.begun = true;
  const start = line.charCodeAt(first) === 96 ? skipSpaces(line, first + 1) : first;
  const code = line.charCodeAt(start);
  const opens = code === 34 || code === 91 || valueOpens(line, start) || (input.isArguments && code === 40);
  if (!opens) return;
  input.tracker = createTracker();
  follow(input, input.tracker, line, start);
}

/** Reads the input out of the whole reply; `end` is where the next label begins, or the end of the reply. */
export function readInputLines(input: InputLines, reply: string, end: number): InputRead {
  const to = input.closedAt < 0 ? end : input.closedAt;
  const text = withoutStopWord(reply.slice(input.at, to));
  if (input.quoted) return { input: unquoted(text), repaired: false, end: to };
  const read = input.isArguments ? readCalled(text, isSpace(reply.charCodeAt(input.at - 1))) : readInput(text);
  if (read === null) return { input: null, repaired: false, end: input.at };
  return { ...read, end: input.at + read.end };
}

/** Behind a space, words in parentheses are a remark; right behind the name they are the input. */
function readCalled(text: string, isApart: boolean): InputRead | null {
  return readArguments(text) ?? (isApart ? null : plainArguments(text));
}

/** Without last lines that are a bare or half-written `Observation:`, where the server stopped. */
export function withoutStopWord(text: string): string {
  let end = text.length;
  let lastAt = stopWordAt(text, end);
  while (lastAt > 0) {
    end = lastAt;
    lastAt = stopWordAt(text, end);
  }
  return text.slice(0, end);
}

/** Where the last line before `end` begins if it is a stop word; -1 where it is none. */
function stopWordAt(text: string, end: number): number {
  const lastEnd = skipSpacesBack(text, end);
  if (lastEnd === 0) return -1;
  const lastAt = text.lastIndexOf('\n', lastEnd - 1) + 1;
  const last = text.slice(lastAt, lastEnd);
  const label = labelAt(last);
  const isBare = label?.kind === 'observation' && isBlank(last.slice(label.contentAt));
  return isBare || isHalfStopWord(last) ? lastAt : -1;
}
