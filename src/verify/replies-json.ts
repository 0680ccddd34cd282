/** How models write the dialect `json`, well and badly. */
import type { JsonObject, JsonValue } from '../core/json.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';
import { fenced, type ReplyRow, repliesWritten, type Writing } from './meant-reply.ts';

const toolKeys = ['action', 'tool', 'tool_name', 'name'] as const;
const inputKeys = ['action_input', 'args', 'arguments', 'parameters', 'input'] as const;
const thoughtKeys = ['thought', 'thoughts', 'reasoning'] as const;

/** The call itself, or nested where agents of the past had it. */
const nests: readonly ((call: JsonObject) => JsonObject)[] = [
  (call) => call,
  (call) => call,
  (call) => ({ command: call }),
  (call) => ({ tool_call: call }),
];

const answers: readonly ((text: string) => JsonObject)[] = [
  (text) => ({ action: 'final_answer', action_input: text }),
  (text) => ({ action: 'Final Answer', action_input: text }),
  (text) => ({ action: 'finish', args: { answer: text } }),
  (text) => ({ answer: text }),
  (text) => ({ final_answer: text }),
];

const wraps: readonly ((object: string, hasThought: boolean) => string)[] = [
  (object) => object,
  (object) => fenced(object, 'json'),
  (object) => `\n${object}\n`,
  (object, hasThought) => (hasThought ? `<think>\nSo perhaps {"a": 1}.\n</think>\n${object}` : object),
];

function writings(fc: FastCheck): Arbitrary<Writing> {
  return fc
    .record({
      toolKey: fc.constantFrom(...toolKeys),
      inputKey: fc.constantFrom(...inputKeys),
      thoughtKey: fc.constantFrom(...thoughtKeys),
      nest: fc.constantFrom(...nests),
      answer: fc.constantFrom(...answers),
      wrap: fc.constantFrom(...wraps),
      indent: fc.constantFrom(undefined, 2),
    })
    .map(({ toolKey, inputKey, thoughtKey, nest, answer, wrap, indent }): Writing => {
      const members = (value: JsonValue) => JSON.stringify(value, null, indent).slice(1);
      return {
        thought: (text) => `${JSON.stringify(thoughtKey)}: ${JSON.stringify(text)},`,
        call: (tool, input) => members(nest({ [toolKey]: tool, [inputKey]: input })),
        answer: (text) => members(answer(text)),
        around: (reply, hasThought) => wrap(`{${reply}`, hasThought),
      };
    });
}

/** The thought is the first member of the object; so a step is written as its members behind it. */
export const jsonRow: ReplyRow = {
  replies: (fc, named) => repliesWritten(fc, writings(fc), named),
  fragments: [
    ...['{"action": "look"', '"action_input": "x"', '{"action": "look", "action_input": {', '"thought": "x", '],
    ...['{"answer": "', '"final_answer": ', '{"command": {', '"arguments": "{}"', '}}', '"}\n', '"name": "look"'],
  ],
  spoilers: [
    (text) => JSON.stringify(text),
    (text) => text.replaceAll('"', "'"),
    (text) => text.replaceAll('true', 'True').replaceAll('null', 'None').replaceAll('}', ',}'),
    (text) => `${text}}`,
    (text) => `Here it is: ${text}\nI hope that helps.`,
  ],
  faults: [
    ...[
      '{}',
      '[]',
      'null',
      '""',
      '```json\n```',
      '{"action":',
      '{"action": "look", "action_input": {',
      '{"answer": null}',
    ],
    ...[
      '{"action": {"name": "look", "args": {"q": 1}}}',
      '[{"action": "look"}]',
      '{"action": "look", "action": "send"}',
    ],
    ...['{"thought": "a"}{"thought": "b"}', '{"thought": "only that"}', '{"action": "none"}', '{"action": "look"'],
    '{"action": "look", "action_input": {"q": "say("x")"}}',
  ],
};
