/**
 * A request as the call options of the AI SDK: the same in the versions 2, 3 and 4. Pure.
 * Source: https://ai-sdk.dev/providers/community-providers/custom-providers
 */
import type { JsonObject } from '../../core/json.ts';
import type { Message, MessageCall, ModelRequest, ToolDescription } from '../../core/model.ts';
import { inputObject } from '../common/call-input.ts';
import { fromData, type Kept, type KeptReasoning, metadataOfCalls } from './provider-data.ts';

export type Part = { readonly [key: string]: unknown; readonly type: string };

type PromptMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user' | 'assistant' | 'tool'; readonly content: readonly Part[] };

/** `origin` is the model as it marks what it gives back. */
export function promptOf(messages: readonly Message[], origin: string): readonly PromptMessage[] {
  const prompt: PromptMessage[] = [];
  const tools = new Map<string, string>();
  let results: Part[] = [];
  for (const message of messages) {
    switch (message.role) {
      case 'tool':
        results.push(resultPart(message, tools));
        // The results of one reply make one message.
        if (results.length === 1) prompt.push({ role: 'tool', content: results });
        continue;
      case 'assistant':
        for (const { toolCallId, tool } of message.calls ?? []) tools.set(toolCallId, tool);
        prompt.push({ role: 'assistant', content: assistantParts(message, fromData(origin, message.providerData)) });
        break;
      case 'user':
        prompt.push({ role: 'user', content: [textPart(message.content)] });
        break;
      default:
        prompt.push({ role: 'system', content: message.content });
    }
    results = [];
  }
  return prompt;
}

export function toolsOf({ tools = [] }: ModelRequest): object {
  // An empty list is refused by some servers.
  return tools.length === 0 ? {} : { tools: tools.map(toolPart), toolChoice: { type: 'auto' } };
}

function toolPart({ name, description, inputSchema }: ToolDescription): Part {
  const schema = inputSchema ?? { type: 'object', properties: {} };
  return { type: 'function', name, ...(description === '' ? {} : { description }), inputSchema: schema };
}

function textPart(text: string, metadata: JsonObject | null = null): Part {
  return { type: 'text', text, ...optionsOf(metadata) };
}

function resultPart(
  { content, toolCallId, isError }: Extract<Message, { role: 'tool' }>,
  tools: ReadonlyMap<string, string>,
): Part {
  const toolName = tools.get(toolCallId) ?? '';
  const type = isError === true ? 'error-text' : 'text';
  return { type: 'tool-result', toolCallId, toolName, output: { type, value: content } };
}

/**
 * Reasoning stands where it stood, as providers check its place, as far as the text is the one that the model wrote. Text
 * that was cut or put in order comes behind the reasoning; where such a reply made no calls, the reasoning goes unsaid.
 */
function assistantParts(
  { content, calls = [] }: Extract<Message, { role: 'assistant' }>,
  kept: Kept | null,
): readonly Part[] {
  const text = kept === null ? content : content.trim();
  const isWhole = kept !== null && text.length === kept.textLength;
  const reasoning = kept !== null && (isWhole || calls.length > 0) ? kept.reasoning : [];
  const metadata = metadataOfCalls(calls, kept);
  const parts: Part[] = [];
  let at = 0;
  const textUpTo = (end: number) => {
    // What the provider says of a text holds of all of it.
    const isAll = isWhole && at === 0 && end === text.length;
    if (end > at) parts.push(textPart(text.slice(at, end), isAll ? kept.textMetadata : null));
    at = Math.max(at, end);
  };
  const reason = (callsBefore: number) => {
    for (const one of reasoning.filter((kept) => kept.callsBefore === callsBefore)) {
      if (isWhole) textUpTo(one.textBefore);
      parts.push(reasoningPart(one));
    }
  };
  reason(0);
  for (const [index, call] of calls.entries()) {
    textUpTo(text.length);
    parts.push(callPart(call, metadata[index] ?? null));
    reason(index + 1);
  }
  textUpTo(text.length);
  return parts.length === 0 ? [textPart('')] : parts;
}

function reasoningPart({ text, metadata }: KeptReasoning): Part {
  return { type: 'reasoning', text, ...optionsOf(metadata) };
}

function callPart({ toolCallId, tool, input }: MessageCall, metadata: JsonObject | null): Part {
  return { type: 'tool-call', toolCallId, toolName: tool, input: inputObject(input), ...optionsOf(metadata) };
}

/** What comes as metadata goes back as options. */
function optionsOf(metadata: JsonObject | null): object {
  return metadata === null ? {} : { providerOptions: metadata };
}
