/** A server with the Messages API on the loopback for tests: the events and documents of a reply, over the shared server. */
import { type ModelServer, type RequestBody, type ServerOptions, startModelServer } from './model-server.ts';
import { type Random, tokens } from './random.ts';
import type { Form, ServerAnswer } from './server-answer.ts';

/** A block as it is when it is complete. */
export type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  /** `json`: the input as it comes in pieces, which may be no JSON. */
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly json: string };

export interface AnthropicAnswer extends ServerAnswer {
  /** Default: that of `reasoning`, `text` and `calls`; the text is `Hi` where there is none. */
  readonly content?: readonly Content[];
  /** Of the beginning and of the end. */
  readonly usages?: readonly [object, object];
  /** Events between all others. */
  readonly between?: readonly object[];
}

export type AnthropicScript = AnthropicAnswer | readonly AnthropicAnswer[] | ((body: RequestBody) => AnthropicAnswer);

export interface AnthropicServer extends ModelServer {
  readonly baseURL: string;
}

/** A list is used up, one answer a request; after it comes a 500. One answer or a function serves every request. */
export async function startAnthropicServer(
  script: AnthropicScript,
  options: ServerOptions = {},
): Promise<AnthropicServer> {
  const server = await startModelServer(script, anthropicForm, options);
  return { ...server, baseURL: server.origin };
}

export const anthropicForm: Form = {
  events: (answer: AnthropicAnswer, random) => {
    const { eol = '\n', between = [] } = answer;
    return eventsOf(answer, random)
      .flatMap((event) => [event, ...between])
      .map((event) => sseEvent(event, eol));
  },
  document: (answer: AnthropicAnswer) => JSON.stringify(documentOf(answer)),
};

/** One event with its name, which the data repeats. */
export function sseEvent(data: object, eol = '\n'): string {
  const name = 'type' in data ? `event: ${data.type}${eol}` : '';
  return `${name}data: ${JSON.stringify(data)}${eol}${eol}`;
}

export function sse(...events: readonly object[]): string {
  return events.map((event) => sseEvent(event)).join('');
}

function contentOf({ content, reasoning, text = 'Hi', calls = [] }: AnthropicAnswer): readonly Content[] {
  if (content !== undefined) return content;
  return [
    ...(reasoning === undefined ? [] : [{ type: 'thinking' as const, thinking: reasoning, signature: 'signed' }]),
    { type: 'text', text },
    ...calls.map(({ id = 'toolu_1', name, arguments: json }) => ({ type: 'tool_use' as const, id, name, json })),
  ];
}

function usagesOf({ usages, usage }: AnthropicAnswer): readonly [object, object] {
  const { prompt_tokens: input_tokens = 12, completion_tokens: output_tokens = 5 } = usage ?? {};
  return usages ?? [{ input_tokens, output_tokens: 1 }, { output_tokens }];
}

function stopReasonOf(answer: AnthropicAnswer): string | null {
  if (answer.finishReason !== undefined) return answer.finishReason;
  return contentOf(answer).some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
}

function documentOf(answer: AnthropicAnswer): object {
  const [first, last] = usagesOf(answer);
  return {
    ...messageWith(contentOf(answer).map((block) => (block.type === 'tool_use' ? callOf(block) : block))),
    stop_reason: stopReasonOf(answer),
    stop_sequence: null,
    usage: { ...first, ...last },
  };
}

function callOf({ id, name, json }: Extract<Content, { type: 'tool_use' }>): object {
  return { type: 'tool_use', id, name, input: json === '' ? {} : parsed(json) };
}

/** What is no JSON cannot stand in a document; it stays a text. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

function messageWith(content: readonly object[]): object {
  return { id: 'msg_01', type: 'message', role: 'assistant', model: 'claude-test', content };
}

function eventsOf(answer: AnthropicAnswer, random: Random | null): readonly object[] {
  const [first, last] = usagesOf(answer);
  const stopReason = stopReasonOf(answer);
  return [
    { type: 'message_start', message: { ...messageWith([]), stop_reason: null, usage: first } },
    ...contentOf(answer).flatMap((block, index) => blockEvents(block, index, random)),
    ...(stopReason === null
      ? []
      : [{ type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage: last }]),
    ...(answer.done === false ? [] : [{ type: 'message_stop' }]),
  ];
}

function blockEvents(block: Content, index: number, random: Random | null): readonly object[] {
  const delta = (type: string, member: string) => (piece: string) => ({
    type: 'content_block_delta',
    index,
    delta: { type, [member]: piece },
  });
  const start = (content_block: object) => ({ type: 'content_block_start', index, content_block });
  const stop = { type: 'content_block_stop', index };
  switch (block.type) {
    case 'text':
      return [start({ type: 'text', text: '' }), ...tokens(block.text, random).map(delta('text_delta', 'text')), stop];
    case 'thinking':
      return [
        start({ type: 'thinking', thinking: '', signature: '' }),
        ...tokens(block.thinking, random).map(delta('thinking_delta', 'thinking')),
        delta('signature_delta', 'signature')(block.signature),
        stop,
      ];
    case 'redacted_thinking':
      return [start(block), stop];
    case 'tool_use': {
      const { id, name, json } = block;
      const pieces = ['', ...tokens(json, random)];
      return [
        start({ type: 'tool_use', id, name, input: {} }),
        ...pieces.map(delta('input_json_delta', 'partial_json')),
        stop,
      ];
    }
  }
}
