/** Copies an input before foreign code sees it. Pure. */
import { isJsonObject, type JsonValue } from '../core/json.ts';

/** Levels of nesting that an input may have: what walks it recurses. Readers refuse more as well. */
export const deepestInput = 200;

/**
 * A schema or tool that writes into what it is given must not change what the run has recorded. Undefined where the input
 * is nested deeper than `deepestInput`.
 */
export function copyInput(input: JsonValue): JsonValue | undefined {
  return nestsWithin(input, deepestInput) ? copy(input) : undefined;
}

function nestsWithin(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inside: JsonValue) => nestsWithin(inside, levels - 1));
}

function copy(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(copy);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, copy(inside)]));
}
