/** How models write the dialect `paper`, well and badly. */
import type { JsonValue } from '../core/json.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';
import { type ReplyRow, repliesWritten, type Writing } from './meant-reply.ts';

interface Labels {
  readonly thought: string;
  readonly action: string;
}

const labels: readonly Labels[] = [
  { thought: 'Thought: ', action: 'Action: ' },
  { thought: 'Thought 1: ', action: 'Action 1: ' },
  { thought: 'thought 2: ', action: 'action 2: ' },
  { thought: '**Thought 1:** ', action: '**Action 1:** ' },
  { thought: '思考 1：', action: '行动 1：' },
];

const calls: readonly ((tool: string, input: JsonValue) => string)[] = [
  (tool, input) => `${tool}[${JSON.stringify(input)}]`,
  (tool, input) => `${tool}[${JSON.stringify(input, null, 2)}]`,
  (tool, input) => `${tool}[\n${JSON.stringify(input)}\n]`,
  (tool, input) => `\`${tool}[${JSON.stringify(input)}]\``,
  (tool, input) => `${tool}(${JSON.stringify(input)})`,
  (tool, input) => `${tool}【${JSON.stringify(input)}】`,
  (tool, input) => `${tool}\nAction Input: ${JSON.stringify(input)}`,
];

function writings(fc: FastCheck): Arbitrary<Writing> {
  return fc
    .record({
      label: fc.constantFrom(...labels),
      call: fc.constantFrom(...calls),
      finish: fc.constantFrom('Finish', 'Finish', 'finish', 'FINISH', '完成'),
      gap: fc.constantFrom('\n', '\n\n'),
      lead: fc.constantFrom('', '', '<think>\nSo perhaps.\n</think>\n', '\n\n'),
    })
    .map(
      ({ label, call, finish, gap, lead }): Writing => ({
        thought: (text) => `${lead}${label.thought}${text}${gap}`,
        call: (tool, input) => `${label.action}${call(tool, input)}`,
        answer: (text) => `${label.action}${finish}[${text}]`,
      }),
    );
}

export const paperRow: ReplyRow = {
  replies: (fc, named) => repliesWritten(fc, writings(fc), named),
  fragments: [
    ...['Thought 1:', 'Action 1:', 'Action 1: look[', 'Action: ', 'look[', 'Finish[', 'Finish', 'Observation 1:', ']'],
    ...[
      '> ',
      '> look ',
      '> think: ',
      'Plan 1: x',
      '【',
      '】',
      ']\n',
      'look[{"q": "',
      'look(',
      'Action 2: send[',
      '\n> ',
    ],
  ],
  spoilers: [
    (text) => text.replaceAll(']', ''),
    (text) => text.replaceAll('[', ''),
    (text) => text.replaceAll('[', '[['),
    (text) => text.replaceAll(']', ']]'),
    (text) => text.replaceAll(/Action[^:]*: /g, ''),
    (text, at) => `${text.slice(0, at)}]${text.slice(at)}`,
    (text, at) => `${text.slice(0, at)}\nAction 2: Finish[${text.slice(at)}`,
    (text) => `${text}\nObservation 1: 42\nThought 2: So.\nAction 2: Finish[42]`,
  ],
  faults: [
    ...[
      'Thought 1:',
      'Action 1:',
      'Action 1: ',
      'Thought 1: only that.',
      'Action: Finish',
      'Action: Finish[]',
      'Finish',
    ],
    ...[
      'Action 1: look[tide',
      'Action 1: Finish[high',
      'look[now]',
      'exit[now]',
      '> look',
      '> think: hm',
      'Action: None',
    ],
    ...[
      'Action 1: look[1936] flood]',
      "Action 1: look[grep '[' a]",
      'Action 1: look[a], send[b]',
      'With look[a] I saw.',
    ],
    ...[
      'Action: look[{"q": "say("x")"}]',
      'Action 1: look[a]\nObserv',
      'Action: Finish\nObservation: 4\nFinal Answer: 4',
    ],
  ],
};
