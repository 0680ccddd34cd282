/** Schemas of libraries that can check and not describe: their JSON Schema is given beside them. */
import { AgentError } from '../src/core/errors.ts';
import { isJsonObject } from '../src/core/json.ts';
import type { StandardSchema } from '../src/core/schema.ts';

/**
 * The schema, which checks as before, together with the JSON Schema that its own converter makes of it. With it the model is
 * told the fields, and an input that almost fits is taken as it was surely meant:
 *
 * `withJsonSchema(schema, zodToJsonSchema(schema))` for zod 3, `withJsonSchema(schema, toJsonSchema(schema))` for valibot.
 *
 * Throws AgentError (`invalid_option`) where one of the two is missing.
 */
export function withJsonSchema<Input, Output>(
  schema: StandardSchema<Input, Output>,
  jsonSchema: object,
): StandardSchema<Input, Output> {
  const standard = schema?.['~standard'];
  if (typeof standard?.validate !== 'function')
    throw new AgentError('invalid_option', 'The schema of withJsonSchema is no Standard Schema.', {
      hint: 'It is made by a library such as zod (3.24 or later), valibot or arktype.',
    });
  const described: unknown = JSON.parse(JSON.stringify(jsonSchema ?? null));
  if (!isJsonObject(described))
    throw new AgentError('invalid_option', 'The JSON Schema of withJsonSchema is no object.', {
      hint: 'Such as zodToJsonSchema(schema), or toJsonSchema(schema) of @valibot/to-json-schema.',
    });
  return {
    '~standard': {
      ...standard,
      validate: (value) => standard.validate(value),
      jsonSchema: { input: () => ({ ...described }) },
    },
  };
}
