/** What repairing a text would take: how deeply it nests, and where the repairer would have to insert or drop. Pure. */
import { isSpace } from './labels.ts';

export interface RepairCost {
  /** The deepest nesting of brackets. */
  readonly deepest: number;
  /** At least the number of repairs that copy what was written so far: each costs as much as the text is long. */
  readonly repairs: number;
}

/**
 * What the last sign outside strings belongs to. `start`: a value may follow. `value`: it is whole. `words`: a string
 * without quotes, which goes on over spaces to the end of its line. `label`: a colon behind one, and perhaps part of it.
 */
type Last = 'start' | 'value' | 'words' | 'label';

interface State {
  /** The closers that are due. */
  readonly open: number[];
  deepest: number;
  repairs: number;
  last: Last;
  /** A quote stands where none should: what the repairer takes for a string from here on nobody can tell. */
  lost: boolean;
}

/** Every string must be spelled as in JSON, and no comment stand in the text. */
export function repairCost(text: string): RepairCost {
  const state: State = { open: [], deepest: 0, repairs: 0, last: 'start', lost: false };
  let at = 0;
  while (at < text.length) at = takeSign(state, text, at);
  return { deepest: state.deepest, repairs: state.repairs + state.open.length };
}

/** True for a text that nests more deeply than that. Most hold so few brackets that none needs to be followed. */
export function nestsDeeperThan(text: string, depth: number): boolean {
  return openersIn(text, '{', depth) + openersIn(text, '[', depth) > depth && repairCost(text).deepest > depth;
}

/** Counts no further than one more than `most`. */
function openersIn(text: string, opener: string, most: number): number {
  let count = 0;
  for (let at = text.indexOf(opener); at >= 0 && count <= most; at = text.indexOf(opener, at + 1)) count++;
  return count;
}

function takeSign(state: State, text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (state.lost && (endsWord(code) || oddSigns.has(code))) state.repairs++;
  switch (code) {
    case 34: // "
      return takeString(state, text, at);
    case 123: // {
    case 91: // [
      open(state, code + 2);
      return at + 1;
    case 125: // }
    case 93: // ]
      close(state, code);
      return at + 1;
    case 44: // ,
      state.last = 'start';
      return at + 1;
    case 58: // :
      return takeColon(state, text, at);
    case 10:
      endLine(state);
      return at + 1;
    default:
      return isSpace(code) ? at + 1 : takeWord(state, text, at);
  }
}

/** Where no key stands before it, a colon begins a string without quotes. */
function takeColon(state: State, text: string, at: number): number {
  const isBehindKey = state.open.at(-1) === 125 && state.last !== 'start';
  if (isBehindKey) state.last = text.charCodeAt(at - 1) === 34 ? 'start' : 'label';
  else {
    state.last = 'words';
    state.lost ||= text.charCodeAt(at + 1) === 34;
  }
  return at + 1;
}

/** Behind a word a quote is taken for one that closes, and what the string holds is no string. */
function takeString(state: State, text: string, at: number): number {
  state.lost ||= at > 0 && !endsWord(text.charCodeAt(at - 1));
  beginValue(state);
  state.last = 'value';
  if (state.lost) return at + 1;
  let end = at + 1;
  while (end < text.length && text.charCodeAt(end) !== 34) end += text.charCodeAt(end) === 92 ? 2 : 1;
  return end + 1;
}

function beginValue(state: State): void {
  if (state.last === 'value' || state.last === 'words') state.repairs++;
}

function open(state: State, closer: number): void {
  beginValue(state);
  state.last = 'start';
  state.open.push(closer);
  state.deepest = Math.max(state.deepest, state.open.length);
}

function close(state: State, closer: number): void {
  if (state.last === 'start' || state.last === 'label') state.repairs++;
  if (state.open.pop() !== closer) state.repairs++;
  state.last = 'value';
}

function endLine(state: State): void {
  if (state.last === 'label') state.repairs++;
  if (state.last === 'label') state.last = 'start';
  if (state.last === 'words') state.last = 'value';
}

/** A number or a word such as `true` is a value; any other word goes on behind spaces. */
function takeWord(state: State, text: string, from: number): number {
  if (state.last !== 'words') beginValue(state);
  let at = from;
  while (at < text.length && !endsWord(text.charCodeAt(at))) {
    if (oddSigns.has(text.charCodeAt(at))) state.repairs++;
    if (oddQuotes.has(text.charCodeAt(at))) state.lost = true;
    at++;
  }
  if (state.last !== 'words') state.last = valueBeginnings.has(text.charCodeAt(from)) ? 'value' : 'words';
  return at;
}

/** White space, a quote, a bracket, `,` or `:`. */
function endsWord(code: number): boolean {
  return wordEnds.has(code) || isSpace(code);
}

const codesOf = (signs: string): ReadonlySet<number> => new Set([...signs].map((sign) => sign.charCodeAt(0)));
const wordEnds = codesOf('"{}[],:');
/** Of numbers, `true`, `False`, `None` and the dots that leave something out. */
const valueBeginnings = codesOf('-.0123456789tfnTFN');
/** What the repairer takes for a quote, or for the beginning of one. */
const oddQuotes = codesOf("'`´‘’“”\\&");
/** The same, calls, regular expressions and strings that are added up: each may be a repair. */
const oddSigns = codesOf("'`´‘’“”\\&()/+");
