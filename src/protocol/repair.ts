/**
 * Makes JSON of what was meant as JSON: Python dicts, trailing commas, comments, raw line breaks, missing closers. Pure;
 * the only file that imports `jsonrepair`, which recurses and so is kept from deep and from large texts.
 */
import { jsonrepair } from 'jsonrepair';
import type { JsonValue } from '../core/json.ts';
import { endingOf } from './cut-value.ts';
import { skipSpaces } from './labels.ts';
import { maskStrings } from './mask-strings.ts';
import { nestsDeeperThan, repairCost } from './repair-cost.ts';

/** Levels of nesting beyond which a value is not read: code that walks a value recurses. */
export const deepestNesting = 200;

/** Longer texts, in code units, are not repaired. */
const longestRepair = 1_048_576;

/** `jsonrepair` copies its output at each repair: a text that needs more than this was hardly meant as JSON. */
const mostRepairs = 256;

/** The value a text spells as JSON; undefined where it is not JSON or is nested too deeply. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return nestsDeeply(text) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** `any`: the last string or number may have been cut. `closers`: only closers may be missing. */
export type Missing = 'any' | 'closers';

/**
 * The value a text was meant to spell; undefined where no repair finds one, or where it was cut behind a key or a comma, so
 * that a repair would write what nobody wrote.
 */
export function repairJson(text: string, missing: Missing = 'any'): JsonValue | undefined {
  if (text.length > longestRepair) return undefined;
  const spelled = withJsonStrings(text);
  const { cut, missing: closers } = endingOf(spelled);
  if (cut === 'between' || (cut !== 'none' && missing === 'closers')) return undefined;
  const strict = `${spelled}${closers}`;
  const { deepest, repairs } = repairCost(strict);
  if (deepest > deepestNesting || repairs > mostRepairs) return undefined;
  const parsed = parseJson(strict);
  if (parsed !== undefined) return parsed;
  const masked = maskStrings(strict);
  try {
    return parseJson(masked.unmask(jsonrepair(masked.text)));
  } catch {
    return undefined;
  }
}

function nestsDeeply(text: string): boolean {
  return text.length > deepestNesting && nestsDeeperThan(text, deepestNesting);
}

/**
 * Spells every string as a JSON string, and drops comments and the commas before closers. `jsonrepair` would take the backslash from `"\d"`, end
 * `'it's'` at the second apostrophe and not know `"""`.
 */
function withJsonStrings(text: string): string {
  const parts: string[] = [];
  let from = 0;
  let fresh = true;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    const quoted = code === 34 || (code === 39 && fresh);
    const piece = quoted ? readString(text, at, fresh) : (readComment(text, at) ?? readLastComma(text, at));
    if (piece === null) {
      fresh = opensValue(code) || (fresh && code <= 32);
      at++;
      continue;
    }
    parts.push(text.slice(from, at), piece.spelled);
    from = piece.end;
    at = piece.end;
    fresh = fresh && !quoted;
  }
  parts.push(text.slice(from));
  return parts.join('');
}

interface Piece {
  readonly spelled: string;
  readonly end: number;
}

/** Behind `{ [ ( , : =` a key or a value begins. */
function opensValue(code: number): boolean {
  return code === 123 || code === 91 || code === 40 || code === 44 || code === 58 || code === 61;
}

function readComment(text: string, at: number): Piece | null {
  if (text.startsWith('/*', at)) {
    const close = text.indexOf('*/', at + 2);
    return { spelled: ' ', end: close < 0 ? text.length : close + 2 };
  }
  if (text.charCodeAt(at) !== 35 && !text.startsWith('//', at)) return null;
  const end = text.indexOf('\n', at);
  return { spelled: ' ', end: end < 0 ? text.length : end };
}

/** A comma before a closer: lists that models write are full of them, and each would be a repair. */
function readLastComma(text: string, at: number): Piece | null {
  if (text.charCodeAt(at) !== 44) return null;
  const next = text.charCodeAt(skipSpaces(text, at + 1));
  return next === 125 || next === 93 ? { spelled: '', end: at + 1 } : null;
}

/** The string that begins at `at`; one that never closes goes to the end of the text, and is spelled without an end. */
function readString(text: string, at: number, fresh: boolean): Piece {
  const sign = text.charAt(at);
  const quote = fresh && text.startsWith(sign.repeat(3), at) ? sign.repeat(3) : sign;
  const from = at + quote.length;
  let index = from;
  let escapeAt = text.length;
  while (index < text.length) {
    if (text.charCodeAt(index) === 92) {
      escapeAt = index;
      index += 2;
    } else if (closesHere(text, index, quote))
      return { spelled: `"${jsonBody(text.slice(from, index))}"`, end: index + quote.length };
    else index++;
  }
  const end = isHalfEscape(text.slice(escapeAt, escapeAt + 7)) ? escapeAt : text.length;
  return { spelled: `"${jsonBody(text.slice(from, end))}`, end: text.length };
}

/** The end of a text in the middle of an escape. */
function isHalfEscape(text: string): boolean {
  return /^\\(?:u[0-9a-fA-F]{0,3})?$/.test(text);
}

/** An apostrophe closes only where a value can end, so that `'it's'` is one string. */
function closesHere(text: string, at: number, quote: string): boolean {
  if (!text.startsWith(quote, at)) return false;
  if (quote !== "'") return true;
  const next = skipSpaces(text.slice(at + 1, at + 9), 0) + at + 1;
  return next >= text.length || text.charCodeAt(next - 1) === 10 || ',:]})/\n'.includes(text.charAt(next));
}

const escapes = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['"', '\\"'],
]);

/** The inside of a string, with the escapes that JSON knows kept and all others taken as written. */
function jsonBody(body: string): string {
  const parts: string[] = [];
  for (let at = 0; at < body.length; at++) {
    const sign = body.charAt(at);
    if (sign !== '\\') parts.push(escapes.get(sign) ?? (sign < ' ' ? controlEscape(sign) : sign));
    else if (body.charAt(at + 1) === "'") parts.push(body.charAt(++at));
    else if (isJsonEscape(body, at)) parts.push(sign, body.charAt(++at));
    else parts.push('\\\\');
  }
  return parts.join('');
}

function controlEscape(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function isJsonEscape(body: string, at: number): boolean {
  const next = body.charAt(at + 1);
  if (next === 'u') return /^[0-9a-fA-F]{4}$/.test(body.slice(at + 2, at + 6));
  return next !== '' && '"\\/bfnrt'.includes(next);
}
