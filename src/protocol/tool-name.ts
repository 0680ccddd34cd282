/** Reads what stands behind an action label: a tool's name, perhaps with its arguments, or words for "no tool". Pure. */
import { beginningName, readBehindName } from './behind-name.ts';
import { labelAt } from './labels.ts';
import { objectOpens } from './tracker.ts';

export type ActionText =
  | ActionCall
  /** The action is to answer: `Action: Final Answer`. `openAt`: the bracket of `Finish[x]`, or -1. */
  | { readonly kind: 'answer'; readonly openAt: number }
  /** `None`, `no action needed`, `无`, or far too long for a name. */
  | { readonly kind: 'none' };

export interface ActionCall {
  readonly kind: 'call';
  readonly tool: string;
  /** A parenthesis of call syntax, or the bracket of `search[x]`; -1 where there is none. */
  readonly argumentsAt: number;
  /** Where the input begins on the same line, behind a label or without one; -1 where there is none. */
  readonly inputAt: number;
  /** The input is a quoted text that ends the line. */
  readonly isQuoted: boolean;
  /** What stands behind the name and is no input. */
  readonly remark: string;
}

/** A line that goes on longer than this before any parenthesis is no name. */
const longestName = 160;

const wrappers: readonly (readonly [string, string])[] = [
  ['`', '`'],
  ['**', '**'],
  ['"', '"'],
  ["'", "'"],
  ['[', ']'],
  ['<', '>'],
  ['“', '”'],
  ['「', '」'],
];

const answerNames = ['final answer', 'finalanswer', 'finish', '最终答案'];
const noneWords = ['none', 'n/a', 'na', 'null', 'nil', 'nothing', '-', '{}', '[]', '无', '无需', '没有', '不需要'];
const noneBeginnings = [
  'no action',
  'no tool',
  'no further',
  'no need',
  'none ',
  'none(',
  'n/a ',
  'not needed',
  '无需',
  '不需要',
];

/** `line` from `from` on is what the model wrote; `tools` are the names that exist. */
export function readAction(line: string, from: number, tools: readonly string[]): ActionText {
  const head = line.slice(from, from + 2 * longestName);
  const inputAt = inlineInput(head);
  const written = (inputAt < 0 ? head : head.slice(0, inputAt)).trim();
  const name = tools.includes(written) ? written : unwrapped(written);
  const known = tools.includes(name) ? name : null;
  const behindInput = inputAt < 0 ? -1 : from + inputAt + (labelAt(head.slice(inputAt))?.contentAt ?? 0);
  if (known !== null) return named(known, { inputAt: behindInput });
  if (isNone(name)) return { kind: 'none' };
  if (isAnswerName(name, tools)) return { kind: 'answer', openAt: -1 };
  const found = inputAt < 0 ? readInline(line, from, tools) : beforeLabel(head, inputAt, behindInput, tools);
  if (found !== null) return found;
  if (written.length > longestName) return { kind: 'none' };
  return named(name, { inputAt: behindInput });
}

function named(tool: string, found: Partial<Omit<ActionCall, 'kind' | 'tool'>>): ActionCall {
  return { kind: 'call', tool, argumentsAt: -1, inputAt: -1, isQuoted: false, remark: '', ...found };
}

/** True for `Final Answer`, `final_answer`, `finish`, unless a tool has that name. */
export function isAnswerName(name: string, tools: readonly string[]): boolean {
  if (name.length > 24 || tools.includes(name)) return false;
  return answerNames.includes(name.toLowerCase().replaceAll('_', ' ').replaceAll('-', ' ').trim());
}

/** True for the ways in which models write that they call nothing. */
export function isNone(name: string): boolean {
  const word = name.slice(0, 40).toLowerCase();
  return (
    noneWords.includes(word.replace(/[.。]$/, '')) || noneBeginnings.some((beginning) => word.startsWith(beginning))
  );
}

/** The input stands behind the name on the same line, without a label. */
function readInline(line: string, from: number, tools: readonly string[]): ActionText | null {
  const head = line.slice(from, from + 2 * longestName);
  const bracketed = inBrackets(head, from, tools);
  if (bracketed !== null) return bracketed;
  const begun = beginningName(head, tools);
  if (begun !== null) return named(begun.tool, readBehindName(line, from + begun.end));
  return bracedInput(head, from) ?? inParentheses(head, from, tools);
}

/** A remark between the name and the label of its input. */
function beforeLabel(head: string, labelAt: number, inputAt: number, tools: readonly string[]): ActionText | null {
  const begun = beginningName(head, tools);
  return begun === null ? null : named(begun.tool, { inputAt, remark: head.slice(begun.end, labelAt).trim() });
}

/** `find {"q": "x"}` of a tool that does not exist. Null where no single word stands before the brace. */
function bracedInput(head: string, from: number): ActionText | null {
  const brace = head.indexOf('{');
  if (brace <= 0 || !objectOpens(head, brace)) return null;
  const name = unwrapped(head.slice(0, brace).trim());
  return /\s|[([]/.test(name) ? null : named(name, { inputAt: from + brace });
}

/** `search[x]` of a tool that exists, or `Finish[x]`. Behind any other name a bracket holds a remark. */
function inBrackets(head: string, from: number, tools: readonly string[]): ActionText | null {
  const bracket = head.indexOf('[');
  if (bracket <= 0) return null;
  const name = head
    .slice(0, bracket)
    .replace(/^[\s`*]{1,4}/, '')
    .trim();
  if (isAnswerName(name, tools)) return { kind: 'answer', openAt: from + bracket };
  return tools.includes(name) ? named(name, { argumentsAt: from + bracket }) : null;
}

/** `find(x)` of a tool that does not exist, or `result = search(x)` of one that does. */
function inParentheses(head: string, from: number, tools: readonly string[]): ActionText | null {
  const parenthesis = head.indexOf('(');
  if (parenthesis <= 0) return null;
  const name = unwrapped(head.slice(0, parenthesis).trim());
  const tool = tools.find((known) => name.endsWith(known) && isCodeBefore(name.slice(0, -known.length)));
  return named(tool ?? name, { argumentsAt: from + parenthesis });
}

/** What code writes before a call: `result = await `. */
function isCodeBefore(text: string): boolean {
  if (text === '' || text.length > 80) return false;
  return /^(?:(?:const|let|var) )?(?:\w{1,40} ?= ?)?(?:(?:await|return) )?(?:(?:tools|functions)\.)?$/.test(text);
}

/** Where `Action Input:` stands on the same line as the action, or -1. */
function inlineInput(head: string): number {
  const lower = head.toLowerCase();
  for (const word of ['action input', 'action_input', '行动输入', '动作输入', '操作输入']) {
    const at = lower.indexOf(word);
    if (at < 0) continue;
    const start = head.startsWith('**', at - 2) ? at - 2 : at;
    if (labelAt(head.slice(start))?.kind === 'input') return start;
  }
  return -1;
}

function unwrapped(text: string): string {
  let name = withoutStop(text);
  for (const [open, close] of wrappers)
    if (name.length > open.length + close.length && name.startsWith(open) && name.endsWith(close))
      name = name.slice(open.length, name.length - close.length).trim();
  return withoutStop(name);
}

function withoutStop(name: string): string {
  return /[.,:;。，：；]$/.test(name.slice(-1)) ? name.slice(0, -1).trimEnd() : name;
}
