/** How servers of chat completions write a reply. */
import { type Random, tokens } from './random.ts';
import type { Form, ServerAnswer, ServerCall } from './server-answer.ts';

export type { ServerAnswer } from './server-answer.ts';

export const openaiForm: Form = { events: eventsOf, document: documentOf };

function documentOf(answer: ServerAnswer): string {
  const { text = '', reasoning, calls, usage } = answer;
  const tool_calls = calls?.map(({ id, ...called }) => ({ id, type: 'function', function: called }));
  const message = { role: 'assistant', content: text, reasoning_content: reasoning, tool_calls };
  return JSON.stringify({
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: finishOf(answer) }],
    usage,
  });
}

function eventsOf(answer: ServerAnswer, random: Random | null): readonly string[] {
  const { text = '', reasoning, calls = [], usage, done = true, eol = '\n' } = answer;
  const finishReason = finishOf(answer);
  const documents = [
    chunkOf({ role: 'assistant', content: '' }, null),
    ...(reasoning === undefined ? [] : [chunkOf({ reasoning_content: reasoning }, null)]),
    ...tokens(text, random).map((content) => chunkOf({ content }, null)),
    ...calls
      .flatMap((call, index) => callDeltas(call, index, random))
      .map((piece) => chunkOf({ tool_calls: [piece] }, null)),
    ...(finishReason === null ? [] : [chunkOf({}, finishReason)]),
    ...(usage === undefined ? [] : [JSON.stringify({ choices: [], usage })]),
    ...(done ? ['[DONE]'] : []),
  ];
  return documents.map((document) => `data: ${document}${eol}${eol}`);
}

function finishOf({ finishReason, calls }: ServerAnswer): string | null {
  return finishReason === undefined ? (calls === undefined ? 'stop' : 'tool_calls') : finishReason;
}

/** The id and the name come first, then the arguments token by token. */
function callDeltas({ id, name, arguments: text }: ServerCall, index: number, random: Random | null): object[] {
  return [
    { index, id, type: 'function', function: { name, arguments: '' } },
    ...tokens(text, random).map((piece) => ({ index, function: { arguments: piece } })),
  ];
}

function chunkOf(delta: object, finishReason: string | null): string {
  return JSON.stringify({
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  });
}
