/**
 * The scanner of the dialect `paper`: line by line, in one pass. Pure. The first step counts; its brackets are followed to
 * where they close. A label ends a call whose bracket is open, except inside a string of a JSON object or a fence; in an
 * answer a label is text, unless the bracket never closes: then the lines from the first label on are read again, once.
 */

import type { ReadOptions, Scanner } from './dialect.ts';
import { fenceAt } from './fences.ts';
import { isSheltered, takeInputText } from './input-lines.ts';
import { isBlank, type Label, labelAt, skipSpaces } from './labels.ts';
import { createLineScanner } from './line-scanner.ts';
import { type PaperAction, readCommand, readPaperAction } from './paper-action.ts';
import { beginBracket, isShelteredIn, rememberLabel, takeBracketText } from './paper-bracket.ts';
import { openInput, opensValue, openUnlabelled, takeInline } from './paper-inline.ts';
import { keptText, readTurn } from './paper-reading.ts';
import { endOpenStep, endsBracket, openLabelAt, peekLine, takeRestLine } from './paper-rest.ts';
import { addProse, plainText, readUnlabelled, settlePreface, takeFence } from './paper-thought.ts';
import {
  beginStep,
  breakBracket,
  closeBracket,
  createTurn,
  finishNamed,
  stepLabel,
  type Turn,
  takeCommand,
} from './paper-turn.ts';
import { replayLines } from './scanner.ts';

export function createPaperScanner(options: ReadOptions): Scanner {
  return createLineScanner({
    begin: (feed) => createTurn(options, feed),
    line: takeLine,
    peek: peekLine,
    close: closeShelters,
    read: readTurn,
    kept: keptText,
  });
}

function takeLine(turn: Turn, line: string, at: number): void {
  switch (turn.phase) {
    case 'thought':
      return takeThoughtLine(turn, line, at);
    case 'naming':
      return takeNameLine(turn, line, at);
    case 'bracket':
      return takeBracketLine(turn, line, at);
    case 'named':
      return takeNamedLine(turn, line, at);
    case 'input':
      return takeInputLine(turn, line, at);
    case 'rest':
      return takeRestLine(turn, line);
    case 'answer':
      return;
    default: {
      const never: never = turn.phase;
      return never;
    }
  }
}

function takeThoughtLine(turn: Turn, whole: string, wholeAt: number): void {
  const shift = turn.thoughts.setAside(whole, wholeAt);
  if (shift < 0) return;
  if (shift > 0) turn.untouched = true;
  const line = shift === 0 ? whole : whole.slice(shift);
  const at = wholeAt + shift;
  if (takeFence(turn, line, at)) return;
  const label = turn.thoughts.label(line);
  if (label !== null) takeThoughtLabel(turn, label, line, at);
  else takeUnlabelled(turn, line, at);
}

function takeThoughtLabel(turn: Turn, label: Label, line: string, at: number): void {
  settlePreface(turn, label.kind === 'thought');
  turn.thoughts.endSkip(at);
  switch (label.kind) {
    case 'thought':
      return turn.thoughts.addLabelled(line.slice(label.contentAt));
    case 'action':
      turn.actionLabel = label;
      if (isBlank(line.slice(label.contentAt))) turn.phase = 'naming';
      else takeAction(turn, line, label.contentAt, at);
      return;
    case 'answer':
      return beginAnswer(turn, at + label.contentAt);
    case 'observation':
      return turn.thoughts.skip(line, at, label);
    case 'input':
      turn.toolMissing = true;
      return turn.thoughts.skip(line, at, null);
    case 'question':
      return;
    default: {
      const never: never = label.kind;
      return never;
    }
  }
}

function takeUnlabelled(turn: Turn, line: string, at: number): void {
  const isText = turn.reopened || turn.thoughts.isMadeUp();
  const read = isText ? plainText : readUnlabelled(turn, line);
  if (read.kind === 'text') return addProse(turn, line, at);
  settlePreface(turn, false);
  turn.thoughts.endSkip(at);
  turn.untouched = false;
  if (read.kind === 'thought') return turn.thoughts.addLabelled(line.slice(read.from));
  if (read.kind === 'action') return takeAction(turn, line, read.from, at);
  takeCommand(turn, read, at + line.length);
}

/** The call stands on the line below the label. */
function takeNameLine(turn: Turn, line: string, at: number): void {
  if (isBlank(line)) return;
  if (labelAt(line) === null) return takeAction(turn, line, 0, at);
  turn.toolMissing = true;
  turn.phase = 'thought';
  takeThoughtLine(turn, line, at);
}

function takeAction(turn: Turn, line: string, from: number, at: number): void {
  const { tools } = turn.options;
  const start = skipSpaces(line, from);
  const isCommand = line.charAt(start) === '>';
  const action = readPaperAction(line, isCommand ? start + 1 : start, tools);
  const command = isCommand && action.kind === 'none' ? readCommand(line, start + 1, tools) : null;
  if (command !== null) return takeCommand(turn, command, at + line.length);
  if (action.kind === 'none' && takeInline(turn, line, start, at)) return;
  turn.isAnswer = action.kind === 'answer' || action.kind === 'bare_answer';
  turn.tool = action.kind === 'call' || action.kind === 'name' ? action.tool : '';
  turn.end = at + line.length;
  switch (action.kind) {
    case 'none':
      turn.toolMissing = true;
      turn.phase = 'thought';
      return turn.thoughts.skip(line, at, null);
    case 'name':
    case 'bare_answer':
      return takeName(turn, action);
    case 'call':
    case 'answer':
      beginStep(turn, action.kind === 'call' ? 'action' : 'answer');
      turn.phase = 'bracket';
      turn.bracket = beginBracket(line.charAt(action.openAt), at + action.openAt + 1);
      return followBracket(turn, line, action.openAt + 1, at);
    default: {
      const never: never = action;
      return never;
    }
  }
}

function takeName(turn: Turn, action: PaperAction & { readonly kind: 'name' | 'bare_answer' }): void {
  turn.phase = 'named';
  turn.isCall = action.kind === 'name' && action.isKnown;
  if (turn.isCall) beginStep(turn, 'action');
}

function followBracket(turn: Turn, line: string, from: number, at: number): void {
  const { bracket } = turn;
  if (bracket === null) return;
  const closedAt = takeBracketText(bracket, line, from, at);
  if (closedAt >= 0) closeBracket(turn, bracket, closedAt);
}

function takeBracketLine(turn: Turn, line: string, at: number): void {
  const { bracket } = turn;
  if (bracket === null) return;
  const label = stepLabel(turn, line);
  const shelters = isShelteredIn(bracket);
  if (label !== null && !shelters && endsBracket(turn, bracket, label)) {
    breakBracket(turn, bracket, at);
    return takeRestLine(turn, line);
  }
  if (!shelters && turn.thoughts.fences.closesWrapper(line)) return breakBracket(turn, bracket, at);
  if (label !== null) rememberLabel(bracket, at);
  followBracket(turn, line, 0, at);
}

/** Behind a name without brackets: its input may stand behind a label of its own, or in a fence. */
function takeNamedLine(turn: Turn, line: string, at: number): void {
  if (isBlank(line) && fenceAt(line) === null) return;
  const label = stepLabel(turn, line);
  if (label?.kind === 'answer' && !turn.isCall) return beginAnswer(turn, at + label.contentAt);
  if (label?.kind === 'input' && turn.isAnswer) return beginAnswer(turn, at + label.contentAt);
  if (label?.kind === 'input') return openInput(turn, line, label.contentAt, at);
  if (label !== null) return stopNamed(turn, line, at);
  if (turn.thoughts.fences.closesWrapper(line)) return finishNamed(turn, at);
  if (turn.isAnswer) return beginAnswer(turn, at);
  if (opensValue(line)) openInput(turn, line, 0, at);
  else if (turn.isCall) openUnlabelled(turn, line, at);
  else stopNamed(turn, line, at);
}

function takeInputLine(turn: Turn, line: string, at: number): void {
  const { input } = turn;
  if (input === null) return;
  const label = stepLabel(turn, line);
  if (label !== null && !isSheltered(input)) return stopNamed(turn, line, at);
  if (!isSheltered(input) && turn.thoughts.fences.closesWrapper(line)) return finishNamed(turn, at);
  if (label !== null && input.firstLabelAt < 0) input.firstLabelAt = at;
  takeInputText(input, line, 0, at);
}

/** A label stands behind a name, or behind its input, or other text behind a name. Where the name is no call, the search for a step goes on. */
function stopNamed(turn: Turn, line: string, at: number): void {
  finishNamed(turn, at);
  takeLine(turn, line, at);
}

function beginAnswer(turn: Turn, at: number): void {
  beginStep(turn, 'answer');
  turn.phase = 'answer';
  turn.answerAt = at;
}

/** At the end of the reply: what never closed sheltered nothing, and the lines from the first label in it are read again. */
function closeShelters(turn: Turn): void {
  const reply = turn.feed.text();
  const takeAgain = (line: string, at: number): void => takeLine(turn, line, at);
  settlePreface(turn, false);
  if (turn.phase === 'thought') {
    const from = turn.thoughts.reopen(reply);
    turn.reopened = from >= 0;
    if (from >= 0) replayLines(reply, from, takeAgain);
  }
  const labelAt = openLabelAt(turn);
  if (labelAt >= 0) {
    endOpenStep(turn, labelAt);
    replayLines(reply, labelAt, takeAgain);
  }
  endOpenStep(turn, reply.length);
}
