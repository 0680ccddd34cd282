/** What is known of a reply in the dialect `paper` while it is read, and how a step ends and a stop is reported. Pure. */
import { isJsonObject, type JsonValue } from '../core/json.ts';
import type { ReadCall, Stop } from '../core/reading.ts';
import type { ReadOptions } from './dialect.ts';
import { type InputLines, readInputLines } from './input-lines.ts';
import { isBlank, type Label, labelAt } from './labels.ts';
import type { Command } from './paper-action.ts';
import { type Bracket, type BracketRead, closedText, labelIn, openText, readInside } from './paper-bracket.ts';
import { createMarkBook, type LineFeed, type MarkBook } from './scanner.ts';
import { createThoughtLines, type ThoughtLines } from './thought-lines.ts';

/**
 * `thought`: no action yet. `naming`: behind `Action:` with nothing on its line. `bracket`: inside the brackets. `named`:
 * a name without brackets, behind which an input may stand. `input`: inside that. `rest`: the step is whole. `answer`:
 * all that follows is the answer.
 */
export type Phase = 'thought' | 'naming' | 'bracket' | 'named' | 'input' | 'rest' | 'answer';

export interface PrefaceLine {
  readonly text: string;
  readonly at: number;
}

export interface Turn {
  readonly options: ReadOptions;
  readonly feed: LineFeed;
  readonly marks: MarkBook;
  readonly thoughts: ThoughtLines;
  phase: Phase;
  /** Nothing but thinking was met. */
  untouched: boolean;
  /** A fence was read wrongly and its lines are read again: only labels count in them. */
  reopened: boolean;
  /** Lines behind a numbered label of the model's own at the start of the reply: a thought only if none is labelled. */
  preface: PrefaceLine[] | null;
  thought: string | null;
  /** Labels in another style than that of the action are text; null where the action has none. */
  actionLabel: Label | null;
  tool: string;
  /** The tool exists, or its name stood before brackets. */
  isCall: boolean;
  /** The step is `Finish`. */
  isAnswer: boolean;
  bracket: Bracket | null;
  input: InputLines | null;
  /** What stood between the name and the input, and is neither. */
  remark: string;
  call: ReadCall | null;
  answer: string | null;
  /** Behind the step, in the reply. */
  end: number;
  /** An action that names no tool. */
  toolMissing: boolean;
  unreadable: boolean;
  answerAt: number;
  /** An observation label was met, and nothing behind it yet. */
  observing: boolean;
  /** The stop that carries the call was reported, or nothing can be called: no later stop matters. */
  settled: boolean;
}

export function createTurn(options: ReadOptions, feed: LineFeed): Turn {
  return {
    options,
    feed,
    marks: createMarkBook(),
    thoughts: createThoughtLines(false),
    phase: 'thought',
    untouched: true,
    reopened: false,
    preface: null,
    thought: null,
    actionLabel: null,
    tool: '',
    isCall: false,
    isAnswer: false,
    bracket: null,
    input: null,
    remark: '',
    call: null,
    answer: null,
    end: 0,
    toolMissing: false,
    unreadable: false,
    answerAt: 0,
    observing: false,
    settled: false,
  };
}

/** A label behind an action. Text such as `action: …` in an input is none where the reply writes `Action:`. */
export function stepLabel(turn: Turn, line: string): Label | null {
  const label = labelAt(line);
  if (label === null || label.kind === 'question') return null;
  const style = turn.actionLabel;
  const isForeign = label.lower && style?.lower !== true;
  return isForeign || label.indent > (style?.indent ?? 0) + 3 ? null : label;
}

/** The step begins here: the thought is known. */
export function beginStep(turn: Turn, stop: Stop): void {
  turn.toolMissing = false;
  turn.thought = turn.thoughts.text();
  report(turn, stop);
}

/** The closing bracket stands at a position of the reply. */
export function closeBracket(turn: Turn, bracket: Bracket, at: number): void {
  endBracket(turn, bracket, closedText(bracket, turn.feed.text(), at));
}

/** A bracket that is not closed ends at a position of the reply: at a label, or where the reply ends. */
export function breakBracket(turn: Turn, bracket: Bracket, at: number): void {
  const label = labelIn(bracket);
  endBracket(turn, bracket, openText(bracket, turn.feed.text(), label < 0 ? at : label));
}

function endBracket(turn: Turn, bracket: Bracket, inside: BracketRead): void {
  const { input, repaired } = readInside(bracket, inside);
  turn.end = inside.end;
  if (turn.isAnswer) return finishAnswer(turn, answerText(input ?? null, inside.text, bracket.open !== '['));
  finishCall(turn, input, repaired);
}

/** A name without brackets is a call where the tool exists or an input was written; `Finish` alone answers nothing. */
export function finishNamed(turn: Turn, end: number): void {
  if (turn.input !== null) {
    const read = readInputLines(turn.input, turn.feed.text(), end);
    turn.end = read.end;
    return finishCall(turn, read.input, read.repaired);
  }
  if (turn.isCall) return finishCall(turn, null, false);
  turn.thought = turn.thoughts.text();
  if (turn.isAnswer) return finishAnswer(turn, '');
  turn.phase = 'thought';
  turn.toolMissing = true;
}

/** A command line is whole with its line. */
export function takeCommand(turn: Turn, { tool, input }: Command, end: number): void {
  turn.tool = tool;
  turn.end = end;
  turn.isAnswer = false;
  beginStep(turn, 'action');
  finishCall(turn, input, false);
}

function finishCall(turn: Turn, input: JsonValue | null | undefined, repaired: boolean): void {
  turn.phase = 'rest';
  turn.unreadable = input === undefined;
  turn.settled = turn.unreadable;
  if (input !== undefined) turn.call = { tool: turn.tool, input, ...(repaired ? { repaired: true } : {}) };
}

function finishAnswer(turn: Turn, answer: string): void {
  turn.phase = 'rest';
  turn.settled = true;
  if (!isBlank(answer)) turn.answer = answer;
}

/** The inside as it is written; in call syntax, such as `finish(answer="…")`, the only text among the arguments. */
function answerText(input: JsonValue, written: string, isArguments: boolean): string {
  if (!isArguments) return written;
  if (typeof input === 'string') return input.trim();
  const [only, ...others] = isJsonObject(input) ? Object.values(input) : [];
  return typeof only === 'string' && others.length === 0 ? only.trim() : written;
}

/** Tells of a stop, once a reply for each kind; the first behind the call carries it. */
export function report(turn: Turn, stop: Stop): void {
  if (turn.settled || turn.marks.reported(stop)) return;
  turn.marks.report(stop, turn.thought, turn.call === null ? [] : [turn.call]);
  turn.settled = turn.call !== null;
}
