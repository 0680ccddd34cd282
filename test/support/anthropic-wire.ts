/**
 * What the Messages API would refuse of a request, as far as it is documented or was met.
 * Source: https://docs.anthropic.com/en/api/messages
 */
import { z } from 'zod';
import type { RequestBody } from './model-server.ts';

const notBlank = z.string().refine((text) => text.trim() !== '', 'only white space');
const id = z.string().regex(/^[a-zA-Z0-9_-]+$/);
const cache = { cache_control: z.strictObject({ type: z.literal('ephemeral') }).optional() };
const object = z.record(z.string(), z.json());

const text = z.strictObject({ type: z.literal('text'), text: notBlank, ...cache });
const toolUse = z.strictObject({
  type: z.literal('tool_use'),
  id,
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  input: object,
  ...cache,
});
const toolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: id,
  content: z.string(),
  is_error: z.literal(true).optional(),
  ...cache,
});
const thinkingBlock = z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: notBlank });
const redacted = z.strictObject({ type: z.literal('redacted_thinking'), data: notBlank });
const block = z.discriminatedUnion('type', [text, toolUse, toolResult, thinkingBlock, redacted]);
const turn = z.strictObject({ role: z.enum(['user', 'assistant']), content: z.array(block).min(1) });

const tool = z.strictObject({
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  description: notBlank.optional(),
  input_schema: object.refine(
    (schema) => schema.type === 'object' && !['oneOf', 'anyOf', 'allOf'].some((word) => word in schema),
    'no schema of an object',
  ),
  ...cache,
});

const thinking = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('enabled'), budget_tokens: z.int().min(1_024) }),
  z.strictObject({ type: z.literal('adaptive'), display: z.enum(['summarized', 'omitted']).optional() }),
]);

const request = z.strictObject({
  model: notBlank,
  max_tokens: z.int().min(1),
  messages: z.array(turn).min(1),
  system: z.union([notBlank, z.array(text).min(1)]).optional(),
  tools: z.array(tool).min(1).optional(),
  stream: z.boolean(),
  temperature: z.number().min(0).max(1).optional(),
  stop_sequences: z.array(notBlank).optional(),
  thinking: thinking.optional(),
  output_config: z.strictObject({ effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']) }).optional(),
});

export type AnthropicRequest = z.infer<typeof request>;
export type AnthropicTurn = z.infer<typeof turn>;

/** Throws for what has not even the shape. */
export function requestIn(body: RequestBody | undefined): AnthropicRequest {
  return request.parse(body);
}

/** `signed`: the blocks of thinking that the server has written, which must come back as they were. */
export function wireProblems(body: RequestBody, signed: readonly object[] = []): readonly string[] {
  const { success, data, error } = request.safeParse(body);
  if (!success) return [z.prettifyError(error)];
  return [
    ...turnProblems(data.messages),
    ...resultProblems(data.messages),
    ...thinkingProblems(data, signed),
    ...(marksIn(data) > 4 ? [`${marksIn(data)} marks for the cache`] : []),
    ...(/\\ud[89a-f]/i.test(JSON.stringify(body)) ? ['half a character'] : []),
  ];
}

function turnProblems(turns: readonly AnthropicTurn[]): readonly string[] {
  const odd = turns.findIndex(({ role }, at) => (role === 'user') !== (at % 2 === 0));
  const trailing = turns.flatMap(({ role, content }) =>
    content.filter((block) => role === 'assistant' && block.type === 'text' && block.text !== block.text.trimEnd()),
  );
  return [
    ...(odd === -1 ? [] : [`roles do not alternate at ${odd}`]),
    ...(turns.at(-1)?.role === 'user' ? [] : ['the last message is not the user']),
    ...trailing.map((block) => `white space at the end of ${JSON.stringify(block)}`),
  ];
}

/** The results stand first in the message behind the calls, one for each. */
function resultProblems(turns: readonly AnthropicTurn[]): readonly string[] {
  let waiting: string[] = [];
  return turns.flatMap(({ role, content }) => {
    const results = content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
    const first = content.slice(0, results.length).every(({ type }) => type === 'tool_result');
    const asked = waiting;
    waiting = content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    return [
      ...(first ? [] : ['results that do not stand first']),
      ...(asked.toSorted().join() === results.toSorted().join() ? [] : [`calls ${asked}, and results ${results}`]),
      ...(role === 'user' && waiting.length > 0 ? ['calls of the user'] : []),
      ...(new Set(waiting).size === waiting.length ? [] : ['an id of two calls']),
    ];
  });
}

function thinkingProblems(body: AnthropicRequest, signed: readonly object[]): readonly string[] {
  const { messages, thinking, max_tokens, temperature } = body;
  const written = signed.map((block) => JSON.stringify(block));
  const foreign = messages.flatMap(({ content }) =>
    content.filter((block) => isThinking(block) && !written.includes(JSON.stringify(block))),
  );
  const budget = thinking?.type === 'enabled' ? thinking.budget_tokens : 0;
  return [
    ...foreign.map((block) => `thinking that was never signed: ${JSON.stringify(block)}`),
    ...(messages.some(({ content }) => content.every(isThinking)) ? ['a message of thinking alone'] : []),
    ...(messages.some(({ role, content }) => role === 'user' && content.some(isThinking))
      ? ['thinking of a user']
      : []),
    ...(thinking !== undefined && temperature !== undefined ? ['temperature beside thinking'] : []),
    ...(budget >= max_tokens ? ['a budget above max_tokens'] : []),
    ...(budget > 0 && !beginsWithThinking(messages) ? ['a turn that does not begin with thinking'] : []),
  ];
}

function isThinking({ type }: { readonly type: string }): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

function beginsWithThinking(turns: readonly AnthropicTurn[]): boolean {
  const asked = turns.findLastIndex(
    ({ role, content }) => role === 'user' && content.every(({ type }) => type !== 'tool_result'),
  );
  const first = turns[asked + 1]?.content[0];
  return first === undefined || isThinking(first);
}

function marksIn({ system, tools = [], messages }: AnthropicRequest): number {
  const blocks: readonly object[] = [
    ...(typeof system === 'object' ? system : []),
    ...tools,
    ...messages.flatMap(({ content }) => content),
  ];
  return blocks.filter((block) => 'cache_control' in block).length;
}
