/** A request of the loop as a provider would get it, and what is read from its messages. */
import type { ModelRequest } from '../../src/index.ts';
import { messageOnWire, toolOnWire } from '../../src/models/openai/messages.ts';
import type { RequestSeen } from './facts.ts';

type MessageSeen = RequestSeen['messages'][number];

export function requestSeen(request: Omit<ModelRequest, 'signal'>, atMs: number): RequestSeen {
  const { messages, tools = [], stop, temperature, maxOutputTokens } = request;
  return {
    messages: messages.map((message) => ({
      ...messageOnWire(message),
      role: message.role,
      content: message.content,
    })),
    params: {
      ...(tools.length === 0 ? {} : { tools: tools.map((tool) => toolOnWire(tool)) }),
      stop,
      temperature,
      maxOutputTokens,
    },
    atMs,
  };
}

/** The provider's own calls in a message; none where there are none. */
export function callsIn(message: MessageSeen): readonly unknown[] {
  return listOf(memberOf(message, 'tool_calls'));
}

/** The ids of the calls in a message. */
export function callIdsIn(message: MessageSeen): readonly unknown[] {
  return callsIn(message).map((call) => memberOf(call, 'id'));
}

/** The id of the call whose result a message is. */
export function resultIdOf(message: MessageSeen): unknown {
  return message.role === 'tool' ? (memberOf(message, 'tool_call_id') ?? 'no id') : undefined;
}

/** The names of the tools or calls in a list. */
export function namesIn(list: readonly unknown[]): readonly string[] {
  return list
    .map((each) => memberOf(memberOf(each, 'function') ?? each, 'name'))
    .filter((name) => typeof name === 'string');
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(name);
}
