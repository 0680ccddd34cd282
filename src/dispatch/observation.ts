/** What a tool returned, as text for the model and as JSON for the record. Total: any value gives a text. */
import type { JsonValue } from '../core/json.ts';
import { plainJson } from '../core/plain-json.ts';
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
  if (typeof value === 'number' || typeof value === 'boolean')
    return { text: String(value), output: plainJson(value, 1) };
  if (typeof value === 'bigint') return { text: value.toString(), output: value.toString() };
  return renderObject(value);
}

/** Whatever cannot be spelled as JSON is described. Getters, proxies and `toJSON` are foreign code and may throw. */
function renderObject(value: object | symbol | ((...inputs: never) => unknown)): Rendered {
  try {
    if (value instanceof Error) return { text: `${value.name}: ${value.message}`, output: null };
    const output = typeof value === 'object' ? plainJson(value, mostValues) : null;
    if (output !== null) return { text: JSON.stringify(output), output };
  } catch {
    // Described below.
  }
  return { text: `(a value that cannot be shown: ${typeof value})`, output: null };
}

/** Values in a value: far more than an observation can show. */
const mostValues = 100_000;

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
