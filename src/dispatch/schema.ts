/**
 * One view of the kinds of schema that a tool may carry: what the model is told of it, and how an input or a result is
 * checked.
 */
import { Validator } from '@cfworker/json-schema';
import { AgentError } from '../core/errors.ts';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import type { AiSdkSchema, StandardIssue, StandardSchema } from '../core/schema.ts';
import { withoutFormats } from './checked-schema.ts';

/** What is wrong with a value, in words; or the value as the schema gives it. */
export type Checked =
  | { readonly ok: true; readonly input: unknown }
  | { readonly ok: false; readonly problems: readonly string[] };

export interface CompiledSchema {
  /** For the model; null where the schema has no JSON Schema form. */
  readonly jsonSchema: JsonObject | null;
  /** Whether it must be given JSON: it would not end, or not know what it sees, with any other value. */
  readonly takesJson: boolean;
  /** May be asynchronous, and is foreign code. */
  check(value: unknown): Checked | PromiseLike<Checked>;
}

/** `option` is what the user called it. Throws AgentError where the value is no schema at all. */
export function compileSchema(option: string, schema: unknown): CompiledSchema {
  if (isStandard(schema)) return standard(schema);
  if (isAiSdk(schema)) return aiSdk(schema);
  if (isFunction(schema)) return compileSchema(option, made(schema)); // the AI SDK's lazySchema()
  if (isJsonObject(schema) && !checksItself(schema)) return plain(schema);
  throw new AgentError('invalid_option', `${option} is not a schema.`, {
    hint: 'Give a Standard Schema (zod from 3.24 on, valibot, arktype), a JSON Schema of an object, or what the AI SDK’s jsonSchema() returns.',
  });
}

/** A schema of a library without Standard Schema, such as an older zod: as a JSON Schema it would let everything pass. */
function checksItself(schema: JsonObject): boolean {
  return isFunction(schema.parse) || isFunction(schema.validate);
}

function isFunction(value: unknown): value is (...inputs: never) => unknown {
  return typeof value === 'function';
}

function made(schema: (...inputs: never) => unknown): unknown {
  const result: unknown = Reflect.apply(schema, undefined, []);
  return typeof result === 'function' ? null : result;
}

function standard(schema: StandardSchema): CompiledSchema {
  return {
    jsonSchema: standardJsonSchema(schema),
    takesJson: false,
    check: (input) => {
      const result = schema['~standard'].validate(input);
      return isPromiseLike(result) ? Promise.resolve(result).then(standardChecked) : standardChecked(result);
    },
  };
}

function standardChecked(result: Awaited<ReturnType<StandardSchema['~standard']['validate']>>): Checked {
  if (result.issues === undefined) return { ok: true, input: result.value };
  return { ok: false, problems: result.issues.map(standardProblem) };
}

function standardProblem({ message, path }: StandardIssue): string {
  const keys = (path ?? []).map((part) => String(typeof part === 'object' ? part.key : part));
  return keys.length === 0 ? message : `${keys.join('.')}: ${message}`;
}

/** A schema that cannot be put as JSON Schema is still a schema; the model then knows the tool by its description. */
function standardJsonSchema(schema: StandardSchema): JsonObject | null {
  try {
    return jsonObject(schema['~standard'].jsonSchema?.input({ target: 'draft-2020-12' }));
  } catch {
    return null;
  }
}

/** The SDK's own check where it has one; without it, its JSON Schema. */
function aiSdk(schema: AiSdkSchema): CompiledSchema {
  const jsonSchema = jsonObject(schema.jsonSchema);
  const { validate } = schema;
  if (validate === undefined) return { ...plain(jsonSchema ?? {}), jsonSchema };
  return {
    jsonSchema,
    takesJson: false,
    check: (input) => {
      const result = validate(input);
      return isPromiseLike(result) ? Promise.resolve(result).then(aiSdkChecked) : aiSdkChecked(result);
    },
  };
}

/** `{ success: true, value }` or `{ success: false, error }`. */
function aiSdkChecked(result: unknown): Checked {
  if (isJsonObject(result) && result.success === true) return { ok: true, input: result.value };
  const error: unknown = isJsonObject(result) ? result.error : null;
  if (!(error instanceof Error)) return { ok: false, problems: ['It does not fit the schema.'] };
  const issues: unknown = 'issues' in error ? error.issues : error.cause;
  const problems = Array.isArray(issues) ? issues.filter(isIssue).map(standardProblem) : [];
  return { ok: false, problems: problems.length > 0 ? problems : [error.message] };
}

/** What the SDK makes of the schema of a library keeps that library's own list. */
function isIssue(value: unknown): value is StandardIssue {
  return isJsonObject(value) && typeof value.message === 'string' && Array.isArray(value.path ?? []);
}

function plain(schema: JsonObject): CompiledSchema {
  let validator: Validator | null = null;
  return {
    jsonSchema: schema,
    takesJson: true,
    check: (input) => {
      validator ??= new Validator({ ...withoutFormats(schema) }, '2020-12', false);
      const { valid, errors } = validator.validate(input);
      if (valid) return { ok: true, input };
      const telling = errors.filter(({ keyword }) => !wrappers.has(keyword));
      return { ok: false, problems: (telling.length > 0 ? telling : errors).map(plainProblem) };
    },
  };
}

/** Keywords whose error only says that another one, which is also listed, failed. */
const wrappers: ReadonlySet<string> = new Set(['properties', 'items', 'allOf', '$ref', 'false']);

function plainProblem({ instanceLocation, error }: { instanceLocation: string; error: string }): string {
  const path = instanceLocation.replace(/^#\/?/, '').split('/').map(keyOf).join('.');
  return path === '' ? error : `${path}: ${error}`;
}

/** A part of a JSON Pointer in a fragment, as the key was written. */
function keyOf(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return part;
  }
}

function isStandard(schema: unknown): schema is StandardSchema {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return false;
  return '~standard' in schema && typeof schema['~standard'] === 'object' && schema['~standard'] !== null;
}

function isAiSdk(schema: unknown): schema is AiSdkSchema {
  return isJsonObject(schema) && typeof schema.jsonSchema === 'object' && schema.jsonSchema !== null;
}

/** Its `then` is foreign code, which need not give a promise. */
function isPromiseLike<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** A copy as plain JSON, or null. */
function jsonObject(value: unknown): JsonObject | null {
  if (value === undefined) return null;
  const copy: unknown = JSON.parse(JSON.stringify(value));
  return isJsonObject(copy) ? copy : null;
}
