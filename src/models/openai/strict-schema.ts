/**
 * A tool's schema in the form that strict function calling demands: every object closed, and every member required. Only where
 * nothing that the schema names is lost by that; an optional member, for one, could not be left out any more. Pure.
 * Source: https://platform.openai.com/docs/guides/structured-outputs (supported schemas)
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';

const deepest = 10;

const plain = ['type', 'description', 'title', 'enum', 'const', '$ref', 'format', 'pattern', 'multipleOf'];
const bounds = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems'];
const understood: ReadonlySet<string> = new Set([...plain, ...bounds]);

const formats: ReadonlySet<JsonValue> = new Set(
  'date-time time date duration email hostname ipv4 ipv6 uuid'.split(' '),
);

/** Null where the schema has no strict form of the same meaning. */
export function strictSchema(schema: JsonObject): JsonObject | null {
  if (schema.type !== 'object' || 'anyOf' in schema) return null;
  const { $schema, ...rest } = schema;
  return strict(rest, deepest);
}

function strict(schema: JsonValue | undefined, levels: number): JsonObject | null {
  if (!isJsonObject(schema) || levels === 0) return null;
  const members = new Map<string, JsonValue>();
  for (const [name, value] of Object.entries(schema)) {
    const strictValue = member(name, value, levels);
    if (strictValue === null) return null;
    members.set(name, strictValue);
  }
  // An object that may also be null: its members are closed nowhere else.
  if (Array.isArray(schema.type) && schema.type.includes('object')) return null;
  if (schema.type !== 'object') return Object.fromEntries(members);
  const names = Object.keys(isJsonObject(schema.properties) ? schema.properties : {});
  const required = Array.isArray(schema.required) ? schema.required : [];
  if (names.some((name) => !required.includes(name)) || required.length !== names.length) return null;
  members.set('properties', members.get('properties') ?? {});
  members.set('required', names);
  members.set('additionalProperties', false);
  return Object.fromEntries(members);
}

/** The value of one keyword, null where strict calling does not know it. */
function member(name: string, value: JsonValue, levels: number): JsonValue | null {
  switch (name) {
    case 'properties':
    case '$defs':
      return strictMembers(value, levels);
    case 'items':
      return strict(value, levels - 1);
    case 'anyOf':
      return strictList(value, levels);
    case 'additionalProperties':
      return value === false ? false : null;
    case 'required':
      return value;
    case 'format':
      return formats.has(value) ? value : null;
    default:
      return understood.has(name) ? value : null;
  }
}

function strictMembers(value: JsonValue, levels: number): JsonObject | null {
  if (!isJsonObject(value)) return null;
  const members = Object.entries(value).map(([name, schema]) => [name, strict(schema, levels - 1)] as const);
  return members.every((pair): pair is readonly [string, JsonObject] => pair[1] !== null)
    ? Object.fromEntries(members)
    : null;
}

function strictList(value: JsonValue, levels: number): readonly JsonObject[] | null {
  if (!Array.isArray(value)) return null;
  const list = value.map((schema) => strict(schema, levels - 1));
  return list.every((schema) => schema !== null) ? list : null;
}
