/**
 * Reads the text of an answer that a schema waits for: JSON, bare or in one code fence, with the small faults that inputs
 * may have as well. Nothing is closed or chosen for the model. Pure and total.
 */
import type { JsonValue } from '../core/json.ts';
import { readInput } from './input-text.ts';
import { parseJson } from './repair.ts';
import { valueEnd } from './tracker.ts';

/** `unreadable`: meant as JSON, and cut, broken or more than one value. */
export type AnswerRead =
  | { readonly kind: 'json'; readonly value: JsonValue }
  | { readonly kind: 'text' }
  | { readonly kind: 'unreadable' };

const noJson: AnswerRead = Object.freeze({ kind: 'text' });
const unreadable: AnswerRead = Object.freeze({ kind: 'unreadable' });

export function readAnswer(answer: string): AnswerRead {
  const whole = answer.trim();
  const value = parseJson(whole);
  if (value !== undefined) return { kind: 'json', value };
  if (opensValue(whole)) return readOpened(whole);
  const inside = insideFence(whole);
  if (inside === null) return noJson;
  const fenced = parseJson(inside);
  if (fenced !== undefined) return { kind: 'json', value: fenced };
  return opensValue(inside) ? readOpened(inside) : noJson;
}

function opensValue(text: string): boolean {
  return text.startsWith('{') || text.startsWith('[');
}

/** Other words may follow, but no second value. */
function readOpened(text: string): AnswerRead {
  if (valueEnd(text, 0) < 0) return unreadable;
  const { input, end } = readInput(text);
  if (typeof input === 'string') return noJson; // `[1] says so`
  return input === undefined || text.includes('{', end) ? unreadable : { kind: 'json', value: input };
}

/** Between the first fence and the last, without the word that names the language; null where there is none. */
function insideFence(text: string): string | null {
  const open = text.indexOf(fence);
  if (open < 0) return null;
  const close = text.lastIndexOf(fence);
  const inside = text.slice(open + fence.length, close > open ? close : text.length);
  const named = /^[a-z]{0,12}\s/i.exec(inside.slice(0, 14));
  return inside.slice(named?.[0].length ?? 0).trim();
}

const fence = '```';
