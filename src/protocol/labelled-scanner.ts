/**
 * The scanner of the dialect `labelled`: line by line, in one pass. Pure. A label counts at the start of a line, outside
 * strings of a JSON input and outside fences; where such a string or fence turns out never to close, the lines from the
 * first label in it are read again as labels. That happens at most once for each, so the whole stays linear.
 */

import type { Scanner } from './dialect.ts';
import { fenceAt } from './fences.ts';
import { isSheltered, takeInputText } from './input-lines.ts';
import { isRemark, openInline, openInput, openStep, openUnlabelled } from './labelled-input.ts';
import { keptText, readTurn } from './labelled-reading.ts';
import {
  callLabel,
  createTurn,
  finishCall,
  type LabelledOptions,
  meetObservation,
  noticeObservation,
  report,
  type Turn,
} from './labelled-turn.ts';
import { isBlank, isRule, type Label, labelAt } from './labels.ts';
import { createLineScanner } from './line-scanner.ts';
import { replayLines } from './scanner.ts';
import { behindSpeaker } from './speaker.ts';
import { readAction } from './tool-name.ts';

export function createLabelledScanner(options: LabelledOptions): Scanner {
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
  if (shift > 0) turn.speakerAt = -1;
  const line = shift === 0 ? whole : whole.slice(shift);
  if (turn.thoughts.takeFence(line, wholeAt + shift)) return;
  const label = turn.thoughts.label(line);
  if (label === null) takeUnlabelled(turn, line, wholeAt + shift);
  else takeThoughtLabel(turn, label, line, wholeAt + shift);
}

function takeUnlabelled(turn: Turn, line: string, at: number): void {
  turn.ruleMet ||= isRule(line);
  const isText = turn.ruleMet || turn.speakerAt >= 0 || turn.thoughts.isMadeUp();
  const behind = isText ? -1 : behindSpeaker(line);
  if (behind >= 0) {
    turn.thoughts.endSkip(at);
    turn.speakerAt = at + behind;
    turn.speakerLines = turn.thoughts.count();
  }
  turn.thoughts.add(line);
}

function takeThoughtLabel(turn: Turn, label: Label, line: string, at: number): void {
  turn.thoughts.endSkip(at);
  switch (label.kind) {
    case 'thought':
      return turn.thoughts.addLabelled(line.slice(label.contentAt));
    case 'action':
      return takeAction(turn, label, line, at);
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

function takeAction(turn: Turn, label: Label, line: string, at: number): void {
  turn.actionLabel = label;
  if (isBlank(line.slice(label.contentAt))) turn.phase = 'naming';
  else takeName(turn, line, label.contentAt, at);
}

/** The name stands on the line below the label. */
function takeNameLine(turn: Turn, line: string, at: number): void {
  if (isBlank(line)) return;
  if (labelAt(line) === null) return takeName(turn, line, 0, at);
  turn.toolMissing = true;
  turn.phase = 'thought';
  takeThoughtLine(turn, line, at);
}

function takeName(turn: Turn, line: string, from: number, at: number): void {
  if (openStep(turn, line, from, at)) return;
  const action = readAction(line, from, turn.options.tools);
  if (action.kind === 'answer') {
    turn.answerBracketed = action.openAt >= 0;
    return beginAnswer(turn, at + (action.openAt < 0 ? line.length : action.openAt + 1));
  }
  if (action.kind === 'none') {
    turn.toolMissing = true;
    turn.phase = 'thought';
    return turn.thoughts.skip(line, at, null);
  }
  turn.phase = 'named';
  turn.tool = action.tool;
  turn.toolMissing = false;
  turn.callEnd = at + line.length;
  turn.thought = turn.thoughts.text();
  report(turn, 'action');
  if (action.remark !== '') turn.remarks.push(action.remark);
  openInline(turn, action, line, at);
}

function takeNamedLine(turn: Turn, line: string, at: number): void {
  if (isBlank(line) && fenceAt(line) === null) return;
  const label = callLabel(turn, line);
  if (label?.kind === 'input') return openInput(turn, line, label.contentAt, at, false);
  if (label !== null) return stopCall(turn, label, line, at);
  if (turn.thoughts.fences.closesWrapper(line)) return finishCall(turn, at);
  openUnlabelled(turn, line, at);
}

function takeInputLine(turn: Turn, line: string, at: number): void {
  const input = turn.input;
  if (input === null) return;
  const label = callLabel(turn, line);
  if (label !== null && !isSheltered(input)) {
    const again = label.kind === 'input' && (!input.begun || isRemark(turn, input, at));
    if (again) {
      if (input.begun) turn.remarks.push(turn.feed.text().slice(input.at, at).trim());
      return openInput(turn, line, label.contentAt, at, false);
    }
    return stopCall(turn, label, line, at);
  }
  if (!isSheltered(input) && turn.thoughts.fences.closesWrapper(line)) return finishCall(turn, at);
  if (label !== null && input.firstLabelAt < 0) input.firstLabelAt = at;
  takeInputText(input, line, 0, at);
}

/** A call is whole where another label stands behind it; one of an unknown tool without input gives way to an answer. */
function stopCall(turn: Turn, label: Label, line: string, at: number): void {
  const nothingToRun = turn.input === null && !turn.options.tools.includes(turn.tool);
  if (label.kind === 'answer' && nothingToRun) return beginAnswer(turn, at + label.contentAt);
  finishCall(turn, at);
  if (turn.phase === 'thought') takeThoughtLine(turn, line, at);
  else takeRestLine(turn, line);
}

function takeRestLine(turn: Turn, line: string): void {
  if (turn.settled) return;
  noticeObservation(turn, line);
  const label = callLabel(turn, line);
  if (label?.kind === 'observation') meetObservation(turn, line, label);
  else if (label?.kind === 'thought' || label?.kind === 'answer') report(turn, label.kind);
}

/** Behind an action, an observation that is being made up is reported before its line ends. */
function peekLine(turn: Turn, head: string, at: number): void {
  if (turn.settled || turn.phase === 'answer' || turn.phase === 'naming') return;
  if (turn.phase === 'thought' || (turn.phase === 'input' && turn.input !== null && isSheltered(turn.input))) return;
  noticeObservation(turn, head);
  const label = callLabel(turn, head);
  if (label?.kind !== 'observation' || isBlank(head.slice(label.contentAt))) return;
  if (turn.phase !== 'rest') finishCall(turn, at);
  if (!turn.settled && turn.phase === 'rest') report(turn, 'observation');
}

function beginAnswer(turn: Turn, at: number): void {
  turn.thought = turn.thoughts.text();
  turn.phase = 'answer';
  turn.answerAt = at;
  report(turn, 'answer');
}

/** At the end of the reply: what never closed sheltered nothing, and where no step was met, `AI:` begins the answer. */
function closeShelters(turn: Turn): void {
  const takeAgain = (line: string, at: number): void => takeLine(turn, line, at);
  if (turn.phase === 'thought') {
    const from = turn.thoughts.reopen(turn.feed.text());
    if (from >= 0) replayLines(turn.feed.text(), from, takeAgain);
  }
  if (turn.phase === 'thought' && turn.speakerAt >= 0) {
    turn.thoughts.cut(turn.speakerLines);
    beginAnswer(turn, turn.speakerAt);
  }
  const { input } = turn;
  if (turn.phase === 'input' && input !== null && isSheltered(input) && input.firstLabelAt >= 0) {
    finishCall(turn, input.firstLabelAt);
    replayLines(turn.feed.text(), input.firstLabelAt, takeAgain);
  }
  if (turn.phase === 'named' || turn.phase === 'input') finishCall(turn, turn.feed.text().length);
}
