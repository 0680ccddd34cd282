/** Inputs drawn from a JSON Schema, as far as that is simple; whatever a schema says beyond it is drawn as any JSON. */
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { jsonValues } from './arbitrary-input.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';

const deepest = 4;

/** Mostly what the schema allows. */
export function fittingInputs(fc: FastCheck, schema: JsonValue, depth = 0): Arbitrary<JsonValue> {
  if (!isJsonObject(schema) || depth > deepest) return jsonValues(fc);
  if ('const' in schema) return fc.constant(schema.const ?? null);
  if (isList(schema.enum) && schema.enum.length > 0) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (isList(choices) && choices.length > 0)
    return fc.oneof(...choices.map((choice) => fittingInputs(fc, choice, depth + 1)));
  const types = isList(schema.type)
    ? schema.type
    : [schema.type ?? (isJsonObject(schema.properties) ? 'object' : 'any')];
  return types.length === 0 ? jsonValues(fc) : fc.oneof(...types.map((type) => ofType(fc, type, schema, depth)));
}

function ofType(fc: FastCheck, type: JsonValue, schema: JsonObject, depth: number): Arbitrary<JsonValue> {
  switch (type) {
    case 'string':
      return texts(fc, schema);
    case 'integer':
      return fc.integer(range(schema, Math.ceil, Math.floor));
    case 'number':
      return fc
        .double({ ...range(schema), noNaN: true, noDefaultInfinity: true })
        .map((number) => (number === 0 ? 0 : number));
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array': {
      const minLength = countOf(schema.minItems, 0);
      const maxLength = Math.max(minLength, Math.min(5, countOf(schema.maxItems, 5)));
      return fc.array(fittingInputs(fc, schema.items ?? null, depth + 1), { minLength, maxLength });
    }
    case 'object':
      return objects(fc, schema, depth);
    default:
      return jsonValues(fc);
  }
}

/** Ordinary words and hostile ones, within the length that is asked for. */
function texts(fc: FastCheck, schema: JsonObject): Arbitrary<string> {
  const minLength = countOf(schema.minLength, 0);
  const maxLength = Math.max(minLength, Math.min(2_000, countOf(schema.maxLength, 30)));
  const words = [
    '',
    'a',
    'Oslo',
    '2026-01-31',
    '../../etc/passwd',
    '0',
    '-1',
    '价格',
    '\0',
    '$(x)',
    '%s',
    '<b>',
    '\u2028',
  ];
  const fitting = words.filter((word) => word.length >= minLength && word.length <= maxLength);
  const drawn = fc.string({ unit: 'grapheme', minLength, maxLength });
  return fitting.length === 0 ? drawn : fc.oneof(fc.constantFrom(...fitting), drawn);
}

function objects(fc: FastCheck, schema: JsonObject, depth: number): Arbitrary<JsonValue> {
  const properties = isJsonObject(schema.properties) ? Object.entries(schema.properties) : [];
  const required: readonly JsonValue[] = isList(schema.required) ? schema.required : [];
  const members = properties.map(([name, value]) => {
    const drawn = fittingInputs(fc, value, depth + 1).map((member): readonly [string, JsonValue] | null => [
      name,
      member,
    ]);
    return required.includes(name) ? drawn : fc.option(drawn, { freq: 3 });
  });
  return fc.tuple(...members).map((drawn) => Object.fromEntries(drawn.filter((member) => member !== null)));
}

function range(schema: JsonObject, up = (bound: number) => bound, down = (bound: number) => bound) {
  const least = up(numberOf(schema.minimum ?? schema.exclusiveMinimum, -1_000));
  const most = down(numberOf(schema.maximum ?? schema.exclusiveMaximum, Math.max(1_000, least)));
  return { min: Math.min(least, most), max: most };
}

function numberOf(value: JsonValue | undefined, otherwise: number): number {
  return typeof value === 'number' && Math.abs(value) < 2 ** 31 ? value : otherwise;
}

function countOf(value: JsonValue | undefined, otherwise: number): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 10_000 ? value : otherwise;
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
