/**
 * An event as a line of a trace. Total: whatever it is given, it throws nothing. A line that would be too long has its longest
 * texts cut in their middle, with a mark that says how long they were; the event keeps its shape. Pure.
 */
import { isJsonObject, type JsonValue } from '../core/json.ts';
import { plainJson } from '../core/plain-json.ts';

export interface TraceText {
  readonly text: string;
  /** Texts of it were cut. */
  readonly isCut: boolean;
}

/** `most` is in code units of the line. Null for what cannot be made to fit, or is no event. */
export function traceText(event: unknown, most: number): TraceText | null {
  const text = jsonOf(event);
  if (text === null) return null;
  if (text.length <= most) return { text, isCut: false };
  const value: JsonValue = JSON.parse(text);
  const room = most - mark.length;
  for (const shorter of [cutTexts(value, room), cutTexts(withoutForeign(value), room)]) {
    const cut = marked(shorter);
    if (cut.length <= most) return { text: cut, isCut: true };
  }
  return null;
}

/** Events of a run are plain; what is given by hand may be anything. */
function jsonOf(event: unknown): string | null {
  try {
    if (typeof event !== 'object' || event === null) return null;
    return plainText(event) ?? JSON.stringify(plainJson(event, { mostValues: 1_000_000 }));
  } catch {
    return null;
  }
}

function plainText(event: object): string | null {
  try {
    return JSON.stringify(event);
  } catch {
    return null; // a circle, a BigInt, a getter that throws
  }
}

/** Whoever has the file alone must know it. */
function marked(event: JsonValue): string {
  return JSON.stringify(isJsonObject(event) ? { ...event, cut: true } : event);
}

/** Words and names, by which events are told apart: never cut. */
const words: ReadonlySet<string> = new Set([
  ...['type', 'format', 'state', 'runId', 'callId', 'toolCallId', 'tool', 'tools', 'role', 'key', 'resultKey', 'life'],
  ...['machineHash', 'model', 'dialect', 'policy', 'name', 'provider'],
]);

/** Shorter ones are left as they are. */
const shortest = 200;

const mark = ',"cut":true}';

/** The length that texts may have is halved until the whole fits. */
function cutTexts(value: JsonValue, most: number): JsonValue {
  let cut = value;
  for (let length = most >> 1; length >= shortest; length >>= 1) {
    cut = cutAt(value, length);
    if (JSON.stringify(cut).length <= most) break;
  }
  return cut;
}

function cutAt(value: JsonValue, length: number): JsonValue {
  if (typeof value === 'string') return cutText(value, length);
  if (isList(value)) return value.map((item) => cutAt(item, length));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, item]) => [name, words.has(name) ? item : cutAt(item, length)]);
  return Object.fromEntries(members);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** As many code units of its beginning and of its end as there may be, and no half of a pair. */
function cutText(text: string, length: number): string {
  if (text.length <= length + shortest) return text;
  const half = length >> 1;
  const begin = text.slice(0, half).replace(/[\ud800-\udbff]$/, '');
  const end = text.slice(-half).replace(/^[\udc00-\udfff]/, '');
  return `${begin} … [cut: of ${text.length} characters] … ${end}`;
}

/** What models, tools and providers gave as JSON may be long without holding one long text. A text stands for it. */
const foreign: ReadonlySet<string> = new Set(['input', 'output', 'providerData']);

function withoutForeign(value: JsonValue): JsonValue {
  if (isList(value)) return value.map(withoutForeign);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, item]) => [
    name,
    foreign.has(name) ? shortOf(item) : name === 'inputSchema' ? null : withoutForeign(item),
  ]);
  return Object.fromEntries(members);
}

function shortOf(value: JsonValue): JsonValue {
  const { length } = JSON.stringify(value);
  return length <= shortest ? value : `[cut: JSON of ${length} characters]`;
}
