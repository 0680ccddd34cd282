/** The three few-shot examples that every text dialect shows, as data. Pure. Their tools are made up. */
import type { JsonObject } from '../core/json.ts';
import type { Language } from './dialect.ts';
import type { Form } from './form.ts';

type Turn =
  | { readonly thought: string; readonly tool: string; readonly input: JsonObject; readonly observation: string }
  | { readonly thought: string; readonly answer: string };

interface Example {
  readonly task: string;
  readonly turns: readonly Turn[];
}

/** In order: plain success; an error that is analysed and corrected; two tools in sequence. */
const examples: Readonly<Record<Language, readonly Example[]>> = {
  en: [
    {
      task: 'How high is the lighthouse of Westmoor?',
      turns: [
        {
          thought: 'I have to look this up.',
          tool: 'find_page',
          input: { query: 'lighthouse of Westmoor height' },
          observation: 'The lighthouse of Westmoor, built in 1888, is 41 m high.',
        },
        { thought: 'The page names the height.', answer: 'The lighthouse of Westmoor is 41 m high.' },
      ],
    },
    {
      task: 'How many parcels left the depot on 3 May?',
      turns: [
        {
          thought: 'The parcel log has the number.',
          tool: 'count_parcels',
          input: { date: '3 May' },
          observation: '[ToolError] date: expected YYYY-MM-DD, got "3 May". The log covers 2024.',
        },
        {
          thought: 'The date was written in the wrong form, and the year was missing. I write 2024-05-03.',
          tool: 'count_parcels',
          input: { date: '2024-05-03' },
          observation: '127',
        },
        { thought: 'Now the call worked.', answer: '127 parcels left the depot on 3 May.' },
      ],
    },
    {
      task: 'What do 12 tickets for the harbour tour cost in euros?',
      turns: [
        {
          thought: 'First I need the price of one ticket.',
          tool: 'find_page',
          input: { query: 'harbour tour ticket price' },
          observation: 'Harbour tour: 14.50 euros a person.',
        },
        {
          thought: 'One ticket is 14.50 euros; I let the sum be worked out.',
          tool: 'work_out',
          input: { expression: '12 * 14.5' },
          observation: '174',
        },
        { thought: 'Both facts are known.', answer: '12 tickets cost 174 euros.' },
      ],
    },
  ],
  zh: [
    {
      task: '西沼灯塔有多高？',
      turns: [
        {
          thought: '我需要查一下。',
          tool: 'find_page',
          input: { query: '西沼灯塔 高度' },
          observation: '西沼灯塔建于 1888 年，高 41 米。',
        },
        { thought: '页面给出了高度。', answer: '西沼灯塔高 41 米。' },
      ],
    },
    {
      task: '5 月 3 日有多少件包裹离开仓库？',
      turns: [
        {
          thought: '包裹日志里有这个数字。',
          tool: 'count_parcels',
          input: { date: '5月3日' },
          observation: '[ToolError] date：应为 YYYY-MM-DD，收到的是 "5月3日"。日志是 2024 年的。',
        },
        {
          thought: '日期的格式写错了，也缺少年份。改写成 2024-05-03。',
          tool: 'count_parcels',
          input: { date: '2024-05-03' },
          observation: '127',
        },
        { thought: '这次调用成功了。', answer: '5 月 3 日有 127 件包裹离开仓库。' },
      ],
    },
    {
      task: '12 张港口游览票一共多少欧元？',
      turns: [
        {
          thought: '先要知道一张票的价格。',
          tool: 'find_page',
          input: { query: '港口游览 票价' },
          observation: '港口游览：每人 14.50 欧元。',
        },
        {
          thought: '一张票 14.50 欧元，总价用工具来算。',
          tool: 'work_out',
          input: { expression: '12 * 14.5' },
          observation: '174',
        },
        { thought: '两个数字都有了。', answer: '12 张票一共 174 欧元。' },
      ],
    },
  ],
};

/** The tools that the examples call. */
export const exampleTools: readonly string[] = ['find_page', 'count_parcels', 'work_out'];

/** The replies of the examples, as a model would write them in a form. */
export function exampleReplies(form: Form, language: Language): readonly string[] {
  return examples[language].flatMap((example) => example.turns.map((turn) => reply(form, turn)));
}

export function renderExamples(form: Form, language: Language): string {
  return examples[language].map((example, index) => renderExample(form, language, example, index + 1)).join('\n\n');
}

function renderExample(form: Form, language: Language, example: Example, number: number): string {
  const title =
    language === 'zh' ? `示例 ${number}。任务：${example.task}` : `Example ${number}. Task: ${example.task}`;
  const turns = example.turns.map((turn) =>
    'observation' in turn ? `${reply(form, turn)}\n${observation(form, turn.observation)}` : reply(form, turn),
  );
  return [title, ...turns].join('\n');
}

function observation(form: Form, text: string): string {
  return form.observation?.(text) ?? `Observation: ${text}`;
}

function reply(form: Form, turn: Turn): string {
  return 'answer' in turn ? form.answer(turn.thought, turn.answer) : form.call(turn.thought, turn.tool, turn.input);
}
