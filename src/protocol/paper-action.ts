/** Reads the text of an action: `Search[x]`, `search(x)`, `submit`, a command line, or words for "no tool". Pure. */
import { isSpace, skipSpaces } from './labels.ts';
import { isOpener } from './paper-bracket.ts';
import { isNone } from './tool-name.ts';

export type PaperAction =
  /** `openAt`: where the opening bracket stands on the line. `isKnown`: the tool exists. */
  | { readonly kind: 'call'; readonly tool: string; readonly openAt: number; readonly isKnown: boolean }
  | { readonly kind: 'answer'; readonly openAt: number }
  /** A name and nothing else. */
  | { readonly kind: 'name'; readonly tool: string; readonly isKnown: boolean }
  | { readonly kind: 'bare_answer' }
  | { readonly kind: 'none' };

/** A line that goes on longer than this before any bracket names no tool. */
const longestName = 160;

const answerNames = ['finish', 'final answer', 'final_answer', 'finalanswer', 'answer', '完成', '结束', '最终答案'];

/** `line` from `from` on is what the model wrote; `tools` are the names that exist. */
export function readPaperAction(line: string, from: number, tools: readonly string[]): PaperAction {
  const start = nameAt(line, from);
  const head = line.slice(start, start + 2 * longestName);
  const known = beginningName(head, tools);
  const openAt = known === null ? firstOpener(head) : skipWrapping(head, known.length);
  const written = withoutWrapping(openAt < 0 ? head : head.slice(0, openAt));
  if (isAnswer(written, tools))
    return openAt < 0 ? { kind: 'bare_answer' } : { kind: 'answer', openAt: start + openAt };
  if (known !== null && openAt < head.length)
    return { kind: 'call', tool: known, openAt: start + openAt, isKnown: true };
  if (known !== null) return { kind: 'name', tool: known, isKnown: true };
  if (isNone(written) || written.length > longestName) return { kind: 'none' };
  return unknownAction(written, openAt < 0 ? -1 : start + openAt, tools);
}

/** Where the name of an action begins: behind spaces, backticks, stars and quotes. */
export function nameAt(line: string, from: number): number {
  return skipWrapping(line, from);
}

/** `> go to shelf 1`: the verb is a tool that exists, in any case of its letters; the rest is the input. */
export interface Command {
  readonly tool: string;
  readonly input: string | null;
}

/** Null where the line, from a position behind its `>`, begins with no tool that exists. */
export function readCommand(line: string, from: number, tools: readonly string[]): Command | null {
  const start = skipSpaces(line, from);
  let tool: string | null = null;
  for (const name of tools) if (name.length > (tool?.length ?? 0) && beginsWithVerb(line, start, name)) tool = name;
  if (tool === null) return null;
  const behind = start + tool.length;
  const rest = line.slice(line.charAt(behind) === ':' ? behind + 1 : behind).trim();
  return { tool, input: rest === '' ? null : rest };
}

/** Where the text of `> think: …` begins, or -1: such a line is a thought unless there is a tool of that name. */
export function spokenThoughtAt(line: string, from: number): number {
  const start = skipSpaces(line, from);
  return line.slice(start, start + 6).toLowerCase() === 'think:' ? start + 6 : -1;
}

function beginsWithVerb(line: string, start: number, name: string): boolean {
  const behind = start + name.length;
  if (line.slice(start, behind).toLowerCase() !== name.toLowerCase()) return false;
  const next = line.charAt(behind);
  return behind >= line.length || next === ':' || isOpener(next) || isSpace(line.charCodeAt(behind));
}

function unknownAction(written: string, openAt: number, tools: readonly string[]): PaperAction {
  const last = written.slice(lastWordAt(written));
  const isKnown = openAt >= 0 && tools.includes(last);
  const tool = isKnown ? last : written;
  if (tool === '' || !isOneWord(tool)) return { kind: 'none' };
  return openAt < 0 ? { kind: 'name', tool, isKnown } : { kind: 'call', tool, openAt, isKnown };
}

function isAnswer(name: string, tools: readonly string[]): boolean {
  const word = name.slice(0, 24).toLowerCase();
  return word === 'finish' || (!tools.includes(name) && answerNames.includes(word));
}

/** The longest tool with which the text begins and behind which a bracket opens, or the text ends. */
function beginningName(head: string, tools: readonly string[]): string | null {
  let best: string | null = null;
  for (const tool of tools) {
    if (tool.length <= (best?.length ?? 0) || !head.startsWith(tool)) continue;
    const behind = skipWrapping(head, tool.length);
    if (isOpener(head.charAt(behind)) || withoutWrapping(head.slice(tool.length)) === '') best = tool;
  }
  return best;
}

function firstOpener(head: string): number {
  for (let at = 0; at < head.length; at++) if (isOpener(head.charAt(at))) return at;
  return -1;
}

function lastWordAt(text: string): number {
  let at = text.length;
  while (at > 0 && !isSpace(text.charCodeAt(at - 1))) at--;
  return at;
}

/** A name that no tool has is taken for one only where it is a word: no spaces, brackets or quotes, and some letter. */
function isOneWord(name: string): boolean {
  return /^[^\s[\](){}<>'"`,;=*$|\\]+$/.test(name) && /[\p{L}\p{N}]/u.test(name);
}

function skipWrapping(text: string, from: number): number {
  let at = from;
  while (at < text.length && (isSpace(text.charCodeAt(at)) || '`*"\'“「'.includes(text.charAt(at)))) at++;
  return at;
}

function withoutWrapping(text: string): string {
  let end = text.length;
  while (end > 0 && (isSpace(text.charCodeAt(end - 1)) || '`*"\'”」.,:;。：'.includes(text.charAt(end - 1)))) end--;
  return text.slice(0, end);
}
