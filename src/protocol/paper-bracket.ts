/**
 * What stands in the brackets of an action: `Search[…]`, also `search(…)` and full-width brackets. Follows them over the
 * lines of a stream to where they close, and reads the inside. Pure; each line is scanned once.
 */
import type { JsonValue } from '../core/json.ts';
import { backticksAt, closesFence, type Fence, fenceAt } from './fences.ts';
import { withoutStopWord } from './input-lines.ts';
import { readArguments, readInput } from './input-text.ts';
import { isSpace, skipSpaces } from './labels.ts';
import { plainArguments } from './plain-arguments.ts';
import { createTracker, objectOpens, type Tracker } from './tracker.ts';

export interface Bracket {
  /** Where the inside begins in the reply. */
  readonly at: number;
  readonly open: string;
  readonly close: string;
  /** Openers that still wait for their closer; the first is the bracket itself. */
  depth: number;
  /** A closer behind which its line goes on, in the reply; a later one that nothing opens takes its place. -1: none. */
  closedAt: number;
  begun: boolean;
  /** Follows a JSON object, or a string in call syntax, with which the inside begins. */
  tracker: Tracker | null;
  /** The fence that is open. */
  fence: Fence | null;
  /** The first line in it that is a label unless the bracket closes; -1 where there is none. */
  firstLabelAt: number;
  /** The same for the string or the fence that is open. */
  shelteredLabelAt: number;
}

const closers: ReadonlyMap<string, string> = new Map([
  ['[', ']'],
  ['(', ')'],
  ['【', '】'],
  ['［', '］'],
  ['（', '）'],
]);

export function isOpener(sign: string): boolean {
  return closers.has(sign);
}

/** `open` is the sign before `at`. */
export function beginBracket(open: string, at: number): Bracket {
  const close = closers.get(open) ?? ']';
  const labels = { firstLabelAt: -1, shelteredLabelAt: -1 };
  return { at, open, close, depth: 1, closedAt: -1, begun: false, tracker: null, fence: null, ...labels };
}

/** Inside a string or a fence, where a label is text. */
export function isShelteredIn(bracket: Bracket): boolean {
  return bracket.fence !== null || bracket.tracker?.inString() === true;
}

/** A line at a position would be a label if the bracket, or what shelters it, had ended. */
export function rememberLabel(bracket: Bracket, at: number): void {
  if (isShelteredIn(bracket)) bracket.shelteredLabelAt = bracket.shelteredLabelAt < 0 ? at : bracket.shelteredLabelAt;
  else if (bracket.firstLabelAt < 0) bracket.firstLabelAt = at;
}

/** The first label in a bracket that did not close; -1 where there is none. */
export function labelIn(bracket: Bracket): number {
  if (bracket.firstLabelAt >= 0 || !isShelteredIn(bracket)) return bracket.firstLabelAt;
  return bracket.shelteredLabelAt;
}

/**
 * Takes the line that begins at `lineAt`, from a position on it. Returns where in the reply the closing bracket stands, or
 * -1 where none ends this line.
 */
export function takeBracketText(bracket: Bracket, line: string, from: number, lineAt: number): number {
  const at = bracket.fence !== null ? behindFence(bracket, bracket.fence, line) : intoFence(bracket, line, from);
  if (at < 0) return -1;
  const behind = takeValue(bracket, line, at);
  if (!isShelteredIn(bracket)) bracket.shelteredLabelAt = -1;
  const closer = behind < 0 ? -1 : takeBrackets(bracket, line, behind);
  if (closer < 0) return -1;
  bracket.closedAt = lineAt + closer;
  return endsLineAt(line, closer + 1) ? bracket.closedAt : -1;
}

/** The fence ends with backticks, behind which nothing stands but perhaps the closing bracket. */
function behindFence(bracket: Bracket, opener: Fence, line: string): number {
  const indent = skipSpaces(line, 0);
  const length = backticksAt(line, indent);
  const behind = skipSpaces(line, indent + length);
  if (behind < line.length && !line.startsWith(bracket.close, behind)) return -1;
  if (!closesFence(opener, { at: indent, length, indent, bare: true })) return -1;
  bracket.fence = null;
  return behind;
}

function intoFence(bracket: Bracket, line: string, from: number): number {
  const fence = bracket.tracker === null ? fenceAt(line, from) : null;
  if (fence === null) return from;
  const behind = skipSpaces(line, fence.at + fence.length);
  if (line.startsWith(bracket.close, behind)) return behind;
  bracket.fence = fence;
  bracket.begun = true;
  return -1;
}

function takeValue(bracket: Bracket, line: string, from: number): number {
  let at = from;
  if (!bracket.begun) {
    at = skipSpaces(line, from);
    if (at === line.length) return -1;
    bracket.begun = true;
    if (objectOpens(line, at) || (isArguments(bracket) && line.charAt(at) === '"')) bracket.tracker = createTracker();
  }
  if (bracket.tracker === null) return at;
  const behind = bracket.tracker.take(line, at);
  if (behind >= 0) bracket.tracker = null;
  return behind;
}

/**
 * The closer is the one that leaves no opener waiting; where the text goes on with a closer that nothing opens, it is that
 * one, since the earlier was part of the text: `Search[1936] in history]`, but `Search[a], Search[b]`.
 */
function takeBrackets(bracket: Bracket, line: string, from: number): number {
  if (!line.includes(bracket.open, from) && !line.includes(bracket.close, from)) return -1;
  const open = bracket.open.charCodeAt(0);
  const close = bracket.close.charCodeAt(0);
  let closer = -1;
  let waiting = bracket.closedAt < 0 ? 1 : 0;
  for (let at = from; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === open) bracket.depth++;
    else if (code === close && bracket.depth > waiting) bracket.depth--;
    else if (code === close) {
      bracket.depth = 0;
      waiting = 0;
      closer = at;
    }
  }
  return closer;
}

export interface BracketRead {
  /** The text inside, trimmed. */
  readonly text: string;
  /** No closing bracket ends it. */
  readonly isOpen: boolean;
  /** The position in the reply behind what was used. */
  readonly end: number;
}

/** The inside, where the closing bracket stands at a position of the reply. */
export function closedText(bracket: Bracket, reply: string, closedAt: number): BracketRead {
  return { text: reply.slice(bracket.at, closedAt).trim(), isOpen: false, end: decorationEnd(reply, closedAt + 1) };
}

/**
 * The inside of a bracket where a label or the end of the reply stands and no closer ended a line. Where an opener too
 * many stands in the text, the last closer is the bracket's own.
 */
export function openText(bracket: Bracket, reply: string, end: number): BracketRead {
  if (bracket.closedAt >= 0) return closedText(bracket, reply, bracket.closedAt);
  const text = withoutStopWord(reply.slice(bracket.at, end)).trimEnd();
  let last = text.length;
  while (last > 0 && isDecoration(text.charCodeAt(last - 1))) last--;
  if (text.charAt(last - 1) === bracket.close) return closedText(bracket, reply, bracket.at + last - 1);
  return { text: text.trim(), isOpen: true, end: bracket.at + text.length };
}

export interface InsideRead {
  /** Undefined where the text was meant as JSON and cannot be read. */
  readonly input: JsonValue | null | undefined;
  readonly repaired: boolean;
}

/** A JSON value where the whole inside is one, the inside of a fence, otherwise the text as written. */
export function readInside(bracket: Bracket, { text, isOpen }: BracketRead): InsideRead {
  if (text === '') return { input: null, repaired: isOpen };
  const written = text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
  if (isArguments(bracket) && !text.startsWith('{')) return readCalled(text, written, isOpen);
  const read = text.startsWith('"') ? null : readInput(text);
  if (read === null || read.end < text.length) return { input: written, repaired: isOpen };
  return { input: read.input, repaired: read.repaired || isOpen };
}

function readCalled(text: string, written: string, isOpen: boolean): InsideRead {
  const call = isOpen ? `(${text}` : `(${text})`;
  const read = readArguments(call) ?? (isOpen ? null : plainArguments(call));
  if (read === null || read.end < call.length) return { input: written, repaired: isOpen };
  return { input: read.input, repaired: read.repaired || isOpen };
}

function isArguments(bracket: Bracket): boolean {
  return bracket.open === '(' || bracket.open === '（';
}

/** Over backticks, stars, quotes and a full stop behind the bracket, where nothing else stands on the line. */
function decorationEnd(reply: string, from: number): number {
  let at = from;
  while (at < reply.length && at - from < longestDecoration && isDecoration(reply.charCodeAt(at))) at++;
  return at === reply.length || reply.charCodeAt(at) === 10 || reply.charCodeAt(at) === 13 ? at : from;
}

const longestDecoration = 8;

/** True where nothing but decoration stands on the line from a position. */
function endsLineAt(line: string, from: number): boolean {
  let at = from;
  while (at < line.length && (isDecoration(line.charCodeAt(at)) || isSpace(line.charCodeAt(at)))) at++;
  return at === line.length;
}

function isDecoration(code: number): boolean {
  return decoration.has(code);
}

const decoration: ReadonlySet<number> = new Set([...'"\'*_`.,;。”」'].map((sign) => sign.charCodeAt(0)));
