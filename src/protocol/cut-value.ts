/** Whether a JSON value that never closes was cut off where only closers are missing, or in the middle. Pure. */
import { isSpace } from './labels.ts';

/**
 * What the last sign outside strings belongs to. `value`: it shows its own end. `number`: it might go on. `word`: it is
 * no JSON, or the beginning of `true`.
 */
type Last = 'start' | 'key' | 'colon' | 'value' | 'number' | 'word';

interface State {
  /** The openers that are open. */
  readonly open: number[];
  last: Last;
  /** A colon has no value behind it. */
  hole: boolean;
}

/**
 * `none`: closed, or only closers are missing. `string`, `number`: in a string, or behind a number, which might go on.
 * `between`: behind a key, a colon, a comma, an opener or half a word, so that something was to follow that is not known;
 * or nothing behind a colon in the middle.
 */
export type Cut = 'none' | 'string' | 'number' | 'between';

export interface Ending {
  readonly cut: Cut;
  /** What closes the text: a quote where a string is open, and the brackets. */
  readonly missing: string;
}

/** Every string must be spelled as in JSON, except that the last may lack its end; and no comment stand in the text. */
export function endingOf(text: string): Ending {
  const state: State = { open: [], last: 'start', hole: false };
  let at = 0;
  while (at < text.length) at = takeToken(state, text, at);
  const isInString = at > text.length;
  const quote = isInString ? '"' : '';
  const closers = state.open.map((opener) => String.fromCharCode(closerOf(opener))).reverse();
  return { cut: isInString ? cutString(state) : cutBehind(state), missing: `${quote}${closers.join('')}` };
}

function cutString(state: State): Cut {
  return isKey(state) || state.hole ? 'between' : 'string';
}

function cutBehind({ open, last, hole }: State): Cut {
  if (hole) return 'between';
  if (open.length === 0 || last === 'value') return 'none';
  return last === 'number' ? 'number' : 'between';
}

function closerOf(opener: number): number {
  return opener === 40 ? 41 : opener + 2;
}

/** Returns the position behind the token; one behind the end of the text where a string has no end. */
function takeToken(state: State, text: string, at: number): number {
  const code = text.charCodeAt(at);
  switch (code) {
    case 34: // "
      return takeString(state, text, at + 1);
    case 40: // (
    case 91: // [
    case 123: // {
      state.open.push(code);
      state.last = 'start';
      return at + 1;
    case 41: // )
    case 93: // ]
    case 125: // }
      noticeHole(state);
      close(state.open, code);
      state.last = 'value';
      return at + 1;
    case 44: // ,
      noticeHole(state);
      state.last = 'start';
      return at + 1;
    case 58: // :
      state.last = 'colon';
      return at + 1;
    default:
      return isSpace(code) ? at + 1 : takeWord(state, text, at);
  }
}

/** A closer ends its own opener and what is open inside; one without an opener ends nothing. */
function close(open: number[], closer: number): void {
  let at = open.length - 1;
  while (at >= 0 && closerOf(open[at] ?? 0) !== closer) at--;
  if (at >= 0) open.length = at;
}

function noticeHole(state: State): void {
  if (state.last === 'colon') state.hole = true;
}

/** In an object, what does not stand behind a colon. */
function isKey({ open, last }: State): boolean {
  return open.at(-1) === 123 && last !== 'colon';
}

/** Where the closing quote is missing, it is as if nothing of the string were there. */
function takeString(state: State, text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) !== 34) at += text.charCodeAt(at) === 92 ? 2 : 1;
  if (at < text.length) state.last = isKey(state) ? 'key' : 'value';
  return Math.min(at, text.length) + 1;
}

const wholeWords: ReadonlySet<string> = new Set(['true', 'false', 'null', 'True', 'False', 'None']);
const wordEnds: ReadonlySet<number> = new Set([...'"()[]{},:'].map((sign) => sign.charCodeAt(0)));

function takeWord(state: State, text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && !wordEnds.has(text.charCodeAt(at)) && !isSpace(text.charCodeAt(at))) at++;
  if (isKey(state)) state.last = 'key';
  else state.last = wordKind(text.slice(from, Math.min(at, from + longestWord)));
  return at;
}

const longestWord = 40;

function wordKind(word: string): Last {
  if (wholeWords.has(word)) return 'value';
  return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(word) ? 'number' : 'word';
}
