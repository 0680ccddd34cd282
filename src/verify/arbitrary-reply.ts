/** Well-formed replies with what they mean, one table row a dialect. */
import type { JsonObject, JsonValue } from '../core/json.ts';
import type { ReadCall } from '../core/reading.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';

/** What a reply is to be read as. */
export type Meaning =
  | { readonly kind: 'calls'; readonly thought: string | null; readonly calls: readonly ReadCall[] }
  | { readonly kind: 'answer'; readonly thought: string | null; readonly answer: string };

export interface MeantReply {
  readonly text: string;
  readonly meaning: Meaning;
}

/** The tools that replies call as if they existed. */
export const knownTools: readonly string[] = ['look', 'send', 'fetch_order', 'constructor'];

export function toolNames(fc: FastCheck): Arbitrary<string> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...knownTools) },
    { weight: 1, arbitrary: fc.constantFrom('__proto__', 'toString', 'hasOwnProperty', 'unheard_of', '查询') },
  );
}

/** Plain JSON: what `JSON.parse` gives, so that it equals what is read back. */
export function jsonValues(fc: FastCheck): Arbitrary<JsonValue> {
  return fc.jsonValue({ maxDepth: 3 }).map(plainJson);
}

export function jsonInputs(fc: FastCheck): Arbitrary<JsonObject> {
  const key = fc.oneof(fc.constantFrom('q', 'id', '__proto__', 'constructor', '键'), fc.string({ maxLength: 6 }));
  return fc
    .array(fc.tuple(key, jsonValues(fc)), { maxLength: 4 })
    .map((members) => Object.fromEntries(members.map(([name, value]) => [name, value])));
}

function plainJson(value: unknown): JsonValue {
  const plain: JsonValue = JSON.parse(JSON.stringify(value) ?? 'null');
  return plain;
}

type Draw = (fc: FastCheck) => Arbitrary<MeantReply>;

const forms: { readonly [dialect: string]: Draw } = { labelled: labelledReplies, json: jsonReplies };

export function wellFormed(fc: FastCheck, dialect: string): Arbitrary<MeantReply> {
  const draw = Object.hasOwn(forms, dialect) ? forms[dialect] : undefined;
  if (draw === undefined) throw new Error(`There are no replies for a dialect ${JSON.stringify(dialect)}.`);
  return draw(fc);
}

/** Whether well-formed replies of this dialect can be drawn. */
export function hasReplies(dialect: string): boolean {
  return Object.hasOwn(forms, dialect);
}

const words = [
  ...['I', 'need', 'the', 'price', 'of', '17', '12.5%', 'order', '"quoted"', "it's", '(perhaps)', 'e.g.', '{x}', 'a=b'],
  ...[
    '查询',
    '价格，',
    '订单。',
    '🙂',
    'naïve',
    'Action',
    'the answer:',
    'C:\\new',
    '<b>',
    '[1]',
    '—',
    'https://a.b/?c=d',
  ],
];

/** Words in one line or a few, none of which begins like a label. */
function prose(fc: FastCheck): Arbitrary<string> {
  const line = fc
    .array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 })
    .map((parts) => ['So', ...parts].join(' '));
  return fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'));
}

interface Labels {
  readonly thought: string;
  readonly action: string;
  readonly input: string;
  readonly answer: string;
}

const labelStyles: readonly Labels[] = [
  { thought: 'Thought: ', action: 'Action: ', input: 'Action Input: ', answer: 'Final Answer: ' },
  { thought: 'Thought:', action: 'Action:', input: 'Action Input:', answer: 'Answer:' },
  { thought: '**Thought:** ', action: '**Action:** ', input: '**Action Input:** ', answer: '**Final Answer:** ' },
  { thought: '**Thought**: ', action: '**Action**: ', input: '**Action Input**: ', answer: '**Final Answer**: ' },
  { thought: 'Thought 2: ', action: 'Action 2: ', input: 'Action Input 2: ', answer: 'Final Answer: ' },
  { thought: 'thought: ', action: 'action: ', input: 'action input: ', answer: 'final answer: ' },
  { thought: '思考：', action: '行动：', input: '行动输入：', answer: '最终答案：' },
  { thought: '想法: ', action: '动作: ', input: '动作输入: ', answer: '最终回答: ' },
  { thought: '思考：', action: '操作：', input: '操作输入：', answer: '答案：' },
];

const spelledInputs: readonly ((input: JsonObject) => string)[] = [
  (input) => JSON.stringify(input),
  (input) => JSON.stringify(input, null, 2),
  (input) => `\n${JSON.stringify(input)}`,
  (input) => `\`\`\`json\n${JSON.stringify(input)}\n\`\`\``,
];

function labelledReplies(fc: FastCheck): Arbitrary<MeantReply> {
  const shared = {
    style: fc.constantFrom(...labelStyles),
    thought: fc.option(prose(fc)),
    gap: fc.constantFrom('\n', '\n\n'),
  };
  const call = fc
    .record({ ...shared, tool: toolNames(fc), input: jsonInputs(fc), spell: fc.constantFrom(...spelledInputs) })
    .map(({ style, thought, gap, tool, input, spell }) => ({
      text: `${thought === null ? '' : `${style.thought}${thought}${gap}`}${style.action}${tool}\n${style.input}${spell(input)}`,
      meaning: callOf(thought, tool, input),
    }));
  const answer = fc.record({ ...shared, answer: prose(fc) }).map(({ style, thought, gap, answer: told }) => ({
    text: `${thought === null ? '' : `${style.thought}${thought}${gap}`}${style.answer}${told}`,
    meaning: answerOf(thought, told),
  }));
  return fc.oneof(call, answer);
}

const toolKeys = ['action', 'tool', 'tool_name', 'name'] as const;
const inputKeys = ['action_input', 'args', 'arguments', 'parameters', 'input'] as const;

function jsonReplies(fc: FastCheck): Arbitrary<MeantReply> {
  const shared = {
    thought: fc.option(prose(fc)),
    wrap: fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => `\`\`\`json\n${text}\n\`\`\``,
      (text) => `\n${text}\n`,
    ),
    indent: fc.constantFrom(undefined, 2),
  };
  const call = fc
    .record({
      ...shared,
      tool: toolNames(fc),
      input: jsonInputs(fc),
      toolKey: fc.constantFrom(...toolKeys),
      inputKey: fc.constantFrom(...inputKeys),
    })
    .map(({ thought, wrap, indent, tool, input, toolKey, inputKey }) => ({
      text: wrap(JSON.stringify(withThought(thought, { [toolKey]: tool, [inputKey]: input }), null, indent)),
      meaning: callOf(thought, tool, input),
    }));
  const answer = fc
    .record({ ...shared, told: prose(fc), key: fc.constantFrom('action', 'answer', 'final_answer') })
    .map(({ thought, wrap, indent, told, key }) => {
      const members = key === 'action' ? { action: 'final_answer', action_input: told } : { [key]: told };
      return {
        text: wrap(JSON.stringify(withThought(thought, members), null, indent)),
        meaning: answerOf(thought, told),
      };
    });
  return fc.oneof(call, answer);
}

function withThought(thought: string | null, members: JsonObject): JsonObject {
  return thought === null ? members : { thought, ...members };
}

function callOf(thought: string | null, tool: string, input: JsonObject): Meaning {
  return { kind: 'calls', thought, calls: [{ tool, input }] };
}

function answerOf(thought: string | null, answer: string): Meaning {
  return { kind: 'answer', thought, answer };
}
