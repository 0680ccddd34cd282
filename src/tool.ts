/** Makes a tool: only types are added, so that `execute` knows its input from the schema. */
import type { InputSchema } from './core/schema.ts';
import type { AnyTool, ToolDefinition } from './core/tool.ts';

/**
 * A tool for `createAgent({ tools })`. `inputSchema` is a Standard Schema (zod 4, valibot, arktype), a JSON Schema of an
 * object, or what the AI SDK's `jsonSchema()` returns; `execute` gets what the schema makes of the input. `outputSchema` is
 * one of these as well: `execute` must then give what it takes. `execute` may be an asynchronous generator.
 */
export function tool<const Schema extends InputSchema, Output>(
  definition: ToolDefinition<Schema, Output>,
): AnyTool & ToolDefinition<Schema, Output> {
  return definition;
}
