/**
 * Follows a JSON-like value (JSON, a Python dict, call syntax) over the lines of a stream to where it closes, aware of
 * strings and comments. Pure, one pass; it does not judge whether the value is valid.
 */
import { isSpace, skipSpaces } from './labels.ts';

export interface Tracker {
  /** Takes a line, or several, from a position. Returns the position behind the closer, or -1 while the value is open. */
  take(line: string, from: number): number;
  /** Inside a string: whatever stands here is text. */
  inString(): boolean;
}

type Quote = '' | '"' | "'" | '"""' | "'''";

interface State {
  depth: number;
  quote: Quote;
  /** A key or a value may begin here, so that an apostrophe opens a string. */
  fresh: boolean;
  comment: boolean;
}

/** The value begins with the first character taken: a brace, a bracket, a parenthesis or a double quote. */
export function createTracker(): Tracker {
  const state: State = { depth: 0, quote: '', fresh: true, comment: false };
  return {
    inString: () => state.quote !== '',
    take(line, from) {
      let index = from;
      while (index < line.length) {
        index = state.comment ? skipComment(state, line, index) : takeToken(state, line, index);
        if (state.depth === 0 && state.quote === '' && !state.comment && !state.fresh) return index;
      }
      return -1;
    },
  };
}

/** Takes one token, or the part of a string that stands on this line; returns the position behind it. */
function takeToken(state: State, line: string, at: number): number {
  if (state.quote !== '') return takeString(state, line, at);
  const code = line.charCodeAt(at);
  switch (code) {
    case 34: // "
      return openString(state, line, at);
    case 39: // '
      return state.fresh ? openString(state, line, at) : at + 1;
    case 40: // (
    case 91: // [
    case 123: // {
      state.depth++;
      state.fresh = true;
      return at + 1;
    case 41: // )
    case 93: // ]
    case 125: // }
      state.depth--;
      state.fresh = false;
      return at + 1;
    case 44: // ,
    case 58: // :
    case 61: // = as in call(city='Oslo')
      state.fresh = true;
      return at + 1;
    case 35: // #, a comment in Python
      return endOfLine(line, at);
    case 47: // /
      return openComment(state, line, at);
    default:
      if (!isSpace(code)) state.fresh = state.depth === 0;
      return at + 1;
  }
}

function openString(state: State, line: string, at: number): number {
  const single = line.charCodeAt(at) === 39;
  const triple = state.fresh && line.startsWith(single ? "'''" : '"""', at);
  if (triple) state.quote = single ? "'''" : '"""';
  else state.quote = single ? "'" : '"';
  state.fresh = false;
  return at + state.quote.length;
}

/** Character by character: to look for the next backslash would go over all text behind each short string. */
function takeString(state: State, line: string, from: number): number {
  const sign = state.quote.charCodeAt(0);
  for (let at = from; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === 92) at++;
    else if (code === sign && closesString(state.quote, line, at)) {
      const behind = at + state.quote.length;
      state.quote = '';
      return behind;
    }
  }
  return line.length;
}

/** Whether the sign of the quote ends the string here. An apostrophe closes only where a value can end, so that `'it's'` is one string. */
function closesString(quote: Quote, line: string, at: number): boolean {
  if (quote.length === 3) return line.startsWith(quote, at);
  if (quote === '"') return true;
  const next = line.charCodeAt(skipShortGap(line, at + 1));
  return Number.isNaN(next) || behindValue.has(next);
}

/** A line break, `)`, `,`, `/`, `:`, `]`, `}`. */
const behindValue: ReadonlySet<number> = new Set([10, 41, 44, 47, 58, 93, 125]);

/** A long gap counts as no end: looking over it from every apostrophe would not be linear. */
function skipShortGap(line: string, from: number): number {
  let index = from;
  while (index - from < 8 && line.charCodeAt(index) !== 10 && isSpace(line.charCodeAt(index))) index++;
  return index;
}

/** A slash is a comment only as `//` or `/*`; a line comment ends with the line. */
function openComment(state: State, line: string, at: number): number {
  const next = line.charCodeAt(at + 1);
  if (next === 47) return endOfLine(line, at);
  if (next !== 42) return at + 1;
  state.comment = true;
  return at + 2;
}

function endOfLine(line: string, at: number): number {
  const end = line.indexOf('\n', at);
  return end < 0 ? line.length : end;
}

function skipComment(state: State, line: string, at: number): number {
  const end = line.indexOf('*/', at);
  if (end < 0) return line.length;
  state.comment = false;
  return end + 2;
}

/** Where the value that begins at `from` closes in a whole text: the position behind it, or -1. */
export function valueEnd(text: string, from: number): number {
  return createTracker().take(text, from);
}

/** True where `at` is a brace behind which an object may follow: a key, a closer, a comment or the end of the line. */
export function objectOpens(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== 123) return false;
  const next = skipSpaces(text, at + 1);
  const code = text.charCodeAt(next);
  if (Number.isNaN(code) || code === 34 || code === 39 || code === 125 || code === 47) return true;
  return /^[A-Za-z_]\w{0,60}\s{0,4}:/.test(text.slice(next, next + 80));
}
