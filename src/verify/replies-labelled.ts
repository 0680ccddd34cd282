/** How models write the dialect `labelled`, well and badly. */
import type { JsonValue } from '../core/json.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';
import { fenced, type ReplyRow, repliesWritten, type Writing } from './meant-reply.ts';

interface Labels {
  readonly thought: string;
  readonly action: string;
  readonly input: string;
  readonly answer: string;
}

const labels: readonly Labels[] = [
  { thought: 'Thought: ', action: 'Action: ', input: 'Action Input: ', answer: 'Final Answer: ' },
  { thought: 'Thought:', action: 'Action:', input: 'Action Input:', answer: 'Answer:' },
  { thought: '**Thought:** ', action: '**Action:** ', input: '**Action Input:** ', answer: '**Final Answer:** ' },
  { thought: '**Thought**: ', action: '**Action**: ', input: '**Action Input**: ', answer: '**Final Answer**: ' },
  { thought: '## Thought: ', action: '## Action: ', input: '## Action Input: ', answer: '## Final Answer: ' },
  { thought: 'Thought 2: ', action: 'Action 2: ', input: 'Action Input 2: ', answer: 'Final Answer: ' },
  { thought: 'thought: ', action: 'action: ', input: 'action input: ', answer: 'final answer: ' },
  { thought: 'Thoughts: ', action: 'Action: ', input: 'Action_Input: ', answer: 'Final_Answer: ' },
  { thought: 'Thought：', action: 'Action：', input: 'Action Input：', answer: 'Final Answer：' },
  { thought: '思考：', action: '行动：', input: '行动输入：', answer: '最终答案：' },
  { thought: '**思考：**', action: '**行动：**', input: '**行动输入：**', answer: '**最终答案：**' },
  { thought: '想法: ', action: '动作: ', input: '动作输入: ', answer: '最终回答: ' },
  { thought: '思考 1：', action: '操作 1：', input: '操作输入 1：', answer: '答案：' },
];

/** Behind the name and the label of the input, or in call syntax. */
const calls: readonly ((tool: string, input: JsonValue, label: string) => string)[] = [
  (tool, input, label) => `${tool}\n${label}${JSON.stringify(input)}`,
  (tool, input, label) => `${tool}\n${label}${JSON.stringify(input, null, 2)}`,
  (tool, input, label) => `${tool}\n${label}\n${JSON.stringify(input)}`,
  (tool, input, label) => `${tool}\n\n${label}${fenced(JSON.stringify(input), 'json')}`,
  (tool, input, label) => `\`${tool}\`\n${label}${JSON.stringify(input)}`,
  (tool, input) => `${tool}(${JSON.stringify(input)})`,
];

function writings(fc: FastCheck): Arbitrary<Writing> {
  return fc
    .record({
      label: fc.constantFrom(...labels),
      call: fc.constantFrom(...calls),
      gap: fc.constantFrom('\n', '\n\n'),
      lead: fc.constantFrom('', '', '<think>\nSo perhaps.\n</think>\n', '\n\n'),
    })
    .map(
      ({ label, call, gap, lead }): Writing => ({
        thought: (text) => `${lead}${label.thought}${text}${gap}`,
        call: (tool, input) => `${label.action}${call(tool, input, label.input)}`,
        answer: (text) => `${label.answer}${text}`,
      }),
    );
}

export const labelledRow: ReplyRow = {
  replies: (fc, named) => repliesWritten(fc, writings(fc), named),
  fragments: [
    ...['Thought:', 'Action:', 'Action Input:', 'Observation:', 'Final Answer:', 'Answer:', 'Question:', 'thought:'],
    ...[
      '思考：',
      '行动：',
      '行动输入：',
      '观察：',
      '最终答案：',
      'None',
      'Final Answer',
      'Observ',
      '无',
      'Action: look\n',
    ],
    ...['\nAction: look\nAction Input: {"q": "', '\nObservation: 1\n', '\nFinal Answer: ', '（', '）', '**'],
  ],
  spoilers: [
    (text) => text.replaceAll(':', ''),
    (text) => text.replaceAll(': ', '：'),
    (text) => text.replaceAll('look', 'lookup(q="x")'),
    (text, at) => `${text.slice(0, at)}\nFinal Answer: ${text.slice(at)}`,
    (text) => text.replaceAll(/(?:Action Input|行动输入)/g, 'Input'),
  ],
  faults: [
    ...['Thought:', 'Action:', 'Final Answer:', 'Thought: only that.', 'Action: None', 'Action: look'],
    ...['Action Input: {"q": 1}', 'Action: look(q="a)', 'Action: look\nAction Input: {"q": "Final Answer: 4"}'],
    ...['Observation: 42', 'Action: look\nAction: send\nAction Input: {}', 'Action: __proto__\nAction Input: {}'],
    'Thought: a\nThought: b\nFinal Answer: c\nFinal Answer: d',
  ],
};
