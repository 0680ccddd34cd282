/** Reads what stands on a line behind the name of a tool that exists: its input, or a remark. Pure, one pass. */
import { valueOpens } from './input-text.ts';
import { isSpace, skipSpaces, skipSpacesBack } from './labels.ts';

export interface BehindName {
  /** Where an object or a quoted text begins that is the input; -1 where there is none. */
  readonly inputAt: number;
  /** A quoted text, which ends the line. */
  readonly isQuoted: boolean;
  /** A parenthesis of call syntax, or -1. */
  readonly argumentsAt: number;
  /** Words that are no input: all up to it, or the rest of the line. */
  readonly remark: string;
}

export interface BeginningName {
  readonly tool: string;
  /** Behind the name and the signs that close round it. */
  readonly end: number;
}

/** The longest tool whose name the text begins with, where something else follows: `search - for the price`. */
export function beginningName(text: string, tools: readonly string[]): BeginningName | null {
  const start = skipSigns(text, skipSpaces(text, 0), '`*"\'[<“「');
  let best: BeginningName | null = null;
  for (const tool of tools) {
    if (tool.length <= (best?.tool.length ?? 0) || !text.startsWith(tool, start)) continue;
    const behind = start + tool.length;
    const end = start === 0 ? behind : skipSigns(text, behind, '`*"\']>”」');
    if (end > behind || endsName(text, end)) best = { tool, end };
  }
  return best;
}

/** Looks through the line from behind a name on. */
export function readBehindName(line: string, from: number): BehindName {
  let at = from;
  while (at < line.length) {
    const code = line.charCodeAt(at);
    if (code === 123 && valueOpens(line, at)) return inputFound(line, from, at, false);
    if (opensQuote(line, at))
      return isQuotedRest(line, at) ? inputFound(line, from, at, true) : quotedRemark(line, from, at);
    const behind = code === 40 ? remarkEnd(line, at, from) : at + 1;
    if (behind < 0) return { inputAt: -1, isQuoted: false, argumentsAt: at, remark: wordsOf(line.slice(from, at)) };
    at = behind;
  }
  return nothing(line, from);
}

function opensQuote(line: string, at: number): boolean {
  const code = line.charCodeAt(at);
  return code === 34 || code === 0x201c || (code === 39 && beginsWord(line, at));
}

/** Quotes in a remark: an object may still stand behind them. */
function quotedRemark(line: string, from: number, at: number): BehindName {
  const brace = line.indexOf('{', at);
  return brace >= 0 && valueOpens(line, brace) ? inputFound(line, from, brace, false) : nothing(line, from);
}

function inputFound(line: string, from: number, inputAt: number, isQuoted: boolean): BehindName {
  return { inputAt, isQuoted, argumentsAt: -1, remark: wordsOf(line.slice(from, inputAt)) };
}

function nothing(line: string, from: number): BehindName {
  return { inputAt: -1, isQuoted: false, argumentsAt: -1, remark: wordsOf(line.slice(from)) };
}

/** Behind a remark such as ` (the web)`; -1 where the parenthesis may hold arguments. One right behind the name does. */
function remarkEnd(line: string, at: number, nameEnd: number): number {
  if (at === nameEnd) return -1;
  for (let index = at + 1; index < line.length; index++) {
    const sign = line.charAt(index);
    if (sign === ')') return index === skipSpaces(line, at + 1) ? -1 : index + 1;
    if ('"\'{[(=“'.includes(sign)) return -1;
  }
  return -1;
}

const joins: ReadonlySet<string> = new Set(['with', 'using', 'input', 'for', 'on']);

/** Empty where nothing was said: signs, and words that only join a name and its input. */
function wordsOf(text: string): string {
  const written = text.trim();
  if (written.length > 60) return written;
  const words = written.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return words.every((word) => word === '' || joins.has(word)) ? '' : written;
}

/** From the quote on nothing stands on the line but one quoted text, and perhaps a full stop. */
function isQuotedRest(line: string, at: number): boolean {
  const close = closingQuote(line.charAt(at));
  let end = skipSpacesBack(line, line.length);
  if (end > at + 2 && '.。;；'.includes(line.charAt(end - 1))) end--;
  return end > at + 2 && line.charAt(end - 1) === close && quoteEnd(line, at, close) === end - 1;
}

function quoteEnd(line: string, at: number, close: string): number {
  for (let index = at + 1; index < line.length; index++) {
    const sign = line.charAt(index);
    if (sign === '\\') index++;
    else if (sign === close && (close !== "'" || !isLetter(line.charAt(index + 1)))) return index;
  }
  return -1;
}

function closingQuote(open: string): string {
  return open === '“' ? '”' : open;
}

function isLetter(sign: string): boolean {
  return /^\p{L}$/u.test(sign);
}

function beginsWord(line: string, at: number): boolean {
  return at === 0 || isSpace(line.charCodeAt(at - 1));
}

/** A line break, spaces or a sign ends a name; a dash does where no word goes on behind it. */
function endsName(text: string, at: number): boolean {
  if (at >= text.length) return false;
  const sign = text.charAt(at);
  if (isSpace(text.charCodeAt(at)) || '([{—,:;`*（，：|"“<'.includes(sign)) return true;
  return (sign === '-' || sign === '=') && !/^[\p{L}\p{N}_]/u.test(text.slice(at + 1, at + 3));
}

function skipSigns(text: string, from: number, signs: string): number {
  let at = from;
  while (at - from < 4 && at < text.length && signs.includes(text.charAt(at))) at++;
  return at;
}

/** The text in quotes of a line: JSON where it is JSON. */
export function unquoted(text: string): string {
  const body = text.trim().replace(/[.。;；]$/, '');
  return body.slice(1, -1).replaceAll('\\"', '"').trim();
}

const weakLabel =
  /^[ \t]{0,3}([*_`]{0,2})(?:tool[ _]input|input|arguments|parameters|参数|动作参数)(?:\1[:：]|[:：]\1)/i;

/** Where the text behind `Input:` or `Arguments:` begins, or -1: a label only right behind an action. */
export function weakInputAt(line: string): number {
  const found = weakLabel.exec(line.slice(0, 32));
  return found === null ? -1 : skipSpaces(line, found[0].length);
}

/** A line that is one quoted text. */
export function isQuotedLine(line: string): boolean {
  const at = skipSpaces(line, 0);
  return (line.charCodeAt(at) === 34 || line.charCodeAt(at) === 0x201c) && isQuotedRest(line, at);
}
