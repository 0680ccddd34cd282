/**
 * What a model is told when its reply held no usable step: what was seen, what is allowed, and one example in its
 * dialect with a tool that exists. Pure. The marker `[FormatError]` is put before it by whoever sends it.
 */
import type { Reading } from '../core/reading.ts';
import type { ViolationCode } from '../core/stop-reasons.ts';
import { chineseTexts } from './chinese-texts.ts';
import type { Language } from './dialect.ts';
import type { Form } from './form.ts';

export interface HintOptions {
  readonly form: Form;
  readonly tools: readonly string[];
  readonly language: Language;
  /** The part of the reply that could not be used; its beginning is shown. */
  readonly seen?: string;
  /** What is said first, where the code alone does not tell what is wrong. */
  readonly first?: Readonly<Record<Language, Sentence>>;
  /** The tool whose input could not be read. */
  readonly tool?: string;
}

export function hint(code: ViolationCode, options: HintOptions): string {
  const { form, language } = options;
  const sentence = options.first?.[language] ?? seenText(language)[code];
  const parts = [
    sentence(options.tool === undefined ? '' : quoted(options.tool), quoted(options.seen ?? '')),
    form.rule[language],
  ];
  return `${parts.join(language === 'zh' ? '' : ' ')}${toolList(options)}\n${exampleOf(options)}`;
}

export function violation(code: ViolationCode, options: HintOptions & { readonly thought: string | null }): Reading {
  return { kind: 'violation', thought: options.thought, code, hint: hint(code, options) };
}

/** Both are in quotes. */
export type Sentence = (tool: string, seen: string) => string;
export type Sentences = Readonly<Record<ViolationCode, Sentence>>;

const english: Sentences = {
  empty: () => 'Your reply held nothing that can be used: no action, and no answer.',
  no_step: (_tool, seen) => `Your reply held neither an action nor a final answer; it began with ${seen}.`,
  thought_only: () => 'Your reply ended behind the thought, without an action or a final answer.',
  unreadable_input: (tool, seen) =>
    `${tool === '' ? 'Your reply' : `The input of ${tool}`} could not be read as JSON; it began with ${seen}.`,
  missing_input: (tool) => `The action ${tool} had no input.`,
  no_tool: () => 'Your reply named no tool, so nothing was run, and it held no final answer.',
  truncated: () => 'Your reply was cut off at its length limit, so nothing of it was run. Write a shorter one.',
  too_long: () =>
    'Your reply went on past its length limit and was stopped; nothing of it was run. Write a shorter one.',
};

/** In a bundle without the Chinese ones, the English ones. */
function seenText(language: Language): Sentences {
  return (language === 'zh' ? chineseTexts?.seen : undefined) ?? english;
}

const longestQuote = 80;
const mostTools = 20;

/** The beginning of a text on one line, in quotes. */
function quoted(text: string): string {
  const head = text.slice(0, longestQuote).replaceAll('\n', ' ').replaceAll('\r', ' ');
  return JSON.stringify(text.length > longestQuote ? `${head}…` : head);
}

function toolList({ tools, language }: HintOptions): string {
  if (tools.length === 0) return '';
  const names = tools.slice(0, mostTools).map((name) => name.slice(0, longestQuote));
  const more = tools.length > mostTools ? ', …' : '';
  return language === 'zh' ? `可用的工具：${names.join('、')}${more}。` : ` Tools: ${names.join(', ')}${more}.`;
}

function exampleOf({ form, tools, language }: HintOptions): string {
  const [tool] = tools;
  const zh = language === 'zh';
  const lead = zh ? '例如：' : 'For example:';
  if (tool === undefined)
    return `${lead}\n${zh ? form.answer('我知道答案了。', '……') : form.answer('I know the answer.', '…')}`;
  const input = zh ? { 参数名: '值' } : { '<argument>': '<value>' };
  return `${lead}\n${form.call(zh ? `我需要使用 ${tool}。` : `I need ${tool}.`, tool, input)}`;
}
