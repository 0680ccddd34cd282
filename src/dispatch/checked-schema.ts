/**
 * A JSON Schema as it is checked: without `format`. By the standard that is a note, and the model is shown it; the patterns
 * behind its names would be run over texts of any length. Pure.
 */
import type { JsonObject, JsonValue } from '../core/json.ts';
import { isJsonObject } from '../core/json.ts';

/** Their members are schemas under names of any kind, `format` among them. */
const named: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
/** What stands in them are values. */
const literal: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

export function withoutFormats(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(([keyword]) => keyword !== 'format');
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, keywordValue(keyword, value)]));
}

function keywordValue(keyword: string, value: JsonValue): JsonValue {
  if (literal.has(keyword)) return value;
  if (!named.has(keyword) || !isJsonObject(value)) return withoutInside(value);
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, withoutInside(schema)]));
}

function withoutInside(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutInside);
  return isJsonObject(value) ? withoutFormats(value) : value;
}
