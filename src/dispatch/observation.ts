/** What a tool returned, as text for the model and as JSON for the record. Total: any value gives a text. */
import type { JsonValue } from '../core/json.ts';
import type { Messages } from './messages.ts';

export interface Rendered {
  /** The whole text, not cut. */
  readonly text: string;
  /** The value where it is JSON; otherwise null. */
  readonly output: JsonValue | null;
}

export function render(value: unknown, messages: Messages): Rendered {
  if (typeof value === 'string') return { text: value.trim() === '' ? messages.empty : value, output: value };
  if (value === undefined || value === null) return { text: messages.empty, output: null };
  if (typeof value === 'number' || typeof value === 'boolean') return { text: String(value), output: asJson(value) };
  if (typeof value === 'bigint') return { text: value.toString(), output: value.toString() };
  if (value instanceof Error) return { text: `${value.name}: ${value.message}`, output: null };
  return renderObject(value);
}

/** Whatever cannot be spelled as JSON is described. Getters and `toJSON` are foreign code and may throw. */
function renderObject(value: object | symbol | ((...inputs: never) => unknown)): Rendered {
  try {
    const output = typeof value === 'object' ? plain(value, []) : null;
    if (output !== null) return { text: JSON.stringify(output), output };
  } catch {
    // Described below.
  }
  return { text: `(a value that cannot be shown: ${typeof value})`, output: null };
}

const deepest = 100;

/** A copy as plain JSON, with words for what JSON lacks. `above` are the objects that contain the value. */
function plain(value: unknown, above: readonly object[]): JsonValue {
  if (value === null || value === undefined || typeof value === 'function' || typeof value === 'symbol') return null;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return typeof value === 'number' || typeof value === 'boolean' ? asJson(value) : null;
  if (above.includes(value)) return '(circular)';
  if (above.length >= deepest) return '(nested too deep to show)';
  return plainObject(value, [...above, value]);
}

function plainObject(value: object, above: readonly object[]): JsonValue {
  if ('toJSON' in value && typeof value.toJSON === 'function') return plain(value.toJSON(), above);
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (ArrayBuffer.isView(value)) return `(${value.byteLength} bytes of binary data)`;
  if (Array.isArray(value)) return value.map((item) => plain(item, above));
  if (value instanceof Set) return [...value].map((item) => plain(item, above));
  const entries: readonly (readonly [unknown, unknown])[] = value instanceof Map ? [...value] : Object.entries(value);
  // A member `__proto__` is data here like any other: fromEntries defines it, an assignment would not.
  return Object.fromEntries(
    entries.filter(([, item]) => item !== undefined).map(([key, item]) => [String(key), plain(item, above)]),
  );
}

function asJson(value: number | boolean): JsonValue {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

/** How long a text may be. */
export interface Cutter {
  fits(text: string): boolean;
  /** The longest start of the text that takes at most this share of the limit. */
  start(text: string, share: number): string;
  /** The longest end. */
  end(text: string, share: number): string;
}

/** The first 60 % and the last 40 % of what fits, with a mark that says how much is missing. */
export function cut(text: string, cutter: Cutter, messages: Messages): string {
  if (cutter.fits(text)) return text;
  const head = cutter.start(text, 0.6);
  const tail = cutter.end(text.slice(head.length), 0.4);
  return `${head}\n${messages.cut(head.length + tail.length, text.length)}\n${tail}`;
}
