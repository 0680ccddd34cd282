/** Where the input of an action without brackets begins in the dialect `paper`: on its line, or below it. Pure. */
import { isQuotedLine, weakInputAt } from './behind-name.ts';
import { fenceAt } from './fences.ts';
import { beginInput, takeInputText, takeQuoted } from './input-lines.ts';
import { skipSpaces } from './labels.ts';
import { beginStep, type Turn } from './paper-turn.ts';
import { parseJson } from './repair.ts';
import { readAction } from './tool-name.ts';

/** `search {"q": "x"}`, `search for "x"`: false where no input of a tool that exists stands on the line. */
export function takeInline(turn: Turn, line: string, from: number, at: number): boolean {
  const { tools } = turn.options;
  const action = readAction(line, from, tools);
  if (action.kind !== 'call' || action.inputAt < 0 || !tools.includes(action.tool)) return false;
  turn.tool = action.tool;
  turn.isAnswer = false;
  turn.isCall = false;
  turn.remark = action.remark;
  if (action.isQuoted) openQuoted(turn, line, action.inputAt, at);
  else openInput(turn, line, action.inputAt, at);
  return true;
}

/** A line behind a name: a label that counts only here, a quoted text, or a line that is one array. */
export function openUnlabelled(turn: Turn, line: string, at: number): void {
  const weakAt = weakInputAt(line);
  const start = skipSpaces(line, 0);
  if (weakAt >= 0) openInput(turn, line, weakAt, at);
  else if (isQuotedLine(line)) openQuoted(turn, line, start, at);
  else if (line.charAt(start) === '[' && Array.isArray(parseJson(line.trim()))) openInput(turn, line, start, at);
}

/** An object or a fence. */
export function opensValue(line: string): boolean {
  return fenceAt(line) !== null || line.charAt(skipSpaces(line, 0)) === '{';
}

export function openInput(turn: Turn, line: string, from: number, at: number): void {
  if (!turn.isCall) beginStep(turn, 'action');
  turn.phase = 'input';
  turn.input = beginInput(at + from, false, turn.thoughts.fences.isOff());
  takeInputText(turn.input, line, from, at);
}

function openQuoted(turn: Turn, line: string, from: number, at: number): void {
  if (!turn.isCall) beginStep(turn, 'action');
  turn.phase = 'input';
  turn.input = beginInput(at + from, false, true);
  takeQuoted(turn.input, line, at);
}
