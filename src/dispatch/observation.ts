/** What a tool returned, as text for the model and as JSON for the record. Total: any value gives a text. */
import { describedValue } from '../core/described-value.ts';
import type { JsonValue } from '../core/json.ts';
import { type Described, plainJson } from '../core/plain-json.ts';
import type { ValueWords } from '../core/value-words.ts';

export interface Rendered {
  /** The whole text, not cut. */
  readonly text: string;
  /** The value where it is JSON; otherwise null. */
  readonly output: JsonValue | null;
}

/** Values in a value: far more than an observation can show. */
const mostValues = 100_000;

/** A value that is nothing has an empty text. */
export function render(value: unknown, words: ValueWords, told?: Described): Rendered {
  if (typeof value === 'string') return { text: value, output: value };
  if (value === undefined || value === null) return { text: '', output: null };
  if (typeof value === 'symbol' || typeof value === 'function') return described(describedValue(value, words) ?? '');
  const output = plainJson(value, { mostValues, words, described: told });
  if (typeof output !== 'string') return { text: JSON.stringify(output), output };
  return output !== words.notShown && isData(value, words) ? { text: output, output } : described(output);
}

/** A text for people: it is not the value. */
function described(text: string): Rendered {
  return { text, output: null };
}

/** Whether the text that was made of a value is the value: that of a Date, and not that of a stream. */
function isData(value: unknown, words: ValueWords): boolean {
  if (typeof value !== 'object' || value === null) return true;
  try {
    return describedValue(value, words) === null && 'toJSON' in value && typeof value.toJSON === 'function';
  } catch {
    return false;
  }
}
