/** Replies as models write them when they go wrong. Each fault is a row; it says nothing of how it should be read. */
import type { Dialect } from '../protocol/dialect.ts';
import { dialectNamed } from '../protocol/read.ts';
import { replyDialects, replyRows, rowOf, wellFormed } from './arbitrary-reply.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';
import type { MeantReply } from './meant-reply.ts';

/** Any text that a model may write where it should write in this dialect. */
export function malformed(fc: FastCheck, dialect: string | Dialect): Arbitrary<string> {
  const row = rowOf(dialect);
  const rows = row === null ? replyRows : [row];
  const whole = wellFormed(fc, dialect);
  const other = fc.oneof(
    ...replyDialects.filter((name) => name !== dialectNamed(dialect).name).map((name) => wellFormed(fc, name)),
  );
  const spoilers = [...commonSpoilers, ...rows.flatMap((one) => one.spoilers)];
  return fc.oneof(
    { weight: 6, arbitrary: soup(fc, dialect) },
    { weight: 6, arbitrary: spoiled(fc, whole, spoilers) },
    { weight: 4, arbitrary: joined(fc, whole, dialectNamed(dialect)) },
    { weight: 2, arbitrary: other.map(({ text }) => text) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 80 }) },
    { weight: 2, arbitrary: fc.constantFrom(...commonFaults, ...rows.flatMap(({ faults }) => faults)) },
    { weight: 1, arbitrary: hostile(fc) },
  );
}

const commonFragments = [
  ...['`', '```', '```json', '\n', '\n\n', '\r\n', ' ', '   ', '{', '}', '[', ']', '(', ')', '"', "'", '"""', ',', ':'],
  ...[
    '=',
    '\\',
    '/',
    '//',
    '/*',
    '*/',
    '#',
    '<',
    '_',
    '-',
    '---\n',
    '<think>',
    '</think>',
    'look',
    '{"a": 1}',
    'x',
    '7',
  ],
  ...['\ud83d', '\ude00', '\0', '\u2028', 'İ', '__proto__', '价格', '"}\n', 'constructor', 'T01'],
] as const;

/** Pieces of the dialect in any order, and now and then of the others: what a reader must take apart. */
export function soup(fc: FastCheck, dialect: string | Dialect): Arbitrary<string> {
  const all = replyRows.flatMap(({ fragments }) => fragments);
  const own = rowOf(dialect)?.fragments ?? all;
  const part = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...commonFragments) },
    { weight: 3, arbitrary: fc.constantFrom(...own) },
    { weight: 1, arbitrary: fc.constantFrom(...all) },
  );
  return fc.array(part, { maxLength: 30 }).map((parts) => parts.join(''));
}

type Spoiler = (text: string, at: number) => string;

const commonSpoilers: readonly Spoiler[] = [
  (text, at) => text.slice(0, at),
  (text, at) => text.slice(at),
  (text, at) => text.slice(0, at) + text.slice(at + 1),
  (text) => text.replaceAll('"', '“'),
  (text) => text.replaceAll('"', "'"),
  (text) => text.replaceAll('\n', '\r\n'),
  (text) => text.replaceAll('\n', ' '),
  (text) => `\`\`\`\n${text}\n\`\`\``,
  (text) => `<think>${text}</think>\n${text}`,
  (text) => `<think>\n${text}`,
  (text) => `${text}\nObserv`,
  (text) => `${text}\nObservation:`,
  (text, at) => `${text.slice(0, at)}\ud83d${text.slice(at)}`,
];

function spoiled(fc: FastCheck, whole: Arbitrary<MeantReply>, spoilers: readonly Spoiler[]): Arbitrary<string> {
  return fc
    .tuple(whole, fc.constantFrom(...spoilers), fc.nat(200))
    .map(([{ text }, spoil, at]) => spoil(text, Math.min(at, text.length)));
}

/** Two steps in one reply, with or without an observation that the model made up between them. */
function joined(fc: FastCheck, whole: Arbitrary<MeantReply>, { writeObservation }: Dialect): Arbitrary<string> {
  const observation = `\n${writeObservation([{ tool: 'look', text: '42' }])}\n`;
  const between = fc.constantFrom('\n', '\n\n', observation, '\n观察：42\n', '\n---\n', ' ', '\nOr:\n', '');
  return fc.tuple(whole, between, whole).map(([first, glue, second]) => first.text + glue + second.text);
}

/** Seen often enough to have their own row, whatever the dialect. */
const commonFaults = [
  '',
  ' ',
  '\n\n',
  '```',
  'Just talk.',
  '好的，我来看看。',
  'Observation: 42',
  '<think>hm',
  '---',
] as const;

const units = [
  ...['`', '```', '```\n', '{', '}', '[', '{"a":', '"', "'", '\\', '\n', ' ', '*', '#', '(', '/*', '<think>', '\ud83d'],
  ...['Thought:', 'Action:\n', 'Action: look\n', 'Action Input: {"\n', 'Observation:\n', 'Final Answer:\n', '思考：'],
  ...['{}\n', '<', '</', '<tool_call>', '<answer>\n', '</answer>', 'look[', ']', '\n> look', 'Finish[', '---\n'],
] as const;

function hostile(fc: FastCheck): Arbitrary<string> {
  const lead = fc.constantFrom(
    ...['', 'Action: look\nAction Input: ', 'Final Answer: ', '{"action": "look", "action_input": '],
    ...['<tool_call>{"name": "look", "arguments": ', '<answer>', 'Action: look[', 'Action: Finish['],
  );
  const times = fc.constantFrom(10, 300, 10_000);
  return fc.tuple(lead, fc.constantFrom(...units), times).map(([begin, unit, count]) => begin + unit.repeat(count));
}
