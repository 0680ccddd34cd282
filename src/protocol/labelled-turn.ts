/** What is known of a reply in the dialect `labelled` while it is read, and how a call ends and a stop is reported. Pure. */
import { isJsonObject } from '../core/json.ts';
import type { ReadCall, Stop } from '../core/reading.ts';
import type { ReadOptions } from './dialect.ts';
import type { Form } from './form.ts';
import { type InputLines, readInputLines } from './input-lines.ts';
import type { InputRead } from './input-text.ts';
import { stepOf } from './json-step.ts';
import { isBlank, type Label, labelAt, sharesStyle, skipSpaces } from './labels.ts';
import { blockCloser } from './observation-block.ts';
import { createMarkBook, type LineFeed, type MarkBook } from './scanner.ts';
import { createThoughtLines, type ThoughtLines } from './thought-lines.ts';

/**
 * `thought`: no action yet. `naming`: behind `Action:` with nothing on its line. `named`: the input label is due.
 * `input`: inside the input. `rest`: the call is whole. `answer`: all that follows is the answer.
 */
export type Phase = 'thought' | 'naming' | 'named' | 'input' | 'rest' | 'answer';

/** What a dialect with these labels says of itself. */
export interface LabelledOptions extends ReadOptions {
  /** For hints, and how tools are named in them. */
  readonly form: Form;
  readonly shown: readonly string[];
  /** Whether a line of dashes behind an action begins an observation. */
  readonly ruled: boolean;
}

export interface Turn {
  readonly options: LabelledOptions;
  readonly feed: LineFeed;
  readonly marks: MarkBook;
  readonly thoughts: ThoughtLines;
  phase: Phase;
  thought: string | null;
  /** The label of the action, whose style the labels behind an input must share. */
  actionLabel: Label | null;
  tool: string;
  input: InputLines | null;
  /** What stood between the name and the input, and is neither. */
  remarks: string[];
  /** Behind `Action:` stands an object that is the whole step. */
  isStep: boolean;
  /** The answer that such an object holds. */
  answer: string | null;
  call: ReadCall | null;
  /** Behind what was used of the call, in the reply. */
  callEnd: number;
  /** An input without a tool, or an action that names none. */
  toolMissing: boolean;
  unreadable: boolean;
  answerAt: number;
  /** The answer stands in brackets, behind the position where it begins. */
  answerBracketed: boolean;
  /** Behind the first `AI:` before a step, and how many lines of the thought stand before it; -1 where there is none. */
  speakerAt: number;
  speakerLines: number;
  /** A line of dashes was met before the step: what another dialect writes round observations. */
  ruleMet: boolean;
  /** An observation label was met, and nothing behind it yet. */
  observing: boolean;
  /** The stop that carries the call was reported, or the call cannot be read: no later stop matters. */
  settled: boolean;
}

export function createTurn(options: LabelledOptions, feed: LineFeed): Turn {
  return {
    options,
    feed,
    marks: createMarkBook(),
    thoughts: createThoughtLines(options.ruled),
    phase: 'thought',
    thought: null,
    actionLabel: null,
    tool: '',
    input: null,
    remarks: [],
    isStep: false,
    answer: null,
    call: null,
    callEnd: 0,
    toolMissing: false,
    unreadable: false,
    answerAt: 0,
    answerBracketed: false,
    speakerAt: -1,
    speakerLines: 0,
    ruleMet: false,
    observing: false,
    settled: false,
  };
}

/** A label behind an action. Text such as `action: …` in an input is none where the reply writes `Action:`. */
export function callLabel(turn: Turn, line: string): Label | null {
  if (blockCloser(line, turn.options.ruled) !== null) return { ...blockLabel, contentAt: line.length };
  const label = labelAt(line);
  const style = turn.actionLabel;
  if (label === null || style === null || label.kind === 'question') return null;
  return sharesStyle(label, style) ? label : null;
}

const blockLabel: Label = Object.freeze({ kind: 'observation', contentAt: 0, indent: 0, lower: false });

/** The call is whole; its input ends at a position of the reply. */
export function finishCall(turn: Turn, end: number): void {
  turn.phase = 'rest';
  const { input } = turn;
  if (input === null) {
    turn.call = { tool: turn.tool, input: null };
    return;
  }
  const read = readInputLines(input, turn.feed.text(), end);
  turn.callEnd = read.end;
  turn.unreadable = read.input === undefined;
  turn.settled = turn.unreadable;
  if (read.input === undefined) return;
  if (turn.isStep) return finishStep(turn, input.at, read);
  turn.call = { tool: turn.tool, input: read.input, ...(read.repaired ? { repaired: true } : {}) };
}

/** The object names the tool and its input, or holds the answer; where it is no step, the search for one goes on. */
function finishStep(turn: Turn, at: number, read: InputRead): void {
  turn.isStep = false;
  const step = isJsonObject(read.input) ? stepOf(read.input, turn.options.tools) : null;
  if (step === null || (step.kind === 'no_tool' && step.because !== 'unreadable')) {
    turn.input = null;
    turn.toolMissing = true;
    turn.phase = 'thought';
    return turn.thoughts.skip(turn.feed.text().slice(at, read.end), at, null);
  }
  turn.callEnd = behindFence(turn.feed.text(), at, read.end);
  turn.toolMissing = false;
  turn.thought ??= step.thought;
  if (step.kind === 'no_tool' || (read.repaired && !step.isWhole)) {
    turn.unreadable = true;
    turn.settled = true;
  } else if (step.kind === 'answer') {
    report(turn, 'answer');
    turn.answer = step.answer;
    turn.settled = true;
  } else {
    turn.tool = step.tool;
    report(turn, 'action');
    turn.call = { tool: step.tool, input: step.input, ...(read.repaired ? { repaired: true } : {}) };
  }
}

/** A bare fence above the object was taken for a blank line: the one that closes it belongs to the step too. */
function behindFence(reply: string, at: number, end: number): number {
  const close = skipSpaces(reply, end);
  const isFenced =
    reply.startsWith('```', close) &&
    reply
      .slice(Math.max(0, at - 8), at)
      .trimEnd()
      .endsWith('```');
  return isFenced ? close + 3 : end;
}

/** Tells of a stop, once a reply for each kind; the first behind the call carries it. */
export function report(turn: Turn, stop: Stop): void {
  if (turn.settled || turn.marks.reported(stop)) return;
  turn.marks.report(stop, turn.thought, turn.call === null ? [] : [turn.call]);
  turn.settled = turn.call !== null;
}

/** An observation counts as made up once text follows its label. */
export function meetObservation(turn: Turn, line: string, label: Label): void {
  if (isBlank(line.slice(label.contentAt))) turn.observing = true;
  else report(turn, 'observation');
}

/** Text behind a bare observation label: the model goes on to make one up. */
export function noticeObservation(turn: Turn, line: string): void {
  if (!turn.observing || isBlank(line)) return;
  turn.observing = false;
  report(turn, 'observation');
}
