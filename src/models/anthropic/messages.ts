/**
 * Messages and tools as the Messages API writes them. Pure. The API refuses texts of white space alone, an assistant's
 * text that ends with white space, an input that is no object, and results that do not stand first behind their calls.
 * Source: https://docs.anthropic.com/en/api/messages
 */
import type { JsonObject } from '../../core/json.ts';
import type { Message, MessageCall, ToolDescription } from '../../core/model.ts';
import { inputObject } from '../common/call-input.ts';
import { type SignedThinking, type ThinkingBlock, thinkingFromData } from './thinking.ts';

export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: JsonObject }
  | { readonly type: 'tool_result'; readonly tool_use_id: string; readonly content: string; readonly is_error?: true }
  | ThinkingBlock;

export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: readonly Block[];
}

export interface Conversation {
  /** Empty where there is none. */
  readonly system: string;
  /** Roles alternate, and the first is the user's. */
  readonly turns: readonly Turn[];
}

/** Stands where a message has no text that the API would take. */
const noText: Block = Object.freeze({ type: 'text', text: '(no text)' });

/** `model`: whose signed thinking is given back, in its place; null leaves all thinking out. */
export function conversationOf(messages: readonly Message[], model: string | null): Conversation {
  const turns: { role: Turn['role']; content: Block[] }[] = [];
  const system: string[] = [];
  for (const message of messages) {
    if (message.role === 'system') {
      system.push(message.content);
      continue;
    }
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...blocksOf(message, model));
    else turns.push({ role, content: [...blocksOf(message, model)] });
  }
  if (turns[0]?.role !== 'user') turns.unshift({ role: 'user', content: [] });
  for (const { content } of turns) if (content.every(isThinking)) content.push(noText);
  return { system: system.filter(hasText).join('\n\n'), turns };
}

function blocksOf(message: Message, model: string | null): readonly Block[] {
  if (message.role === 'tool') return [resultBlock(message)];
  if (message.role !== 'assistant') return textBlocks(message.content);
  const thinking = model === null ? null : thinkingFromData(model, message.providerData);
  const said = { text: message.content.trim(), calls: (message.calls ?? []).map(callBlock) };
  return thinking === null ? [...textBlocks(said.text), ...said.calls] : withThinking(said, thinking);
}

function resultBlock({ toolCallId, content, isError }: Extract<Message, { role: 'tool' }>): Block {
  const error = isError === true ? ({ is_error: true } as const) : {};
  return { type: 'tool_result', tool_use_id: toolCallId, content: content || '(no result)', ...error };
}

export function isThinking({ type }: Block): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

interface Said {
  /** Without the white space around it. */
  readonly text: string;
  readonly calls: readonly Block[];
}

/** Each block where the API wrote it. Where the text is no longer that of the reply, all of them stand before it. */
function withThinking({ text, calls }: Said, { blocks, textLength }: SignedThinking): readonly Block[] {
  const isWhole = text.length === textLength;
  const content: Block[] = [];
  let textAt = 0;
  let callsAt = 0;
  const fill = (textTo: number, callsTo: number) => {
    content.push(...textBlocks(text.slice(textAt, textTo)), ...calls.slice(callsAt, callsTo));
    textAt = Math.max(textAt, textTo);
    callsAt = Math.max(callsAt, callsTo);
  };
  for (const { block, textBefore, callsBefore } of blocks) {
    if (isWhole) fill(textBefore, callsBefore);
    content.push(block);
  }
  fill(text.length, calls.length);
  return content;
}

function textBlocks(text: string): readonly Block[] {
  return hasText(text) ? [{ type: 'text', text }] : [];
}

function hasText(text: string): boolean {
  return text.trim() !== '';
}

function callBlock({ toolCallId, tool, input }: MessageCall): Block {
  return { type: 'tool_use', id: toolCallId, name: tool, input: inputObject(input) };
}

/** Words that the API refuses at the top of a schema. */
const refusedAtTop = ['oneOf', 'anyOf', 'allOf'];

/** A schema that the API would refuse is told of in the description; the input is checked against it all the same. */
export function toolOnWire({ name, description, inputSchema }: ToolDescription): JsonObject {
  const schema = inputSchema ?? {};
  const isRefused = refusedAtTop.some((word) => Object.hasOwn(schema, word));
  const told = isRefused ? [description, `JSON Schema of the input: ${JSON.stringify(schema)}`] : [description];
  const text = told.filter(hasText).join('\n\n');
  return {
    name,
    ...(text === '' ? {} : { description: text }),
    input_schema: isRefused
      ? { type: 'object', additionalProperties: true }
      : { properties: {}, ...schema, type: 'object' },
  };
}
