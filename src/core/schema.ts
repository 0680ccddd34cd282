/**
 * The kinds of schema a tool may carry, by shape. Standard Schema is written out here because its specification asks
 * for that (https://standardschema.dev: copy the interface, no dependency). Types only.
 */

import type { JsonValue } from './json.ts';

/** Standard Schema 1.1: zod 4, valibot, arktype and others. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** The JSON Schema part of 1.1. Without it the model is told the tool's name and description only. */
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>;
    };
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A plain JSON Schema (draft 4 to 2020-12) of an object. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: { readonly [key: string]: unknown };
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** What the AI SDK's `jsonSchema()` returns. */
export interface AiSdkSchema<Value = unknown> {
  readonly jsonSchema: object;
  readonly validate?: ((value: unknown) => unknown) | undefined;
  readonly _type?: Value;
}

export type InputSchema = StandardSchema | AiSdkSchema | JsonSchema;

/** What `execute` receives for a schema: the schema's output type, or `unknown` members for a plain JSON Schema. */
export type InferInput<Schema> =
  Schema extends StandardSchema<infer _In, infer Output>
    ? Output
    : Schema extends { readonly _type: infer Value }
      ? Value
      : Record<string, unknown>;

/** What an answer is for an `answerSchema`: the text itself without one. */
export type InferAnswer<Schema> = Schema extends undefined
  ? string
  : Schema extends StandardSchema<infer _In, infer Output>
    ? Output
    : Schema extends { readonly _type: infer Value }
      ? Value
      : JsonValue;

/** A schema whose values are of this type: what `execute` must give where the tool has an `outputSchema`. */
export type SchemaOf<Value> = StandardSchema<Value, unknown> | AiSdkSchema<Value> | JsonSchema;
