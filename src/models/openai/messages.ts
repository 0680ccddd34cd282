/**
 * Messages and tools as chat completions write them. Pure.
 * Source: https://platform.openai.com/docs/api-reference/chat/create
 */
import { isJsonObject, type JsonValue } from '../../core/json.ts';
import type { Message, MessageCall, ToolDescription } from '../../core/model.ts';

export function messageOnWire(message: Message): object {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  if (message.role !== 'assistant') return message;
  // Servers refuse an empty list of calls.
  if (message.calls === undefined || message.calls.length === 0) return { role: 'assistant', content: message.content };
  return { role: 'assistant', content: message.content, tool_calls: message.calls.map(callOnWire) };
}

function callOnWire({ toolCallId, tool, input }: MessageCall): object {
  return { id: toolCallId, type: 'function', function: { name: tool, arguments: JSON.stringify(argumentsOf(input)) } };
}

/** Servers put the arguments into a template as an object, and fail where they are none. */
function argumentsOf(input: JsonValue): JsonValue {
  if (input === null) return {};
  return isJsonObject(input) ? input : { input };
}

export function toolOnWire({ name, description, inputSchema }: ToolDescription): object {
  const parameters = inputSchema ?? { type: 'object', properties: {} };
  return { type: 'function', function: { name, ...(description === '' ? {} : { description }), parameters } };
}
