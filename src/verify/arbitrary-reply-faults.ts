/** Replies as models write them when they go wrong. Each fault is a row; it says nothing of how it should be read. */
import { type MeantReply, wellFormed } from './arbitrary-reply.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';

export function malformed(fc: FastCheck, dialect: string): Arbitrary<string> {
  const whole = wellFormed(fc, dialect);
  const other = wellFormed(fc, dialect === 'json' ? 'labelled' : 'json');
  return fc.oneof(
    { weight: 6, arbitrary: soup(fc) },
    { weight: 6, arbitrary: spoiled(fc, whole) },
    { weight: 4, arbitrary: joined(fc, whole) },
    { weight: 2, arbitrary: other.map(({ text }) => text) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 80 }) },
    { weight: 2, arbitrary: fc.constantFrom(...known) },
    { weight: 1, arbitrary: hostile(fc) },
  );
}

/** Pieces of both forms in any order: what a reader must take apart. */
const fragments = [
  ...['Thought:', 'Action:', 'Action Input:', 'Observation:', 'Final Answer:', 'Answer:', 'Question:', 'thought:'],
  ...[
    '思考：',
    '行动：',
    '行动输入：',
    '观察：',
    '最终答案：',
    '**',
    '`',
    '```',
    '```json',
    '\n',
    '\n\n',
    '\r\n',
    ' ',
    '   ',
  ],
  ...['{', '}', '[', ']', '(', ')', '"', "'", '"""', ',', ':', '=', '\\', '/', '//', '/*', '*/', '#', '<', '_', '-'],
  ...['<think>', '</think>', 'look', 'None', 'Final Answer', 'Observ', '{"a": 1}', '{"action": "look"', 'x', '7'],
  ...['"action_input": "x"', '\ud83d', '\ude00', '\0', '\u2028', 'İ', '__proto__', '无', 'Action: look\n', '价格'],
  ...['\nAction: look\nAction Input: {"q": "', '"}\n', '\nObservation: 1\n', '\nFinal Answer: ', 'constructor'],
] as const;

function soup(fc: FastCheck): Arbitrary<string> {
  return fc.array(fc.constantFrom(...fragments), { maxLength: 30 }).map((parts) => parts.join(''));
}

const spoilers: readonly ((text: string, at: number) => string)[] = [
  (text, at) => text.slice(0, at),
  (text, at) => text.slice(at),
  (text, at) => text.slice(0, at) + text.slice(at + 1),
  (text) => text.replaceAll('"', "'"),
  (text) => text.replaceAll('"', '“'),
  (text) => text.replaceAll('true', 'True').replaceAll('null', 'None').replaceAll('}', ',}'),
  (text) => text.replaceAll(':', ''),
  (text) => text.replaceAll(': ', '：'),
  (text) => text.replaceAll('\n', '\r\n'),
  (text) => text.replaceAll('\n', ' '),
  (text) => `\`\`\`\n${text}\n\`\`\``,
  (text) => `<think>${text}</think>\n${text}`,
  (text) => `<think>\n${text}`,
  (text) => JSON.stringify(text),
  (text) => `${text}\nObserv`,
  (text) => `${text}\nObservation:`,
  (text) => text.replaceAll('look', 'lookup(q="x")'),
  (text, at) => `${text.slice(0, at)}\nFinal Answer: ${text.slice(at)}`,
  (text, at) => `${text.slice(0, at)}\ud83d${text.slice(at)}`,
];

function spoiled(fc: FastCheck, whole: Arbitrary<MeantReply>): Arbitrary<string> {
  return fc
    .tuple(whole, fc.constantFrom(...spoilers), fc.nat(200))
    .map(([{ text }, spoil, at]) => spoil(text, Math.min(at, text.length)));
}

/** Two steps in one reply, with or without an observation that the model made up between them. */
function joined(fc: FastCheck, whole: Arbitrary<MeantReply>): Arbitrary<string> {
  const between = fc.constantFrom('\n', '\n\n', '\nObservation: 42\n', '\n观察：42\n', '\n---\n', ' ', '\nOr:\n', '');
  return fc.tuple(whole, between, whole).map(([first, glue, second]) => first.text + glue + second.text);
}

/** Seen often enough to have their own row. */
const known = [
  ...[
    '',
    ' ',
    '\n\n',
    '{}',
    '[]',
    'null',
    '""',
    '```',
    '```json\n```',
    'Thought:',
    'Action:',
    'Final Answer:',
    '{"action":',
  ],
  ...[
    'Just talk.',
    '好的，我来看看。',
    'Thought: only that.',
    'Action: None',
    'Action: look',
    'Action Input: {"q": 1}',
  ],
  ...[
    'Action: look(q="a)',
    'Action: look\nAction Input: {"q": "Final Answer: 4"}',
    '{"action": "look", "action_input": {',
  ],
  ...['Observation: 42', '{"answer": null}', '{"action": {"name": "look", "args": {"q": 1}}}', '[{"action": "look"}]'],
  ...['Action: look\nAction: send\nAction Input: {}', 'Thought: a\nThought: b\nFinal Answer: c\nFinal Answer: d'],
  ...[
    '{"action": "look", "action": "send"}',
    '{"thought": "a"}{"thought": "b"}',
    'Action: __proto__\nAction Input: {}',
  ],
] as const;

const units = [
  ...['`', '```', '```\n', '{', '}', '[', '{"a":', '"', "'", '\\', '\n', ' ', '*', '#', '(', '/*', '<think>', '\ud83d'],
  ...[
    'Thought:',
    'Action:\n',
    'Action: look\n',
    'Action Input: {"\n',
    'Observation:\n',
    'Final Answer:\n',
    '思考：',
    '{}\n',
  ],
] as const;

function hostile(fc: FastCheck): Arbitrary<string> {
  const lead = fc.constantFrom(
    '',
    'Action: look\nAction Input: ',
    'Final Answer: ',
    '{"action": "look", "action_input": ',
  );
  const times = fc.constantFrom(10, 300, 10_000);
  return fc.tuple(lead, fc.constantFrom(...units), times).map(([begin, unit, count]) => begin + unit.repeat(count));
}
