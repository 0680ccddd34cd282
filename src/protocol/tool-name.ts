/** Reads what stands behind an action label: a tool's name, perhaps with its arguments, or words for "no tool". Pure. */
import { labelAt, skipSpaces } from './labels.ts';
import { objectOpens } from './tracker.ts';

export type ActionText =
  /** `argumentsAt`: a parenthesis of call syntax, or the bracket of `search[x]`. `inputAt`: behind an input label on the same line. -1 where none. */
  | { readonly kind: 'call'; readonly tool: string; readonly argumentsAt: number; readonly inputAt: number }
  /** The action is to answer: `Action: Final Answer`. `openAt`: the bracket of `Finish[x]`, or -1. */
  | { readonly kind: 'answer'; readonly openAt: number }
  /** `None`, `no action needed`, `无`, or far too long for a name. */
  | { readonly kind: 'none' };

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
const noneWords = ['none', 'n/a', 'na', 'null', 'nil', 'nothing', '-', '无', '无需', '没有', '不需要'];
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
  if (known !== null) return { kind: 'call', tool: known, argumentsAt: -1, inputAt: behindInput };
  if (isNone(name)) return { kind: 'none' };
  if (isAnswerName(name, tools)) return { kind: 'answer', openAt: -1 };
  const inline = inputAt < 0 ? readInline(head, from, tools) : null;
  if (inline !== null) return inline;
  if (written.length > longestName) return { kind: 'none' };
  return { kind: 'call', tool: beginningTool(name, tools) ?? name, argumentsAt: -1, inputAt: behindInput };
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

/** `search {"q": "x"}`: the input stands behind the name on the same line. Null where no name stands before a brace. */
function bracedInput(head: string, from: number, tools: readonly string[]): ActionText | null {
  const brace = head.indexOf('{');
  if (brace <= 0 || !objectOpens(head, brace)) return null;
  const name = unwrapped(head.slice(0, brace).trim());
  if (!tools.includes(name) && /\s|[([]/.test(name)) return null;
  return { kind: 'call', tool: name, argumentsAt: -1, inputAt: from + brace };
}

/** The input stands behind the name on the same line, without a label. */
function readInline(head: string, from: number, tools: readonly string[]): ActionText | null {
  const opened = inBrackets(head, from, tools) ?? bracedInput(head, from, tools);
  const parenthesis = head.indexOf('(');
  return opened ?? (parenthesis > 0 ? readCallSyntax(head, parenthesis, from, tools) : null);
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
  return tools.includes(name) ? { kind: 'call', tool: name, argumentsAt: from + bracket, inputAt: -1 } : null;
}

function readCallSyntax(head: string, parenthesis: number, from: number, tools: readonly string[]): ActionText {
  const name = unwrapped(head.slice(0, parenthesis).trim());
  const tool = tools.includes(name) ? name : (beginningTool(name, tools) ?? name);
  return { kind: 'call', tool, argumentsAt: from + parenthesis, inputAt: -1 };
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

/** The longest tool whose name the text begins with, where a remark follows: `search - for the price`. */
function beginningTool(text: string, tools: readonly string[]): string | null {
  let best: string | null = null;
  for (const tool of tools)
    if (text.startsWith(tool) && endsName(text, tool.length) && tool.length > (best?.length ?? 0)) best = tool;
  return best;
}

function endsName(text: string, at: number): boolean {
  const next = text.charAt(skipSpaces(text, at));
  return at < text.length && (skipSpaces(text, at) > at || '([{-—,:;`*（，：'.includes(next));
}
