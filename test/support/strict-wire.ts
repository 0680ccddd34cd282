/** What a strict server would refuse of a request with calls and results. */
import { z } from 'zod';
import type { RequestBody } from './openai-server.ts';

const name = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const call = z.object({
  id: z.string().regex(/^[A-Za-z0-9]{9}$/),
  type: z.literal('function'),
  function: z.object({ name, arguments: z.string() }),
});
const message = z.looseObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string(),
  tool_call_id: z.string().optional(),
  tool_calls: z.array(call).min(1).optional(),
});

type WireMessage = z.infer<typeof message>;

/** Throws for what has not even the shape. */
export function messagesOf(body: RequestBody | undefined): readonly WireMessage[] {
  return z.object({ messages: z.array(message) }).parse(body).messages;
}

export function wireProblems(body: RequestBody): readonly string[] {
  const messages = messagesOf(body);
  return [...messages.flatMap(contentProblems), ...orderProblems(messages)];
}

function contentProblems({ content, tool_calls = [] }: WireMessage): readonly string[] {
  const inputs = tool_calls.map(({ function: { arguments: input } }) => input).filter((input) => !isObject(input));
  const isEmpty = content === '' && tool_calls.length === 0;
  return [...inputs.map((input) => `the arguments ${input}`), ...(isEmpty ? ['a message without text'] : [])];
}

/** The results of a message's calls stand right behind it, in the order of the calls. */
function orderProblems(messages: readonly WireMessage[]): readonly string[] {
  const problems: string[] = [];
  let waiting: string[] = [];
  for (const { role, tool_calls = [], tool_call_id } of messages) {
    if (role === 'tool' && waiting.shift() === tool_call_id) continue;
    if (role === 'tool') problems.push(`a result of ${tool_call_id}, which is not the next`);
    else if (waiting.length > 0) problems.push(`no result of ${waiting.join()}`);
    waiting = tool_calls.map(({ id }) => id);
  }
  return waiting.length > 0 ? [...problems, `no result of ${waiting.join()}`] : problems;
}

function isObject(text: string): boolean {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
