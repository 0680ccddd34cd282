/**
 * Contents of a line that are kept apart from it. Contents are what models, tools and people wrote: by the names of their
 * members. In their place stays their beginning, or nothing; `apart` says what stood where. Pure.
 */
import { createHash } from 'node:crypto';
import type { JsonValue } from '../core/json.ts';
import type { JournalLine } from '../core/store.ts';
import { parsedJson, textOfLine } from './journal-line.ts';

/** On a line: all its contents that are apart are one text, a JSON list of them in the order of `paths`. */
export interface Apart {
  /** Of the text in UTF-8; 64 hexadecimal digits, lower case. */
  readonly sha256: string;
  readonly bytes: number;
  readonly paths: readonly (readonly string[])[];
}

/** A line that may have such contents. */
export type LeanLine = JournalLine & { readonly apart?: Apart };

export interface Blob {
  readonly sha256: string;
  readonly text: string;
}

/** In lines and in checkpoints alike. What is in them is not looked into. */
const contents: ReadonlySet<string> = new Set([
  ...['input', 'output', 'observation', 'providerData', 'key', 'resultKey', 'window', 'coerced'],
  ...['task', 'content', 'thought', 'text', 'answer', 'proposed', 'partial', 'dropped', 'reply'],
  ...['hint', 'message', 'stack', 'why', 'notes'],
]);

/** Names of states are no contents, whatever they are. */
const closed: ReadonlySet<string> = new Set(['state']);

interface Found {
  readonly path: readonly string[];
  readonly value: JsonValue;
}

type Members = { [key: string]: JsonValue };

/**
 * A copy of the line without the contents whose JSON has more than `overBytes` bytes in UTF-8, and those contents. Throws
 * AgentError (`store_failed`) for what is no JSON.
 */
export function leanLine(
  line: JournalLine,
  overBytes: number,
): { readonly line: LeanLine; readonly blob: Blob | null } {
  const copy: LeanLine = JSON.parse(textOfLine(line)); // What JSON keeps of a line is one.
  const found: Found[] = [];
  takeOut(copy, overBytes, [], found);
  if (found.length === 0) return { line: copy, blob: null };
  const text = JSON.stringify(found.map(({ value }) => value));
  const sha256 = sha256Of(text);
  const apart = { sha256, bytes: Buffer.byteLength(text), paths: found.map(({ path }) => path) };
  return { line: { ...copy, apart }, blob: { sha256, text } };
}

export function sha256Of(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

function takeOut(within: unknown, overBytes: number, path: readonly string[], found: Found[]): void {
  if (!isMembers(within)) return;
  for (const [key, value] of Object.entries(within)) {
    if (closed.has(key)) continue;
    const place = [...path, key];
    if (!isContent(place, value)) takeOut(value, overBytes, place, found);
    else if (isLong(value, overBytes)) {
      found.push({ path: place, value });
      within[key] = placeholder(value, overBytes);
    }
  }
}

/** Notes of an answer are a list of texts. Those of calls, in a step in progress, are named by call and hold more than contents. */
function isContent(path: readonly string[], value: JsonValue): boolean {
  return mayBeContent(path) && (path.at(-1) !== 'notes' || Array.isArray(value));
}

/** The name of an error comes from a tool; every other name is one of ours, or of a tool or model. */
function mayBeContent(path: readonly string[]): boolean {
  const [within = '', key = ''] = path.slice(-2);
  return contents.has(path.at(-1) ?? '') || (key === 'name' && ['error', 'cause'].includes(within));
}

/** Also a list: its members are named by numbers. */
function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}

function isLong(value: JsonValue, overBytes: number): boolean {
  if (value === null) return false;
  // A code unit has at most six bytes, as in \u0000, and there are two quotes.
  if (typeof value === 'string' && value.length * 6 + 2 <= overBytes) return false;
  return Buffer.byteLength(JSON.stringify(value)) > overBytes;
}

/** In code units. */
const mostShown = 200;

/** Of the same type, so that whoever reads the line alone can: of a text its beginning, as far as it could have stayed. */
function placeholder(value: JsonValue, overBytes: number): JsonValue {
  if (Array.isArray(value)) return [];
  if (typeof value !== 'string') return null;
  const shown = value.slice(0, Math.min(mostShown, Math.floor(overBytes / 6)));
  return /[\ud800-\udbff]$/.test(shown) ? shown.slice(0, -1) : shown;
}

/** The line with its contents; null where the text does not have one for each place. */
export function fullLine(line: LeanLine, { paths }: Apart, text: string): unknown {
  const values = parsedJson(text);
  if (!Array.isArray(values) || values.length !== paths.length) return null;
  const { apart: _, ...rest } = structuredClone(line);
  return paths.every((path, index) => putBack(rest, path, values[index])) ? rest : null;
}

function putBack(line: object, path: readonly string[], value: JsonValue): boolean {
  const last = path.at(-1);
  if (last === undefined || !mayBeContent(path)) return false;
  let within: unknown = line;
  for (const key of path.slice(0, -1)) {
    if (!isMembers(within) || !Object.hasOwn(within, key)) return false;
    within = Reflect.get(within, key);
  }
  return isMembers(within) && Object.hasOwn(within, last) && Reflect.set(within, last, value);
}
