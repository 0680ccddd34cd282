/**
 * Reads the text of an action input: JSON as it is, what was meant as JSON repaired, anything else as written. Pure and
 * total; nothing here throws, whatever the text.
 */
import { isJsonObject, type JsonValue } from '../core/json.ts';
import { bracketedEnd } from './bracketed.ts';
import { backticksAt, lastCloser } from './fences.ts';
import { isSpace, skipSpaces, skipSpacesBack } from './labels.ts';
import { parseJson, repairJson } from './repair.ts';
import { objectOpens, valueEnd } from './tracker.ts';
import { isWideQuote, narrowed } from './wide-signs.ts';

export interface InputRead {
  /** Undefined where the text was meant as JSON and cannot be read. */
  readonly input: JsonValue | undefined;
  readonly repaired: boolean;
  /** Words in parentheses, without quotes. */
  readonly plain?: true;
  /** The position in the text behind what was used. */
  readonly end: number;
}

/** `text` is all that stands behind the label, up to the next label or the end. */
export function readInput(text: string): InputRead {
  const at = skipSpaces(text, 0);
  if (at === text.length) return { input: null, repaired: false, end: 0 };
  const end = skipSpacesBack(text, text.length);
  switch (text.charCodeAt(at)) {
    case 123: // {
      return readObject(text, at, end) ?? asWritten(text, at, end);
    case 91: // [
      return readArray(text, at, end) ?? asWritten(text, at, end);
    case 34: // "
      return readWhole(text, at, end) ?? asWritten(text, at, end);
    case 96: // `
      return readFenced(text, at, end) ?? asWritten(text, at, end);
    default:
      return asWritten(text, at, end);
  }
}

/** Behind an object other text may follow; it is not part of the input. */
function readObject(text: string, at: number, end: number): InputRead | null {
  const whole = readWhole(text, at, end);
  if (whole !== null) return whole;
  const inner = skipSpaces(text, at + 1);
  if (isWideQuote(text.charAt(inner))) return readWide(text, at, end);
  if (text.charCodeAt(inner) === 123) return objectOpens(text, inner) ? readDoubled(text, inner, end) : null;
  if (!objectOpens(text, at)) return null;
  const closed = valueEnd(text, at);
  const part = text.slice(at, closed < 0 ? end : closed);
  const behind = at + part.length;
  const value = closed < 0 ? undefined : parseJson(part);
  if (value !== undefined) return { input: value, repaired: false, end: behind };
  const mended = repairJson(part);
  if (mended === undefined && (part.includes('：') || part.includes('，'))) return readWide(text, at, end);
  return { input: isJsonObject(mended) ? mended : undefined, repaired: mended !== undefined, end: behind };
}

/** `{“q”：“潮汐”}` */
function readWide(text: string, at: number, to: number): InputRead {
  const { text: spelled, end } = narrowed(text, at, to);
  const value = parseJson(spelled) ?? repairJson(spelled);
  return isJsonObject(value) ? { input: value, repaired: true, end } : unreadable(end);
}

/** `{{"q": "x"}}`: the braces of a template stand round the object. `at` is the inner brace. */
function readDoubled(text: string, at: number, end: number): InputRead {
  const read = readObject(text, at, end);
  if (read === null) return unreadable(end);
  const closer = skipSpaces(text, read.end);
  const isDoubled = isJsonObject(read.input) && text.charCodeAt(closer) === 125;
  return isDoubled ? { input: read.input, repaired: true, end: closer + 1 } : unreadable(Math.max(read.end, at));
}

/** One backtick stands on each side of an object. */
function readCode(text: string, at: number, end: number): InputRead | null {
  const brace = skipSpaces(text, at + 1);
  if (!valueOpens(text, brace)) return null;
  const close = text.lastIndexOf('`', end - 1);
  const inner = readObject(text, brace, close > brace ? close : end);
  if (inner === null) return null;
  return text.charAt(inner.end) === '`' ? { ...inner, end: inner.end + 1 } : inner;
}

/** A brace behind which an object stands, also in double braces or with wide quotes. */
export function valueOpens(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== 123) return false;
  const inner = skipSpaces(text, at + 1);
  return objectOpens(text, at) || isWideQuote(text.charAt(inner)) || objectOpens(text, inner);
}

/** `[1, 2].length` and `[some words]` are text: an array counts only where its line ends behind it. */
function readArray(text: string, at: number, end: number): InputRead | null {
  const closed = valueEnd(text, at);
  const behind = closed < 0 ? end : closed;
  if (!endsLine(text, behind)) return null;
  const part = text.slice(at, behind);
  const value = parseJson(part);
  if (value !== undefined) return { input: value, repaired: false, end: behind };
  if (!arrayOpens(text, at)) return null;
  const mended = repairJson(part);
  return Array.isArray(mended) ? { input: mended, repaired: true, end: behind } : null;
}

function readWhole(text: string, at: number, end: number): InputRead | null {
  const value = parseJson(text.slice(at, end));
  return value === undefined ? null : { input: value, repaired: false, end };
}

/** The inside of a fence is read as if it stood alone; where it is plain text, the fence is not part of it. */
function readFenced(text: string, at: number, end: number): InputRead | null {
  if (!text.startsWith('```', at)) return readCode(text, at, end);
  const lineEnd = text.indexOf('\n', at);
  const inline = lineEnd < 0 || lineEnd >= end;
  const length = backticksAt(text, at);
  const from = inline ? at + length : lineEnd + 1;
  // The last closing fence: code inside may hold fences of its own.
  const last = lastCloser(text, from, end, { length, indent: 0 });
  const close = last < from ? end : last;
  const inside = inline ? withoutLanguage(text.slice(from, close)) : text.slice(from, close);
  const read = inside.trimStart().startsWith('```') ? asWritten(inside, 0, inside.length) : readInput(inside);
  const input = typeof read.input === 'string' ? inside.trim() : read.input;
  return { input, repaired: read.repaired, end: last < from ? end : last + backticksAt(text, last) };
}

function withoutLanguage(inside: string): string {
  return /^[a-z]{1,12}\s/.test(inside.slice(0, 14)) ? inside.slice(inside.search(/\s/)) : inside;
}

function asWritten(text: string, at: number, end: number): InputRead {
  const written = text.slice(at, end);
  return { input: written.includes('\r') ? written.replaceAll('\r\n', '\n') : written, repaired: false, end };
}

function arrayOpens(text: string, at: number): boolean {
  const next = text.charAt(skipSpaces(text, at + 1));
  return next !== '' && '"\'{[]-0123456789'.includes(next);
}

function endsLine(text: string, at: number): boolean {
  let index = at;
  while (index < text.length && text.charCodeAt(index) !== 10) {
    if (!isSpace(text.charCodeAt(index))) return false;
    index++;
  }
  return true;
}

/**
 * The arguments of call syntax, with the parentheses: `({"a": 1})`, `("x")`, `(a=1, b='x')`, `()`. Null where they are
 * not arguments but a remark, such as `(sums two numbers)`. A single string is the input as text. Also `[x]`.
 */
export function readArguments(text: string): InputRead | null {
  if (text.startsWith('[')) return readBracketed(text);
  const closed = valueEnd(text, 0);
  const end = closed < 0 ? skipSpacesBack(text, text.length) : closed;
  const inside = text.slice(1, closed < 0 ? end : end - 1);
  const at = skipSpaces(inside, 0);
  if (at === inside.length) return closed < 0 ? unreadable(end) : { input: null, repaired: false, end };
  const code = inside.charCodeAt(at);
  if (code === 123) return { ...readInput(inside), end };
  // Where the parenthesis never closes, a string may be open: a closer of ours would become part of it.
  const isOpen = closed < 0;
  if (code === 34 || code === 39)
    return readQuoted(isOpen ? `[${inside}` : `[${inside}]`, end) ?? (isOpen ? unreadable(end) : null);
  return namedArguments(inside.slice(at), isOpen, end);
}

function readBracketed(text: string): InputRead {
  const { to, end, isClosed } = bracketedEnd(text, 1);
  const inside = text.slice(1, to);
  if (skipSpaces(inside, 0) === inside.length)
    return isClosed ? { input: null, repaired: false, end } : unreadable(end);
  const read = readInput(inside);
  return { input: read.input, repaired: read.repaired || (!isClosed && read.input !== undefined), end };
}

function readQuoted(text: string, end: number): InputRead | null {
  const parsed = parseJson(text);
  const list = parsed ?? repairJson(text);
  if (!Array.isArray(list)) return null;
  const [only = null, ...others] = list;
  // Nobody knows which fields several arguments without names are.
  return others.length > 0 ? unreadable(end) : { input: only, repaired: parsed === undefined, end };
}

/** `a=1, b='x'` as an object; null where it is not of that form. Where it was cut behind a name, it cannot be read. */
function namedArguments(inside: string, isOpen: boolean, end: number): InputRead | null {
  if (!/^[A-Za-z_]\w{0,60}\s{0,4}[=:]/.test(inside.slice(0, 80))) return null;
  const value = repairJson(`{${withColons(inside)}${isOpen ? '' : '}'}`);
  if (isJsonObject(value)) return { input: value, repaired: true, end };
  return isOpen ? unreadable(end) : null;
}

export function unreadable(end: number): InputRead {
  return { input: undefined, repaired: false, end };
}

/** Turns each `name=` that begins an argument into `"name":`. Only outside strings and brackets. */
function withColons(inside: string): string {
  const parts: string[] = [];
  let at = 0;
  while (at < inside.length) {
    const end = argumentEnd(inside, at);
    const argument = inside.slice(at, end);
    const name = /^\s{0,8}([A-Za-z_]\w{0,60})\s{0,4}[=:]/.exec(argument.slice(0, 90));
    parts.push(name === null ? argument : `"${name[1]}":${argument.slice(name[0].length)}`);
    at = end + 1;
  }
  return parts.join(',');
}

/** The comma that ends the argument which begins at `from`, or the end of the text. */
export function argumentEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charAt(at) !== ',') {
    const opens = '{[('.includes(text.charAt(at)) || text.charAt(at) === '"' || startsQuoted(text, at);
    if (!opens) at++;
    else at = argumentValueEnd(text, at);
  }
  return at;
}

/** A value that never closes takes the rest: looking for its end again from each bracket would not be linear. */
function argumentValueEnd(text: string, at: number): number {
  const closed = valueEnd(text, at);
  return closed < 0 ? text.length : closed;
}

function startsQuoted(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 4), at).trimEnd();
  return text.charAt(at) === "'" && (before === '' || '=:,'.includes(before.charAt(before.length - 1)));
}
