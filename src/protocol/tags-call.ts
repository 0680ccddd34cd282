/** Reads the inside of a call's tag: JSON, call syntax, a bare name, or tags of its own. Pure and total. */
import { isJsonObject, type JsonValue } from '../core/json.ts';
import { backticksAt, lastCloser } from './fences.ts';
import { readArguments, readInput } from './input-text.ts';
import { stepOf } from './json-step.ts';
import { isBlank, skipSpaces } from './labels.ts';
import { parseJson, repairJson } from './repair.ts';
import { readElements } from './tags-elements.ts';
import { beginsParameters, readParameters } from './tags-parameters.ts';
import { isNone, readAction } from './tool-name.ts';
import { objectOpens, valueEnd } from './tracker.ts';

interface Read {
  /** Where in the text what was used ends; the rest is not part of the step. */
  readonly end: number;
  readonly repaired: boolean;
}

export type CallText =
  | (Read & {
      readonly kind: 'call';
      readonly tool: string;
      readonly input: JsonValue | null;
      readonly thought?: string;
    })
  | (Read & { readonly kind: 'answer'; readonly answer: string; readonly thought?: string })
  /** A tool's name alone: its input may follow. */
  | { readonly kind: 'name'; readonly tool: string }
  /** `saysNone`: nothing is called, and what follows may be the answer. */
  | { readonly kind: 'no_tool'; readonly saysNone: boolean }
  | { readonly kind: 'unreadable'; readonly tool?: string };

/** `named`: the tool that the tag itself names, as in `<tool_call name="search">`. */
export function readCallText(text: string, named: string | null, tools: readonly string[]): CallText {
  const read = readInside(text, named, tools);
  const isNamed = read.kind === 'call' || read.kind === 'name' || read.kind === 'unreadable';
  return isNamed && read.tool !== undefined && !mayBeName(read.tool, tools)
    ? { kind: 'no_tool', saysNone: false }
    : read;
}

function readInside(text: string, named: string | null, tools: readonly string[]): CallText {
  const { from, to } = insideFence(text);
  const at = skipSpaces(text, from);
  if (named !== null) return withTool(named, text, at, to);
  if (at >= to) return { kind: 'no_tool', saysNone: true };
  if (text.charCodeAt(at) === 123) return readObject(text, at, to, tools);
  if (text.charCodeAt(at) === 91 && objectOpens(text, skipSpaces(text, at + 1)))
    return readObject(text, skipSpaces(text, at + 1), to, tools);
  const isParameters = beginsParameters(text.slice(at, at + 120));
  if (isParameters) return readParameters(text.slice(at, to).trimEnd(), to) ?? { kind: 'unreadable' };
  if (text.charCodeAt(at) === 60) return readElements(text.slice(at, to), to) ?? { kind: 'unreadable' };
  return readName(text, at, to, tools);
}

/** The tool that a tag names: `name="search"`, `tool='search'`. A tag is short. */
export function toolAttribute(tag: string): string | null {
  const found = /\s(?:name|tool)\s{0,4}=\s{0,4}(?:"([^"]*)"|'([^']*)')/.exec(tag);
  const name = (found?.[1] ?? found?.[2] ?? '').trim();
  return name === '' ? null : name;
}

/** What stands in a code fence that is round the whole text. */
function insideFence(text: string): { readonly from: number; readonly to: number } {
  const at = skipSpaces(text, 0);
  if (!text.startsWith('```', at)) return { from: 0, to: text.length };
  // Behind the backticks stands at most the name of a language: anything else is part of the text.
  const length = backticksAt(text, at);
  const behind = at + length;
  const from = behind + (/^\w{0,12}\s/.exec(text.slice(behind, behind + 14))?.[0].length ?? 0);
  const close = lastCloser(text, from, text.length, { length, indent: 0 });
  return { from, to: close < from ? text.length : close };
}

function withTool(tool: string, text: string, at: number, to: number): CallText {
  if (at >= to) return { kind: 'name', tool };
  const { input, repaired, end } = readInput(text.slice(at, to));
  if (input === undefined) return { kind: 'unreadable', tool };
  return { kind: 'call', tool, input, repaired, end: at + end };
}

function readObject(text: string, at: number, to: number, tools: readonly string[]): CallText {
  const closed = valueEnd(text, at);
  const isOpen = closed < 0 || closed > to;
  const end = isOpen ? to : closed;
  const part = text.slice(at, end);
  const parsed = parseJson(part);
  const value = parsed ?? repairJson(part.trimEnd());
  if (!isJsonObject(value)) return { kind: 'unreadable' };
  const step = stepOf(value, tools);
  if (step?.kind === 'no_tool' && step.because === 'unreadable') return { kind: 'unreadable' };
  if (step?.kind === 'no_tool') return { kind: 'no_tool', saysNone: step.because === 'none' };
  if (step === null) return { kind: 'no_tool', saysNone: Object.keys(value).length === 0 };
  const read = { end, repaired: parsed === undefined, ...(step.thought === null ? {} : { thought: step.thought }) };
  if (step.kind === 'answer') return { kind: 'answer', answer: step.answer, ...read };
  return { kind: 'call', tool: step.tool, input: step.input, ...read };
}

/** `search`, `search("tide")`, or the name on a line and the input behind it. */
function readName(text: string, at: number, to: number, tools: readonly string[]): CallText {
  const breakAt = text.indexOf('\n', at);
  const lineEnd = breakAt < 0 || breakAt > to ? to : breakAt;
  const brace = text.indexOf('{', at);
  const parenthesis = text.indexOf('(', at);
  const isSplit = brace > at && brace < lineEnd && (parenthesis < 0 || brace < parenthesis);
  const nameEnd = isSplit ? brace : lineEnd;
  const action = readAction(text.slice(at, nameEnd), 0, tools);
  if (action.kind !== 'call') return { kind: 'no_tool', saysNone: isNone(text.slice(at, nameEnd).trim()) };
  const { tool, argumentsAt } = action;
  if (namesNothing(tool, tools)) return { kind: 'no_tool', saysNone: true };
  if (argumentsAt >= 0) return readCallSyntax(tool, text, at + argumentsAt, to);
  const rest = isSplit || !text.startsWith(tool, at) ? '' : text.slice(at + tool.length, nameEnd).trim();
  if (/^["'“]/.test(rest)) return readQuoted(tool, rest, to);
  if (/^[\p{L}\p{N}]/u.test(rest)) return { kind: 'unreadable', tool };
  if (isBlank(text.slice(nameEnd, to))) return { kind: 'name', tool };
  return withTool(tool, text, skipSpaces(text, nameEnd), to);
}

function readCallSyntax(tool: string, text: string, at: number, to: number): CallText {
  const read = readArguments(text.slice(at, to));
  if (read === null) return { kind: 'name', tool };
  if (read.input === undefined) return { kind: 'unreadable', tool };
  return { kind: 'call', tool, input: read.input, repaired: read.repaired, end: at + read.end };
}

/** `search "tide"`: the text in quotes is the input. */
function readQuoted(tool: string, rest: string, end: number): CallText {
  const read = readArguments(`(${rest.replaceAll('“', '"').replaceAll('”', '"')})`);
  if (read?.input === undefined) return { kind: 'unreadable', tool };
  return { kind: 'call', tool, input: read.input, repaired: read.repaired, end };
}

/** False where signs or a line break stand in it that no name holds: what was read is something else. */
function mayBeName(tool: string, tools: readonly string[]): boolean {
  return !/[<{[\n]/.test(tool.slice(0, 400)) || tools.includes(tool);
}

/** True for `none` and its like. */
function namesNothing(tool: string, tools: readonly string[]): boolean {
  return tool === '' || (isNone(tool) && !tools.includes(tool));
}
