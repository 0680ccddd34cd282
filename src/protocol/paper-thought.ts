/** The lines of a reply in the dialect `paper` before its step, and the lines among them that are a step unlabelled. Pure. */
import { fenceAt } from './fences.ts';
import { isBlank, labelAt, skipSpaces } from './labels.ts';
import { nameAt, readCommand, readPaperAction, spokenThoughtAt } from './paper-action.ts';
import { beginBracket, takeBracketText } from './paper-bracket.ts';
import type { Turn } from './paper-turn.ts';

/** What a line without a label is. */
export type Unlabelled =
  /** A call in brackets, to be read from a position as if a label stood there. */
  | { readonly kind: 'action'; readonly from: number }
  | { readonly kind: 'command'; readonly tool: string; readonly input: string | null }
  /** `> think: …` where no tool is called `think`. */
  | { readonly kind: 'thought'; readonly from: number }
  | { readonly kind: 'text' };

export const plainText: Unlabelled = Object.freeze({ kind: 'text' });

/** The prompt may have ended in `Action:`, or in `>`, as in some environments. */
export function readUnlabelled(turn: Turn, line: string): Unlabelled {
  const { tools } = turn.options;
  const start = skipSpaces(line, 0);
  if (start === line.length) return plainText;
  const isCommand = line.charAt(start) === '>';
  const from = isCommand ? start + 1 : start;
  const wasUntouched = turn.untouched;
  if (beginsWithCall(line, from, tools, wasUntouched || isCommand)) return { kind: 'action', from };
  if (!isCommand) return plainText;
  const command = readCommand(line, from, tools);
  if (command !== null) return { kind: 'command', ...command };
  const spokenAt = spokenThoughtAt(line, from);
  return spokenAt < 0 ? plainText : { kind: 'thought', from: spokenAt };
}

/**
 * The bracket must close at the end of the line, unless the reply begins with a tool that exists. In the middle of a
 * reply, only a tool that exists is one; and an unknown name needs square brackets.
 */
function beginsWithCall(line: string, from: number, tools: readonly string[], leads: boolean): boolean {
  if (line.startsWith('```', skipSpaces(line, from))) return false;
  const action = readPaperAction(line, from, tools);
  if (action.kind !== 'call' && action.kind !== 'answer') return false;
  if (action.kind === 'call' && !line.startsWith(action.tool, nameAt(line, from))) return false;
  const isKnown = action.kind === 'answer' || action.isKnown;
  if (isKnown && leads) return true;
  if (!isKnown && (!leads || line.charAt(action.openAt) !== '[')) return false;
  const bracket = beginBracket(line.charAt(action.openAt), 0);
  return takeBracketText(bracket, line, action.openAt + 1, 0) >= 0;
}

/** `ActionPath 2: …`, a numbered label that this dialect does not know. */
function isOwnLabel(line: string): boolean {
  return /^\s{0,8}[A-Za-z]{1,24} {0,2}\d{1,4} ?[:：]/.test(line.slice(0, 48));
}

/** A line of prose. At the start of the reply it may belong to a label of the model's own. */
export function addProse(turn: Turn, line: string, at: number): void {
  if (turn.preface === null && turn.untouched && isOwnLabel(line)) turn.preface = [];
  if (turn.preface === null) turn.thoughts.add(line);
  else turn.preface.push({ text: line, at });
  if (!isBlank(line)) turn.untouched = false;
}

/** What stood behind a label of the model's own is set aside where a thought label follows, and else is the thought. */
export function settlePreface(turn: Turn, isThought: boolean): void {
  const { preface } = turn;
  if (preface === null) return;
  turn.preface = null;
  for (const line of preface)
    if (isThought) turn.thoughts.skip(line.text, line.at, null);
    else turn.thoughts.add(line.text);
}

/** True where the line is a fence or stands inside one, and so was taken. */
export function takeFence(turn: Turn, line: string, at: number): boolean {
  if (turn.preface !== null && fenceAt(line) !== null) settlePreface(turn, false);
  const isTaken = turn.thoughts.takeFence(line, at);
  if (isTaken || labelAt(line) !== null) turn.untouched = false;
  return isTaken;
}
