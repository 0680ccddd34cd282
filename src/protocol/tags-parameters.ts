/**
 * Reads the two forms of a call in which models write each argument in a tag of its own, by training:
 * `<function=search><parameter=q>x</parameter></function>`, and
 * `search<arg_key>q</arg_key><arg_value>x</arg_value>`. Pure, one pass.
 */
import type { JsonObject, JsonValue } from '../core/json.ts';
import { readInput } from './input-text.ts';
import { isBlank, skipSpaces } from './labels.ts';
import { parseJson } from './repair.ts';
import type { CallText } from './tags-call.ts';

const longestHead = 120;

/** True where a text begins in one of the forms: a bracket in it is part of a value. */
export function beginsParameters(text: string): boolean {
  return /^\s{0,20}(?:<function=|[\w.-]{1,64}\s{0,8}<arg_key>)/.test(text.slice(0, longestHead));
}

/** `text` begins in one of the forms. `end`: what is reported as used. Null where a tag of an argument does not close. */
export function readParameters(text: string, end: number): CallText | null {
  const opener = /^<function=["']?([^<>"'\s]{1,80})["']?\s{0,4}>/.exec(text.slice(0, longestHead));
  if (opener === null) return readKeyed(text, end);
  const tool = opener[1] ?? '';
  const from = opener[0].length;
  const close = text.lastIndexOf('</function>');
  const inside = text.slice(from, close < from ? text.length : close);
  if (text.charCodeAt(skipSpaces(text, from)) === 123) return withInput(tool, readInput(inside).input, end);
  return withInput(tool, parametersOf(inside), end);
}

function withInput(tool: string, input: JsonValue | undefined, end: number): CallText {
  if (input === undefined) return { kind: 'unreadable', tool };
  return { kind: 'call', tool, input, repaired: false, end };
}

/** `<parameter=q>x</parameter>` for each argument; undefined where other text stands there. */
function parametersOf(text: string): JsonObject | undefined {
  const members: [string, JsonValue][] = [];
  let at = skipSpaces(text, 0);
  while (at < text.length) {
    const opener = /^<parameter=["']?([^<>"'\s]{1,80})["']?\s{0,4}>/.exec(text.slice(at, at + longestHead));
    if (opener === null) return undefined;
    const from = at + opener[0].length;
    const close = closerBefore(text, from, '</parameter>', '<parameter=');
    if (close < 0) return undefined;
    members.push([opener[1] ?? '', argumentOf(text.slice(from, close))]);
    at = skipSpaces(text, close + '</parameter>'.length);
  }
  return Object.fromEntries(members);
}

/** The first closing tag behind which the next argument begins or nothing stands: a value may hold such a tag. */
function closerBefore(text: string, from: number, closer: string, next: string): number {
  let at = text.indexOf(closer, from);
  while (at >= 0) {
    const behind = skipSpaces(text, at + closer.length);
    if (behind === text.length || text.startsWith(next, behind)) return at;
    at = text.indexOf(closer, behind);
  }
  return -1;
}

const key = { open: '<arg_key>', close: '</arg_key>' };
const value = { open: '<arg_value>', close: '</arg_value>' };

function readKeyed(text: string, end: number): CallText | null {
  const nameEnd = text.indexOf(key.open);
  if (nameEnd < 0) return null;
  const tool = text.slice(0, nameEnd).trim();
  const members: [string, JsonValue][] = [];
  let at = nameEnd;
  while (at < text.length) {
    const keyEnd = text.startsWith(key.open, at) ? text.indexOf(key.close, at) : -1;
    const valueAt = keyEnd < 0 ? -1 : skipSpaces(text, keyEnd + key.close.length);
    if (valueAt < 0 || !text.startsWith(value.open, valueAt)) return { kind: 'unreadable', tool };
    const from = valueAt + value.open.length;
    const close = closerBefore(text, from, value.close, key.open);
    if (close < 0) return { kind: 'unreadable', tool };
    members.push([text.slice(at + key.open.length, keyEnd).trim(), argumentOf(text.slice(from, close))]);
    at = skipSpaces(text, close + value.close.length);
  }
  return withInput(tool, Object.fromEntries(members), end);
}

/** Numbers, booleans, null, lists and objects are JSON; all else is text, without the line breaks next to the tags. */
function argumentOf(written: string): JsonValue {
  const parsed = isBlank(written) ? undefined : parseJson(written);
  if (parsed !== undefined && typeof parsed !== 'string') return parsed;
  const text = written.replaceAll('\r\n', '\n');
  return text.slice(text.startsWith('\n') ? 1 : 0, text.length > 1 && text.endsWith('\n') ? -1 : text.length);
}
