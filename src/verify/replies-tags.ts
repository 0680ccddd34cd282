/** How models write the dialect `tags` with its default names, well and badly. */
import type { JsonValue } from '../core/json.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';
import { fenced, type ReplyRow, repliesWritten, type Writing } from './meant-reply.ts';

const thoughts: readonly ((text: string) => string)[] = [
  (text) => `<thought>${text}</thought>`,
  (text) => `<thoughts>\n${text}\n</thoughts>`,
  (text) => `<reasoning>${text}</reasoning>`,
  (text) => `<r>${text}</r>`,
  (text) => `<THOUGHT >${text}</ Thought>`,
  (text) => `<think>\n${text}\n</think>`,
  (text) => `<think>So perhaps <answer>5</answer>.</think><thought>${text}</thought>`,
  (text) => `${text}\n`,
];

const object = (tool: string, input: JsonValue, indent?: number) =>
  JSON.stringify({ name: tool, arguments: input }, null, indent);

const calls: readonly ((tool: string, input: JsonValue) => string)[] = [
  (tool, input) => `<tool_call>${object(tool, input)}</tool_call>`,
  (tool, input) => `<tool_call>\n${object(tool, input, 2)}\n</tool_call>`,
  (tool, input) => `<Tool_Call id="7">${object(tool, input)}</tool_call >`,
  (tool, input) => `<tool_call>\n${fenced(object(tool, input), 'json')}\n</tool_call>`,
  (tool, input) => `<action>${JSON.stringify({ tool, args: input })}</action>`,
  (tool, input) => `<function_call>${JSON.stringify({ name: tool, parameters: input })}</function_call>`,
  (tool, input) => `<tool_call>\n${tool}\n${JSON.stringify(input)}\n</tool_call>`,
  (tool, input) => `<tool_call name="${tool}">${JSON.stringify(input)}</tool_call>`,
  (tool, input) => `<action>${tool}(${JSON.stringify(input)})</action>`,
  (tool, input) => `<tool>${tool}</tool>\n<tool_input>${JSON.stringify(input)}</tool_input>`,
  (tool, input) => `<action>${tool}</action>\n<action_input>\n${JSON.stringify(input, null, 2)}\n</action_input>`,
  (tool, input) => `<c>${tool}</c>\n${JSON.stringify(input)}`,
];

const answers = ['answer', 'solution', 'final_answer', 'ANSWER'] as const;

function writings(fc: FastCheck): Arbitrary<Writing> {
  return fc
    .record({
      thought: fc.constantFrom(...thoughts),
      call: fc.constantFrom(...calls),
      answer: fc.constantFrom(...answers),
      gap: fc.constantFrom('', '\n', '\n\n'),
      around: fc.constantFrom<(reply: string) => string>(
        (reply) => reply,
        (reply) => `\n${reply}\n`,
      ),
    })
    .map(
      ({ thought, call, answer, gap, around }): Writing => ({
        thought: (text) => `${thought(text)}${gap}`,
        call,
        answer: (text) => `<${answer}>${text}</${answer}>`,
        around,
      }),
    );
}

export const tagsRow: ReplyRow = {
  replies: (fc, named) => repliesWritten(fc, writings(fc), named),
  fragments: [
    ...['<thought>', '</thought>', '<tool_call>', '</tool_call>', '<execute>', '</execute>', '<answer>', '</answer>'],
    ...['<c>look</c>', '<c>', '</c>', '<r>', '</r>', '<tool_response>', '</tool_response>', '< / ANSWER >', '</think'],
    ...['<tool_call>{"name": "look", "arguments": {"q": "', '"}}', '"}}</tool_call>', '<input>', '</input>', '>', '</'],
    ...['<tool_call name="look">', '<name>look</name>', '<action>look</action>', '<action_input>', '</action_input>'],
  ],
  spoilers: [
    (text) => text.replaceAll('</', '<'),
    (text) => text.replaceAll('>', ''),
    (text) => text.replaceAll(/<\/[a-z_ ]+>/gi, ''),
    (text) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    (text, at) => `${text.slice(0, at)}</tool_call>${text.slice(at)}`,
    (text, at) => `${text.slice(0, at)}<answer>${text.slice(at)}`,
    (text) => `${text}\n<tool_response>42</tool_response>\n<answer>42</answer>`,
  ],
  faults: [
    ...[
      '<thought>',
      '<thought>only that.</thought>',
      '<tool_call></tool_call>',
      '<answer> </answer>',
      '<answer>It is 4',
    ],
    ...['<action>None</action>', '<execute>\nprint(1)', '<tool_call>{"arguments": {"q": 1}}</tool_call>'],
    ...[
      '<tool_call>{"name": "look", "arguments": {"q": "a}}</tool_call>',
      '<c>look</c>',
      '<answer/>',
      '<tool_call>look',
    ],
    ...[
      '<tool_call>{"name": "look", "arguments": {"q": 1}}{"name": "send"}</tool_call>',
      '<observation>4</observation>',
    ],
    '<tool_call>{"name": "look", "arguments": {"q": "say("x")"}}</tool_call>\n<answer>4</answer>',
  ],
};
