/**
 * What a model is told when its reply held no usable step: what was seen, what is allowed, and one example in its
 * dialect with a tool that exists. Pure. The marker `[FormatError]` is put before it by whoever sends it.
 */
import type { Reading } from '../core/reading.ts';
import type { ViolationCode } from '../core/stop-reasons.ts';
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
  const sentence = options.first?.[language] ?? seenText[language][code];
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

const seenText: Readonly<Record<Language, Readonly<Record<ViolationCode, Sentence>>>> = {
  en: {
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
  },
  zh: {
    empty: () => '你的回复里没有可用的内容：没有行动，也没有答案。',
    no_step: (_tool, seen) => `你的回复里既没有行动，也没有最终答案；开头是 ${seen}。`,
    thought_only: () => '你的回复只写了思考就结束了，没有行动，也没有最终答案。',
    unreadable_input: (tool, seen) => `${tool === '' ? '你的回复' : `${tool} 的输入`}不是可读的 JSON；开头是 ${seen}。`,
    missing_input: (tool) => `行动 ${tool} 没有输入。`,
    no_tool: () => '你的回复没有写出工具名，所以什么也没有执行，也没有最终答案。',
    truncated: () => '你的回复因为过长被截断，其中的内容都没有执行。请写得短一些。',
    too_long: () => '你的回复超过了长度限制，已被停止；其中的内容都没有执行。请写得短一些。',
  },
};

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
