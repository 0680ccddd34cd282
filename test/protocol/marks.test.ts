import { describe, expect, test } from 'vitest';
import type { Mark } from '../../src/core/reading.ts';
import { dialectNamed } from '../../src/protocol/read.ts';

const options = { tools: ['search', 'clock'], language: 'en' } as const;
const search = { tool: 'search', input: { q: 'tide' } };
const call = 'Thought: look\nAction: search\nAction Input: {"q": "tide"}';
const bracketed = 'Thought 1: look\nAction 1: search[{"q": "tide"}]';
const tagged = '<thought>look</thought>\n<tool_call>{"name": "search", "arguments": {"q": "tide"}}</tool_call>';
const object = '{"thought": "look", "action": "search", "action_input": {"q": "tide"}}';

interface Row {
  readonly dialect: string;
  readonly reply: string;
  /** While the text streams in one piece. */
  readonly streamed: readonly string[];
  readonly atEnd: readonly string[];
}

/** Each mark as its stop, and behind it how many calls it carries. */
const rows: readonly Row[] = [
  { dialect: 'labelled', reply: call, streamed: ['action 0'], atEnd: [] },
  { dialect: 'labelled', reply: 'Action: clock', streamed: [], atEnd: ['action 0'] },
  { dialect: 'labelled', reply: `${call}\nObservation:`, streamed: ['action 0'], atEnd: [] },
  { dialect: 'labelled', reply: `${call}\nObservation: 3`, streamed: ['action 0', 'observation 1'], atEnd: [] },
  { dialect: 'labelled', reply: `${call}\nObservation:\n3`, streamed: ['action 0', 'observation 1'], atEnd: [] },
  { dialect: 'labelled', reply: `${call}\nThought: and\n`, streamed: ['action 0', 'thought 1'], atEnd: [] },
  { dialect: 'labelled', reply: `${call}\nFinal Answer: 3\n`, streamed: ['action 0', 'answer 1'], atEnd: [] },
  { dialect: 'labelled', reply: `${call}\n${call}\nObservation: 3`, streamed: ['action 0', 'thought 1'], atEnd: [] },
  { dialect: 'labelled', reply: 'Thought: a\nThought: b\n', streamed: [], atEnd: [] },
  { dialect: 'labelled', reply: 'Thought: a\nFinal Answer: b', streamed: [], atEnd: ['answer 0'] },
  { dialect: 'labelled', reply: 'Action: None\nFinal Answer: b\n', streamed: ['answer 0'], atEnd: [] },
  {
    dialect: 'labelled',
    reply: 'Action: I can answer\nFinal Answer: b\n',
    streamed: ['action 0', 'answer 0'],
    atEnd: [],
  },
  { dialect: 'labelled', reply: 'Action: clock\nFinal Answer: b\n', streamed: ['action 0', 'answer 1'], atEnd: [] },
  { dialect: 'labelled', reply: 'Observation: 3\nAction: clock\n', streamed: ['action 0'], atEnd: [] },
  {
    dialect: 'labelled',
    reply: 'Observation: 3\nAction: clock\nObservation: 4',
    streamed: ['action 0', 'observation 1'],
    atEnd: [],
  },
  {
    dialect: 'labelled',
    reply: 'Action: search\nAction Input: {"q": "tide\nObservation: 3\n',
    streamed: ['action 0'],
    atEnd: ['observation 1'],
  },
  { dialect: 'json', reply: object, streamed: [], atEnd: ['action 0'] },
  { dialect: 'json', reply: `${object}\nObservation:`, streamed: [], atEnd: ['action 0'] },
  { dialect: 'json', reply: `${object}\nObservation: 3`, streamed: ['action 0', 'observation 1'], atEnd: [] },
  { dialect: 'json', reply: `${object}\nObservation:\n3`, streamed: ['action 0', 'observation 1'], atEnd: [] },
  { dialect: 'json', reply: `${object}\nThought: and\n`, streamed: [], atEnd: ['action 0'] },
  { dialect: 'json', reply: '{"answer": "b"}\nObservation: 3', streamed: [], atEnd: ['answer 0'] },
  { dialect: 'tags', reply: '<thought>a <answer>b</answer></thought>', streamed: [], atEnd: [] },
  { dialect: 'tags', reply: tagged, streamed: ['action 0'], atEnd: [] },
  { dialect: 'tags', reply: `${tagged}\n<tool_response>`, streamed: ['action 0'], atEnd: [] },
  { dialect: 'tags', reply: `${tagged}\n<tool_response>3`, streamed: ['action 0', 'observation 1'], atEnd: [] },
  { dialect: 'tags', reply: `${tagged}\nObservation: 3`, streamed: ['action 0', 'observation 1'], atEnd: [] },
  { dialect: 'tags', reply: `${tagged}\n<thought>`, streamed: ['action 0', 'thought 1'], atEnd: [] },
  { dialect: 'tags', reply: `${tagged}\n<execute>`, streamed: ['action 0', 'thought 1'], atEnd: [] },
  { dialect: 'tags', reply: `${tagged}\n<answer>3`, streamed: ['action 0', 'answer 1'], atEnd: [] },
  { dialect: 'tags', reply: tagged.slice(0, -12), streamed: ['action 0'], atEnd: [] },
  { dialect: 'tags', reply: `${tagged.slice(0, -12)}<thought>`, streamed: ['action 0', 'thought 1'], atEnd: [] },
  { dialect: 'tags', reply: `${tagged.slice(0, -15)}<thought>`, streamed: ['action 0'], atEnd: [] },
  { dialect: 'tags', reply: '<execute>a\nObservation: 3\n<answer>4</answer>', streamed: ['action 0'], atEnd: [] },
  { dialect: 'tags', reply: '<c>clock</c>\n<r>so', streamed: ['action 0', 'thought 1'], atEnd: [] },
  { dialect: 'tags', reply: '<tool_call>clock</tool_call>\n<answer>', streamed: ['action 0', 'answer 1'], atEnd: [] },
  { dialect: 'tags', reply: '<thought>a</thought><answer>b</answer>', streamed: ['answer 0'], atEnd: [] },
  { dialect: 'tags', reply: '<thought>a<answer>b</answer>', streamed: [], atEnd: ['answer 0'] },
  { dialect: 'tags', reply: '<think>a</think>\nAction: clock\nObservation: 3', streamed: [], atEnd: ['action 0'] },
  { dialect: 'paper', reply: bracketed, streamed: [], atEnd: ['action 0'] },
  { dialect: 'paper', reply: `${bracketed}\n`, streamed: ['action 0'], atEnd: [] },
  { dialect: 'paper', reply: `${bracketed}\nObservation 1:`, streamed: ['action 0'], atEnd: [] },
  { dialect: 'paper', reply: `${bracketed}\nObservation 1: 3`, streamed: ['action 0', 'observation 1'], atEnd: [] },
  { dialect: 'paper', reply: `${bracketed}\nObservation 1:\n3`, streamed: ['action 0', 'observation 1'], atEnd: [] },
  { dialect: 'paper', reply: `${bracketed}\nThought 2: and\n`, streamed: ['action 0', 'thought 1'], atEnd: [] },
  {
    dialect: 'paper',
    reply: 'Action 1: search[a\nObservation 1: 3',
    streamed: ['action 0', 'observation 1'],
    atEnd: [],
  },
  { dialect: 'paper', reply: 'Action 1: clock\nObservation 1: 3', streamed: ['action 0', 'observation 1'], atEnd: [] },
  { dialect: 'paper', reply: 'Action 1: login\nObservation 1: 3', streamed: [], atEnd: [] },
  { dialect: 'paper', reply: 'Action 1: Finish[a]\nObservation 1: 3', streamed: ['answer 0'], atEnd: [] },
  { dialect: 'paper', reply: 'Action 1: Finish[a\nThought 1: 3', streamed: ['answer 0'], atEnd: [] },
  {
    dialect: 'paper',
    reply: 'Observation 1: 3\nsearch[a]\nObservation 2: 3',
    streamed: [],
    atEnd: [],
  },
  { dialect: 'paper', reply: '> search a\n> clock\n', streamed: ['action 0'], atEnd: [] },
  {
    dialect: 'paper',
    reply: 'Action 1: search[{"q": "tide]\nObservation 1: 3\n',
    streamed: ['action 0'],
    atEnd: ['observation 1'],
  },
];

const short = (marks: readonly Mark[]): string[] => marks.map(({ stop, calls }) => `${stop} ${calls.length}`);

describe('marks', () => {
  test.each(rows)('$dialect: $reply', ({ dialect, reply, streamed, atEnd }) => {
    const scanner = dialectNamed(dialect).scanner(options);
    expect(short(scanner.feed(reply))).toEqual(streamed);
    expect(short(scanner.end().marks)).toEqual(atEnd);
  });

  test('carry the thought and the call', () => {
    const marks = dialectNamed('labelled').scanner(options).feed(`${call}\nObservation: 3`);
    expect(marks).toEqual([
      { stop: 'action', thought: 'look', calls: [] },
      { stop: 'observation', thought: 'look', calls: [search] },
    ]);
  });

  test('an observation is reported with its first letter', () => {
    const scanner = dialectNamed('labelled').scanner(options);
    scanner.feed(`${call}\nObservation: `);
    expect(short(scanner.feed('3'))).toEqual(['observation 1']);
  });
});

describe('what is kept', () => {
  test.each([
    ['an invented observation is left out', 'labelled', `${call}\nObservation: 3\nFinal Answer: 3`, call],
    ['one before the step too', 'labelled', `Observation: 3\n${call}`, call],
    ['thinking is left out', 'labelled', `<think>hm</think>\n${call}`, call],
    ['the fence round the turn is left out', 'labelled', `\`\`\`\n${call}\n\`\`\`\n`, call],
    ['an answer stays whole', 'labelled', 'Final Answer: a\nAction: b\n', 'Final Answer: a\nAction: b'],
    ['without a step all is kept', 'labelled', 'Hello.\nYou.', 'Hello.\nYou.'],
    ['the tags of the step', 'tags', `${tagged}\n<tool_response>3</tool_response>\n<answer>3</answer>`, tagged],
    ['without thinking', 'tags', `<think>a</think>\n${tagged}`, tagged],
    ['without what was made up before', 'tags', `<observation>3</observation>${tagged}`, tagged],
    [
      'a second call in the same tag stays',
      'tags',
      `${tagged.slice(0, -12)} {}</tool_call>`,
      `${tagged.slice(0, -12)} {}</tool_call>`,
    ],
    ['an answer ends with its tag', 'tags', '<answer>a</answer>\nSo.', '<answer>a</answer>'],
    ['a cut makes no new tag', 'tags', '<<think>a</think>answer>b<answer>c</answer>', '<\nanswer>b<answer>c</answer>'],
    ['the brackets close a call', 'paper', `${bracketed}.\nObservation 1: 3\nThought 2: b`, `${bracketed}.`],
    ['an open bracket ends at a label', 'paper', 'Action: search[a\nObservation: 3', 'Action: search[a'],
    ['an answer ends at its bracket', 'paper', 'Action: Finish[a]\nQuestion: b', 'Action: Finish[a]'],
    [
      'the object and its fence',
      'json',
      `\`\`\`json\n${object}\n\`\`\`\nObservation: 3`,
      `\`\`\`json\n${object}\n\`\`\``,
    ],
  ])('%s', (_title, dialect, reply, kept) => {
    const scanner = dialectNamed(dialect).scanner(options);
    scanner.feed(reply);
    expect.soft(scanner.end().reading.kind).toBeDefined();
    expect(scanner.kept()).toBe(kept);
  });

  test('is known as soon as the observation is reported', () => {
    for (const [dialect, step] of [
      ['labelled', call],
      ['json', object],
      ['paper', bracketed],
      ['tags', tagged],
    ] as const) {
      const scanner = dialectNamed(dialect).scanner(options);
      scanner.feed(`${step}\nObservation: 3`);
      expect(scanner.kept()).toBe(step);
    }
  });
});
