/**
 * Messages and tools as chat completions write them. Pure.
 * Source: https://platform.openai.com/docs/api-reference/chat/create
 */
import type { JsonObject, JsonValue } from '../../core/json.ts';
import type { Message, MessageCall, ToolDescription } from '../../core/model.ts';
import { inputObject } from '../common/call-input.ts';
import { strictSchema } from './strict-schema.ts';

/** `data`: what goes back of the provider's data with a message that has calls. */
export function messageOnWire(message: Message, data: (data: JsonValue | undefined) => JsonObject = nothing): object {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  if (message.role !== 'assistant') return message;
  // Servers refuse an empty list of calls.
  if (message.calls === undefined || message.calls.length === 0) return { role: 'assistant', content: message.content };
  const { content, calls, providerData } = message;
  return { role: 'assistant', content, ...data(providerData), tool_calls: calls.map(callOnWire) };
}

function nothing(): JsonObject {
  return {};
}

function callOnWire({ toolCallId, tool, input }: MessageCall): object {
  return { id: toolCallId, type: 'function', function: { name: tool, arguments: JSON.stringify(inputObject(input)) } };
}

export interface ToolOnWire {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description?: string;
    readonly parameters: JsonObject;
    readonly strict?: true;
  };
}

/** `isStrict`: the server is to hold the model to the schema, where that has a strict form. */
export function toolOnWire({ name, description, inputSchema }: ToolDescription, isStrict = false): ToolOnWire {
  const parameters = inputSchema ?? { type: 'object', properties: {} };
  const strict = isStrict ? strictSchema(parameters) : null;
  return {
    type: 'function',
    function: {
      name,
      ...(description === '' ? {} : { description }),
      parameters: strict ?? parameters,
      ...(strict === null ? {} : { strict: true }),
    },
  };
}
