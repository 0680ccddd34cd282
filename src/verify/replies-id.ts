/** How models write the dialect `id`, well and badly: as `labelled`, with an id in place of the tool's name. */
import type { JsonValue } from '../core/json.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';
import { fenced, type ReplyRow, repliesWritten, type Writing } from './meant-reply.ts';

interface Labels {
  readonly thought: string;
  readonly action: string;
  readonly answer: string;
}

const labels: readonly Labels[] = [
  { thought: 'Thought: ', action: 'Action: ', answer: 'Answer: ' },
  { thought: 'Thought: ', action: 'Action: ', answer: 'Final Answer: ' },
  { thought: '**Thought:** ', action: '**Action:** ', answer: '**Answer:** ' },
  { thought: 'Thought 2: ', action: 'Action 2: ', answer: 'Answer: ' },
  { thought: 'thought: ', action: 'action: ', answer: 'answer: ' },
  { thought: '思考：', action: '行动：', answer: '答案：' },
];

const calls: readonly ((tool: string, input: JsonValue) => string)[] = [
  (tool, input) => `${tool} ${JSON.stringify(input)}`,
  (tool, input) => `${tool}\n${JSON.stringify(input)}`,
  (tool, input) => `${tool}(${JSON.stringify(input)})`,
  (tool, input) => `${tool}\nAction Input: ${JSON.stringify(input)}`,
  (tool, input) => `${tool}\nAction Input: ${fenced(JSON.stringify(input), 'json')}`,
];

function writings(fc: FastCheck): Arbitrary<Writing> {
  return fc
    .record({
      label: fc.constantFrom(...labels),
      call: fc.constantFrom(...calls),
      gap: fc.constantFrom('\n', '\n\n'),
      lead: fc.constantFrom('', '', '<think>\nSo perhaps.\n</think>\n', '\n\n'),
    })
    .map(({ label, call, gap, lead }) => ({
      thought: (text) => `${lead}${label.thought}${text}${gap}`,
      call: (tool, input) => `${label.action}${call(tool, input)}`,
      answer: (text) => `${label.answer}${text}`,
    }));
}

export const idRow: ReplyRow = {
  replies: (fc, named) => repliesWritten(fc, writings(fc), named),
  fragments: [
    ...['Thought:', 'Action:', 'Action Input:', 'Answer:', '---', '\n---\n', 'T01', 'T02 ', 'T99', 't1', '[T03]', 'T1'],
    ...['Action: T01 {"q": "', 'Action: T02\n', 'ERROR: ', '\\---', 'T01(', 'Action: look {', '\nAnswer: ', '思考：'],
  ],
  spoilers: [
    (text) => text.replaceAll(/T0(\d)/g, 'T$1'),
    (text) => text.replaceAll(/T0\d/g, 'T77'),
    (text) => text.replaceAll(/(T0\d)/g, '[$1]'),
    (text) => text.replaceAll(/T0\d/g, 'look'),
    (text) => text.replaceAll(':', ''),
    (text) => `${text}\n---\n42\n---\nThought: So.\nAnswer: 42`,
    (text, at) => `${text.slice(0, at)}\n---\n${text.slice(at)}`,
  ],
  faults: [
    ...['Action: T01', 'Action: T77 {}', 'Action: T01 {"q": ', 'Action: {"q": 1}', 'T01 {"q": 1}', '---\n42\n---'],
    ...['Thought: only that.', 'Answer:', 'Action: None', 'Action: T01, T02', 'Action: T01 T02 {}', 'Action: T0 {}'],
    'Action: T01 {"q": "say("x")"}',
  ],
};
