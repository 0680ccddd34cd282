/**
 * The scanner of the dialect `labelled`: line by line, in one pass. Pure. A label counts at the start of a line, outside
 * strings of a JSON input and outside fences; where such a string or fence turns out never to close, the lines from the
 * first label in it are read again as labels. That happens at most once for each, so the whole stays linear.
 */
import type { ReadCall, Reading, Stop } from '../core/reading.ts';
import type { ReadOptions, Scanner } from './dialect.ts';
import { fenceAt } from './fences.ts';
import { violation } from './hints.ts';
import { answerSpan } from './labelled-answer.ts';
import { labelledForm } from './labelled-form.ts';
import { beginInput, type InputLines, isSheltered, readLabelledInput, takeInputText } from './labelled-input.ts';
import { createThoughtLines, type ThoughtLines } from './labelled-thought.ts';
import { isBlank, type Label, labelAt, skipSpaces } from './labels.ts';
import { createLineFeed, createMarkBook, type LineFeed, type MarkBook, replayLines } from './scanner.ts';
import { readAction } from './tool-name.ts';

/**
 * `thought`: no action yet. `naming`: behind `Action:` with nothing on its line. `named`: the input label is due.
 * `input`: inside the input. `rest`: the call is whole. `answer`: all that follows is the answer.
 */
type Phase = 'thought' | 'naming' | 'named' | 'input' | 'rest' | 'answer';

interface Turn {
  readonly options: ReadOptions;
  readonly feed: LineFeed;
  readonly marks: MarkBook;
  readonly thoughts: ThoughtLines;
  phase: Phase;
  thought: string | null;
  /** The label of the action, whose style the labels behind an input must share. */
  actionLabel: Label | null;
  tool: string;
  input: InputLines | null;
  call: ReadCall | null;
  /** Behind what was used of the call, in the reply. */
  callEnd: number;
  /** An input without a tool, or an action that names none. */
  toolMissing: boolean;
  unreadable: boolean;
  answerAt: number;
  /** An observation label was met, and nothing behind it yet. */
  observing: boolean;
  /** The stop that carries the call was reported, or the call cannot be read: no later stop matters. */
  settled: boolean;
}

export function createLabelledScanner(options: ReadOptions): Scanner {
  const feed = createLineFeed({
    line: (text, at) => takeLine(turn, text, at),
    peek: (head, at) => peekLine(turn, head, at),
  });
  const turn = createTurn(options, feed);
  return {
    feed(chunk) {
      feed.feed(chunk);
      return turn.marks.take();
    },
    end() {
      feed.end();
      closeShelters(turn);
      const reading = readTurn(turn);
      return { marks: turn.marks.take(), reading };
    },
    kept: () => keptText(turn),
  };
}

function createTurn(options: ReadOptions, feed: LineFeed): Turn {
  return {
    options,
    feed,
    marks: createMarkBook(),
    thoughts: createThoughtLines(),
    phase: 'thought',
    thought: null,
    actionLabel: null,
    tool: '',
    input: null,
    call: null,
    callEnd: 0,
    toolMissing: false,
    unreadable: false,
    answerAt: 0,
    observing: false,
    settled: false,
  };
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
  const line = shift === 0 ? whole : whole.slice(shift);
  noticeObservation(turn, line);
  if (turn.thoughts.takeFence(line, wholeAt + shift)) return;
  const label = labelAt(line);
  if (label === null) turn.thoughts.add(line);
  else takeThoughtLabel(turn, label, line, wholeAt + shift);
}

function takeThoughtLabel(turn: Turn, label: Label, line: string, at: number): void {
  switch (label.kind) {
    case 'thought':
      return turn.thoughts.addLabelled(line.slice(label.contentAt));
    case 'action':
      return takeAction(turn, label, line, at);
    case 'answer':
      return beginAnswer(turn, at + label.contentAt);
    case 'observation':
      turn.thoughts.skip();
      return meetObservation(turn, line, label);
    case 'input':
      turn.toolMissing = true;
      return turn.thoughts.skip();
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
  const action = readAction(line, from, turn.options.tools);
  if (action.kind === 'answer') return beginAnswer(turn, at + line.length);
  if (action.kind === 'none') {
    turn.toolMissing = true;
    turn.phase = 'thought';
    return turn.thoughts.skip();
  }
  turn.phase = 'named';
  turn.tool = action.tool;
  turn.toolMissing = false;
  turn.callEnd = at + line.length;
  turn.thought = turn.thoughts.text();
  report(turn, 'action');
  const inputAt = action.argumentsAt < 0 ? action.inputAt : action.argumentsAt;
  if (inputAt >= 0) openInput(turn, line, inputAt, at, action.argumentsAt >= 0);
}

function takeNamedLine(turn: Turn, line: string, at: number): void {
  if (isBlank(line) && fenceAt(line) === null) return;
  const label = callLabel(turn, line);
  if (label?.kind === 'input') return openInput(turn, line, label.contentAt, at, false);
  if (label !== null) return stopCall(turn, label, line, at);
  if (turn.thoughts.closesWrapper(line)) return finishCall(turn, at);
  if (line.charCodeAt(skipSpaces(line, 0)) === 123 || fenceAt(line) !== null) openInput(turn, line, 0, at, false);
}

function openInput(turn: Turn, line: string, from: number, at: number, isArguments: boolean): void {
  turn.phase = 'input';
  turn.input = beginInput(at + from, isArguments, turn.thoughts.fencesOff());
  takeInputText(turn.input, line, from, at);
}

function takeInputLine(turn: Turn, line: string, at: number): void {
  const input = turn.input;
  if (input === null) return;
  const label = callLabel(turn, line);
  if (label !== null && !isSheltered(input)) {
    const again = label.kind === 'input' && (input.isArguments || !input.begun);
    if (again) return openInput(turn, line, label.contentAt, at, false);
    return stopCall(turn, label, line, at);
  }
  if (!isSheltered(input) && turn.thoughts.closesWrapper(line)) return finishCall(turn, at);
  if (label !== null && input.firstLabelAt < 0) input.firstLabelAt = at;
  takeInputText(input, line, 0, at);
}

/** A label behind an action. Text such as `action: …` in an input is none where the reply writes `Action:`. */
function callLabel(turn: Turn, line: string): Label | null {
  const label = labelAt(line);
  const style = turn.actionLabel;
  if (label === null || style === null || label.kind === 'question') return null;
  return (label.lower && !style.lower) || label.indent > style.indent + 3 ? null : label;
}

/** A call is whole where another label stands behind it; one of an unknown tool without input gives way to an answer. */
function stopCall(turn: Turn, label: Label, line: string, at: number): void {
  const nothingToRun = turn.input === null && !turn.options.tools.includes(turn.tool);
  if (label.kind === 'answer' && nothingToRun) return beginAnswer(turn, at + label.contentAt);
  finishCall(turn, at);
  takeRestLine(turn, line);
}

function finishCall(turn: Turn, end: number): void {
  turn.phase = 'rest';
  const { input } = turn;
  if (input === null) {
    turn.call = { tool: turn.tool, input: null };
    return;
  }
  const read = readLabelledInput(input, turn.feed.text(), end);
  turn.callEnd = read.end;
  turn.unreadable = read.input === undefined;
  turn.settled = turn.unreadable;
  if (read.input === undefined) return;
  turn.call = { tool: turn.tool, input: read.input, ...(read.repaired ? { repaired: true } : {}) };
}

function takeRestLine(turn: Turn, line: string): void {
  if (turn.settled) return;
  noticeObservation(turn, line);
  const label = callLabel(turn, line);
  if (label?.kind === 'observation') meetObservation(turn, line, label);
  else if (label?.kind === 'thought' || label?.kind === 'answer') report(turn, label.kind);
}

function meetObservation(turn: Turn, line: string, label: Label): void {
  if (isBlank(line.slice(label.contentAt))) turn.observing = true;
  else report(turn, 'observation');
}

/** Text behind a bare observation label: the model goes on to make one up. */
function noticeObservation(turn: Turn, line: string): void {
  if (!turn.observing || isBlank(line)) return;
  turn.observing = false;
  report(turn, 'observation');
}

/** An observation that is being made up is reported before its line ends. */
function peekLine(turn: Turn, head: string, at: number): void {
  if (turn.settled || turn.phase === 'answer' || turn.phase === 'naming') return;
  if (turn.phase === 'thought' && turn.thoughts.isSheltered()) return;
  if (turn.input !== null && turn.phase === 'input' && isSheltered(turn.input)) return;
  noticeObservation(turn, head);
  const label = turn.phase === 'thought' ? labelAt(head) : callLabel(turn, head);
  if (label?.kind !== 'observation' || isBlank(head.slice(label.contentAt))) return;
  if (turn.phase === 'named' || turn.phase === 'input') finishCall(turn, at);
  if (!turn.settled) report(turn, 'observation');
}

function report(turn: Turn, stop: Stop): void {
  if (turn.settled) return;
  const thought = turn.phase === 'thought' ? turn.thoughts.text() : turn.thought;
  turn.marks.report(stop, thought, turn.call === null ? [] : [turn.call]);
  turn.settled = turn.call !== null;
}

function beginAnswer(turn: Turn, at: number): void {
  turn.thought = turn.thoughts.text();
  turn.phase = 'answer';
  turn.answerAt = at;
  report(turn, 'answer');
}

/** At the end of the reply: what never closed sheltered nothing. */
function closeShelters(turn: Turn): void {
  const takeAgain = (line: string, at: number): void => takeLine(turn, line, at);
  if (turn.phase === 'thought') {
    const from = turn.thoughts.reopen(turn.feed.text());
    if (from >= 0) replayLines(turn.feed.text(), from, takeAgain);
  }
  const { input } = turn;
  if (turn.phase === 'input' && input !== null && isSheltered(input) && input.firstLabelAt >= 0) {
    finishCall(turn, input.firstLabelAt);
    replayLines(turn.feed.text(), input.firstLabelAt, takeAgain);
  }
  if (turn.phase === 'named' || turn.phase === 'input') finishCall(turn, turn.feed.text().length);
}

function readTurn(turn: Turn): Reading {
  const text = turn.feed.text();
  const { thought } = turn;
  if (turn.call !== null) {
    const dropped = text.slice(turn.callEnd).trim();
    return { kind: 'calls', thought, calls: [turn.call], ...(isBlank(dropped) ? {} : { dropped }) };
  }
  if (turn.phase === 'answer') {
    const span = answerSpan(text, turn.answerAt, turn.thoughts.isWrapped());
    const answer = text.slice(span.from, span.to).trim();
    const dropped = text.slice(span.to).trim();
    if (!isBlank(answer)) return { kind: 'answer', thought, answer, ...(isBlank(dropped) ? {} : { dropped }) };
  }
  return readViolation(turn, text);
}

function readViolation(turn: Turn, text: string): Reading {
  const thought = turn.phase === 'thought' || turn.phase === 'naming' ? turn.thoughts.text() : turn.thought;
  const { tools, language } = turn.options;
  const fault = { thought, tools, language, form: labelledForm };
  if (turn.unreadable)
    return violation('unreadable_input', { ...fault, seen: unreadInput(turn, text), tool: turn.tool });
  if (turn.toolMissing || turn.phase === 'naming') return violation('no_tool', fault);
  if (isBlank(text) || (thought === null && turn.phase === 'answer')) return violation('empty', fault);
  const onlyThought = turn.phase === 'answer' || turn.thoughts.isLabelled();
  return violation(onlyThought ? 'thought_only' : 'no_step', { ...fault, seen: text.trim() });
}

function unreadInput(turn: Turn, text: string): string {
  return text.slice(turn.input?.at ?? 0, turn.callEnd).trim();
}

function keptText(turn: Turn): string {
  const text = turn.feed.text();
  const from = turn.thoughts.keptFrom();
  if (turn.call !== null || turn.unreadable) return text.slice(from, turn.callEnd).trim();
  const to = turn.phase === 'answer' ? answerSpan(text, turn.answerAt, turn.thoughts.isWrapped()).to : text.length;
  return text.slice(from, to).trim();
}
