/** Where the input of an action begins in the dialect `labelled`: on its line, or below it without a label. Pure. */
import { isQuotedLine, weakInputAt } from './behind-name.ts';
import { fenceAt } from './fences.ts';
import { beginInput, type InputLines, readInputLines, takeInputText, takeQuoted } from './input-lines.ts';
import { valueOpens } from './input-text.ts';
import type { Turn } from './labelled-turn.ts';
import { skipSpaces } from './labels.ts';
import { parseJson } from './repair.ts';
import type { ActionCall } from './tool-name.ts';

/** The input stands on the line of the action, or nowhere yet. */
export function openInline(
  turn: Turn,
  { argumentsAt, inputAt, isQuoted, remark }: ActionCall,
  line: string,
  at: number,
): void {
  if (isQuoted) return openQuoted(turn, line, inputAt, at);
  const from = argumentsAt < 0 ? inputAt : argumentsAt;
  if (from >= 0) openInput(turn, line, from, at, argumentsAt >= 0);
  if (turn.input !== null) turn.input.weak = remark !== '' && argumentsAt < 0;
}

function openQuoted(turn: Turn, line: string, from: number, at: number): void {
  turn.phase = 'input';
  turn.input = beginInput(at + from, false, true);
  takeQuoted(turn.input, line, at);
}

/** `Action: {"action": "search", …}`, also in a fence: false where neither begins at the position. */
export function openStep(turn: Turn, line: string, from: number, at: number): boolean {
  if (fenceAt(line, from) === null && !valueOpens(line, skipSpaces(line, from))) return false;
  turn.thought = turn.thoughts.text();
  turn.tool = '';
  turn.isStep = true;
  openInput(turn, line, from, at, false);
  return true;
}

/** A line behind a name: a label that counts only here, or a value that is plainly the input. */
export function openUnlabelled(turn: Turn, line: string, at: number): void {
  const weakAt = weakInputAt(line);
  if (weakAt >= 0) return openInput(turn, line, weakAt, at, false);
  if (isQuotedLine(line)) return openQuoted(turn, line, skipSpaces(line, 0), at);
  if (opensValue(line)) openInput(turn, line, 0, at, false);
}

/** An object, a fence, or a line that is one array. */
function opensValue(line: string): boolean {
  const code = line.charCodeAt(skipSpaces(line, 0));
  if (code === 123 || fenceAt(line) !== null) return true;
  return code === 91 && Array.isArray(parseJson(line.trim()));
}

export function openInput(turn: Turn, line: string, from: number, at: number, isArguments: boolean): void {
  turn.phase = 'input';
  turn.input = beginInput(at + from, isArguments, turn.thoughts.fences.isOff());
  takeInputText(turn.input, line, from, at);
}

/** What stands behind the name is no input: a remark in brackets, or in parentheses nothing, or what cannot be read. */
export function isRemark(turn: Turn, input: InputLines, end: number): boolean {
  if (input.weak) return true;
  if (!input.isArguments) return false;
  const text = turn.feed.text();
  if (text.charAt(input.at) === '[') return true;
  const read = readInputLines(input, text, end);
  return read.plain === true || (read.input ?? null) === null;
}
