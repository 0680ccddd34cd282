/**
 * How a system message is put together: the user's instructions, the tools, the form of a dialect, examples, the form of the
 * answer. Pure.
 */

import type { JsonObject } from '../core/json.ts';
import { inLanguage, type Texts } from '../core/language.ts';
import { chineseTexts } from './chinese-texts.ts';
import type { Dialect, Language, PromptOptions, ToolDescription } from './dialect.ts';
import { renderExamples } from './examples.ts';
import type { Form } from './form.ts';

export interface SystemOptions extends PromptOptions {
  /** The user's own; they come first. */
  readonly instructions?: string;
  /** The form of the answer, which comes last; null where any text is one. */
  readonly answer?: JsonObject | null;
}

/** The whole system message. */
export function systemMessage(
  dialect: Dialect,
  { instructions = '', answer = null, ...options }: SystemOptions,
): string {
  const taught = dialect.instructions(options);
  const form = answer === null ? '' : `${inLanguage(answerForm, options.language)}\n${JSON.stringify(answer)}`;
  return [instructions.trim(), taught, form].filter((part) => part !== '').join('\n\n');
}

const answerForm: Texts = {
  en: 'Whatever the examples show, the final answer itself is one JSON value that fits this JSON Schema, with no other text round it:',
  zh: chineseTexts?.answerForm,
};

/** The sentences of a dialect around the parts that all dialects share. */
export interface Teaching {
  readonly form: Form;
  /** How a reply is written and where it stops. */
  readonly shape: Texts;
}

export function teach({ form, shape }: Teaching, options: PromptOptions): string {
  const { language } = options;
  const parts = [describeTools(options.tools, language), inLanguage(shape, language), inLanguage(faultLines, language)];
  if (options.examples) parts.push(`${inLanguage(examplesLead, language)}\n\n${renderExamples(form, language)}`);
  return parts.join('\n\n');
}

/** One line a tool, and under it the JSON Schema of its input. */
export function describeTools(tools: readonly ToolDescription[], language: Language): string {
  const zh = language === 'zh';
  if (tools.length === 0) return zh ? '没有可用的工具，请直接作答。' : 'There are no tools. Answer directly.';
  const lines = tools.map((tool) => describeTool(tool, language));
  return [zh ? '你可以使用这些工具：' : 'You can use these tools:', ...lines].join('\n');
}

function describeTool({ name, description, inputSchema }: ToolDescription, language: Language): string {
  const zh = language === 'zh';
  const about = description.trim() === '' ? name : `${name}${zh ? '：' : ': '}${description.trim()}`;
  if (inputSchema === null) return `- ${about}`;
  return `- ${about}\n  ${zh ? '输入（JSON Schema）：' : 'Input (JSON Schema): '}${JSON.stringify(inputSchema)}`;
}

/** What the markers of faults mean, for the system message. */
export const faultLines: Texts = {
  en: [
    'When something goes wrong, the observation says so:',
    '- [FormatError]: your reply could not be read. Nothing was run. Write the step again as described above.',
    '- [ToolError]: the tool failed, or refused its input. Find out why and correct the call; do not repeat it unchanged.',
    '- [LoopGuard]: you repeat yourself. Do something else, or answer with what you know.',
  ].join('\n'),
  zh: chineseTexts?.faultLines,
};

const examplesLead: Texts = {
  en: 'Examples. Their tools are made up; use only the tools listed above. You write everything except the lines that begin with "Observation:".',
  zh: chineseTexts?.examplesLead,
};
