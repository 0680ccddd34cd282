/**
 * Makes JSON of what was meant as JSON: Python dicts, trailing commas, comments, raw line breaks, missing closers. Pure;
 * the only file that imports `jsonrepair`, which recurses and so is kept from deep and from large texts.
 */
import { jsonrepair } from 'jsonrepair';
import type { JsonValue } from '../core/json.ts';
import { skipSpaces } from './labels.ts';

/** Levels of nesting beyond which a value is not read: code that walks a value recurses. */
export const deepestNesting = 200;

/** Longer texts, in code units, are not repaired. */
const longestRepair = 1_048_576;

/** Up to this length any text may be repaired: the worst takes about 0.1 s. */
const shortRepair = 65_536;

/**
 * Above that, length times what stands outside strings. `jsonrepair` copies its output at each repair, and a repair
 * needs at least one sign outside a string: this many copied code units take well under a second.
 */
const mostCopied = 2 ** 28;

/** The value a text spells as JSON; undefined where it is not JSON or is nested too deeply. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return nestsDeeply(text) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** The value a text was meant to spell; undefined where no repair finds one. */
export function repairJson(text: string): JsonValue | undefined {
  if (text.length > longestRepair) return undefined;
  const strict = withJsonStrings(text);
  const { deepest, outside } = structureOf(strict);
  const isCostly = strict.length > shortRepair && strict.length * outside > mostCopied;
  if (deepest > deepestNesting || isCostly) return undefined;
  try {
    return parseJson(jsonrepair(strict));
  } catch {
    return undefined;
  }
}

function nestsDeeply(text: string): boolean {
  return text.length > deepestNesting && structureOf(text).deepest > deepestNesting;
}

/** The deepest nesting of brackets, and how many code units stand outside strings. */
function structureOf(text: string): { readonly deepest: number; readonly outside: number } {
  let depth = 0;
  let deepest = 0;
  let outside = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    outside++;
    if (code === 34) at = jsonStringEnd(text, at + 1);
    else if (code === 123 || code === 91) depth++;
    else if (code === 125 || code === 93) depth--;
    if (depth > deepest) deepest = depth;
  }
  return { deepest, outside };
}

function jsonStringEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) !== 34) at += text.charCodeAt(at) === 92 ? 2 : 1;
  return at;
}

/**
 * Spells every string as a JSON string and drops comments. `jsonrepair` would take the backslash from `"\d"`, end
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
    const piece = quoted ? readString(text, at, fresh) : readComment(text, at);
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

/** The string that begins at `at`; one that never closes goes to the end of the text. */
function readString(text: string, at: number, fresh: boolean): Piece {
  const sign = text.charAt(at);
  const quote = fresh && text.startsWith(sign.repeat(3), at) ? sign.repeat(3) : sign;
  const from = at + quote.length;
  let index = from;
  while (index < text.length) {
    if (text.charCodeAt(index) === 92) index += 2;
    else if (closesHere(text, index, quote))
      return { spelled: `"${jsonBody(text.slice(from, index))}"`, end: index + quote.length };
    else index++;
  }
  return { spelled: `"${jsonBody(text.slice(from))}"`, end: text.length };
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
