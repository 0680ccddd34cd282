/**
 * An input as it was surely meant, where it does not fit its schema: what models write with the wrong quotes. Pure. Only
 * what the schema leaves one reading for; each change is told, for the record.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';

export interface Coerced {
  readonly input: JsonValue;
  /** Such as `limit: "5" → 5`. */
  readonly changes: readonly string[];
}

/** Null where there is nothing to change. */
export function coerceInput(input: JsonValue, schema: JsonObject | null): Coerced | null {
  if (schema === null) return null;
  const changes: string[] = [];
  const whole = typeof input === 'string' && !meansJson(input) ? wrapped(input, schema, changes) : input;
  const coerced = valueAs(whole, schema, '', changes);
  return changes.length === 0 ? null : { input: coerced, changes };
}

/** A text that begins so was meant as JSON and could not be read: it is no plain text. */
function meansJson(text: string): boolean {
  return /^\s{0,8}[{[`]/.test(text.slice(0, 9));
}

/** Plain text for a tool whose only required field is a text becomes that field. */
function wrapped(text: string, schema: JsonObject, changes: string[]): JsonValue {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const [only, ...others] = required;
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  if (typeof only !== 'string' || others.length > 0 || !Object.hasOwn(properties, only)) return text;
  const field = properties[only];
  if (!isJsonObject(field) || field.type !== 'string') return text;
  changes.push(`${only}: plain text → a field`);
  return Object.fromEntries([[only, text]]);
}

/** Levels of nesting that are looked at. */
const deepest = 20;

function valueAs(value: JsonValue, schema: JsonObject, path: string, changes: string[], depth = 0): JsonValue {
  if (depth > deepest) return value;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (schema.type !== 'array' || !isJsonObject(items)) return value;
    return value.map((item, index) => valueAs(item, items, `${path}[${index}]`, changes, depth + 1));
  }
  if (isJsonObject(value)) return objectAs(value, schema, path, changes, depth);
  const meant = scalarAs(value, schema.type);
  if (meant === undefined) return value;
  changes.push(`${path || 'input'}: ${JSON.stringify(value).slice(0, 60)} → ${JSON.stringify(meant).slice(0, 60)}`);
  return meant;
}

function objectAs(value: JsonObject, schema: JsonObject, path: string, changes: string[], depth: number): JsonValue {
  const { properties, required } = schema;
  if (!isJsonObject(properties)) return value;
  const needed: readonly JsonValue[] = Array.isArray(required) ? required : [];
  const members = Object.entries(value).flatMap(([name, member]): [string, JsonValue][] => {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isJsonObject(field)) return [[name, member]];
    const at = path === '' ? name : `${path}.${name}`;
    if (member === null && !needed.includes(name) && typeof field.type === 'string' && field.type !== 'null') {
      changes.push(`${at}: null → left out`);
      return [];
    }
    return [[name, valueAs(member, field, at, changes, depth + 1)]];
  });
  return Object.fromEntries(members);
}

/** Undefined where the value has the type already, or there is no sure reading. */
function scalarAs(value: JsonValue, type: JsonValue | undefined): JsonValue | undefined {
  if (typeof value === 'string' && (type === 'number' || type === 'integer')) return numberIn(value, type);
  if (typeof value === 'string' && type === 'boolean')
    return value === 'true' ? true : value === 'false' ? false : undefined;
  return undefined;
}

/** Plain decimal numbers alone: no blanks, no `0x10`, nothing that would lose digits. */
function numberIn(text: string, type: 'number' | 'integer'): number | undefined {
  if (text.length > 20 || !/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)) return undefined;
  const number = Number(text);
  if (type === 'integer' && !Number.isSafeInteger(number)) return undefined;
  return text.replaceAll(/[-.]/g, '').length > 15 ? undefined : number;
}
