/** The three few-shot examples that every text dialect shows, as data. Pure. Their tools are made up. */
import type { JsonObject } from '../core/json.ts';
import { chineseExamples } from './chinese-examples.ts';
import type { Language } from './dialect.ts';
import type { Form } from './form.ts';

type Turn =
  | { readonly thought: string; readonly tool: string; readonly input: JsonObject; readonly observation: string }
  | { readonly thought: string; readonly answer: string };

export interface Example {
  readonly task: string;
  readonly turns: readonly Turn[];
}

/** In order: plain success; an error that is analysed and corrected; two tools in sequence. */
const english: readonly Example[] = [
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
];

/** The tools that the examples call. */
export const exampleTools: readonly string[] = ['find_page', 'count_parcels', 'work_out'];

/** In a bundle without the Chinese ones, the English ones. */
function examplesIn(language: Language): readonly Example[] {
  return language === 'zh' && chineseExamples !== null ? chineseExamples : english;
}

/** The replies of the examples, as a model would write them in a form. */
export function exampleReplies(form: Form, language: Language): readonly string[] {
  return examplesIn(language).flatMap((example) => example.turns.map((turn) => reply(form, turn)));
}

export function renderExamples(form: Form, language: Language): string {
  return examplesIn(language)
    .map((example, index) => renderExample(form, language, example, index + 1))
    .join('\n\n');
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
