/**
 * The scanner of the dialect `json`: the first JSON object that is a step counts, wherever it stands in the reply. Pure,
 * one pass. A call is acted on only when the reply ended well, or when an invented observation follows the whole object.
 */
import { isJsonObject, type JsonValue } from '../core/json.ts';
import type { ReadCall, Reading, Stop } from '../core/reading.ts';
import type { ReadOptions, Scanner } from './dialect.ts';
import { fenceAt } from './fences.ts';
import { violation } from './hints.ts';
import { jsonForm } from './json-form.ts';
import { leadOf } from './json-lead.ts';
import { type JsonStep, stepOf } from './json-step.ts';
import { createThoughtLines, type ThoughtLines } from './labelled-thought.ts';
import { isBlank, labelAt } from './labels.ts';
import { parseJson, repairJson } from './repair.ts';
import { createLineFeed, createMarkBook, type LineFeed, type MarkBook, replayLines } from './scanner.ts';
import { createTracker, objectOpens, type Tracker } from './tracker.ts';

interface Turn {
  readonly options: ReadOptions;
  readonly feed: LineFeed;
  readonly marks: MarkBook;
  /** Only for thinking that is set aside. */
  readonly thoughts: ThoughtLines;
  /** Follows the object that is open. */
  tracker: Tracker | null;
  objectAt: number;
  /** The first line in the open object that would be a label outside a string; -1 where there is none. */
  firstLabelAt: number;
  step: JsonStep | null;
  repaired: boolean;
  stepAt: number;
  stepEnd: number;
  unreadable: boolean;
  observing: boolean;
}

export function createJsonScanner(options: ReadOptions): Scanner {
  const feed = createLineFeed({
    line: (text, at) => takeLine(turn, text, at),
    peek: (head) => peekLine(turn, head),
  });
  const turn: Turn = {
    options,
    feed,
    marks: createMarkBook(),
    thoughts: createThoughtLines(),
    tracker: null,
    objectAt: 0,
    firstLabelAt: -1,
    step: null,
    repaired: false,
    stepAt: 0,
    stepEnd: 0,
    unreadable: false,
    observing: false,
  };
  return {
    feed(chunk) {
      feed.feed(chunk);
      return turn.marks.take();
    },
    end() {
      feed.end();
      closeObject(turn);
      const reading = readTurn(turn);
      if (reading.kind === 'calls') report(turn, 'action', reading.thought, []);
      if (reading.kind === 'answer') report(turn, 'answer', reading.thought, []);
      return { marks: turn.marks.take(), reading };
    },
    kept: () => feed.text().slice(turn.thoughts.keptFrom(), keptEnd(turn)).trim(),
  };
}

function takeLine(turn: Turn, line: string, at: number): void {
  if (turn.step !== null) return takeRestLine(turn, line);
  if (turn.tracker !== null) return takeObjectLine(turn, turn.tracker, line, at);
  const shift = turn.thoughts.setAside(line, at);
  if (shift >= 0) seekObject(turn, line, shift, at);
}

/** The next brace on the line behind which an object can begin. */
function seekObject(turn: Turn, line: string, from: number, at: number): void {
  let brace = line.indexOf('{', from);
  while (brace >= 0 && !objectOpens(line, brace)) brace = line.indexOf('{', brace + 1);
  if (brace < 0) return;
  turn.objectAt = at + brace;
  turn.firstLabelAt = -1;
  turn.tracker = createTracker();
  follow(turn, turn.tracker, line, brace, at);
}

function takeObjectLine(turn: Turn, tracker: Tracker, line: string, at: number): void {
  const label = labelAt(line);
  const ends = fenceAt(line)?.bare === true || (label !== null && !label.lower);
  if (ends && !tracker.inString()) return endObject(turn, line, at);
  if (ends && turn.firstLabelAt < 0 && label !== null) turn.firstLabelAt = at;
  follow(turn, tracker, line, 0, at);
}

/** A label or the end of its fence stands where the object should go on: its closers are missing. */
function endObject(turn: Turn, line: string, at: number): void {
  takeObject(turn, at);
  takeLine(turn, line, at);
}

function follow(turn: Turn, tracker: Tracker, line: string, from: number, at: number): void {
  const closed = tracker.take(line, from);
  if (closed < 0) return;
  takeObject(turn, at + closed);
  if (turn.step === null) seekObject(turn, line, closed, at);
  else takeRestLine(turn, line.slice(closed));
}

function takeObject(turn: Turn, end: number): void {
  turn.tracker = null;
  const text = turn.feed.text().slice(turn.objectAt, end);
  const parsed = parseJson(text);
  const value: JsonValue | undefined = parsed ?? repairJson(text.trimEnd());
  if (!isJsonObject(value)) {
    turn.unreadable = true;
    return;
  }
  const step = stepOf(value, turn.options.tools);
  if (step === null) return;
  turn.step = step;
  turn.repaired = parsed === undefined;
  turn.stepAt = turn.objectAt;
  turn.stepEnd = end;
}

/** Behind a call only an observation matters: the model makes one up. */
function takeRestLine(turn: Turn, line: string): void {
  if (turn.step?.kind !== 'call') return;
  if (turn.observing && !isBlank(line)) return reportObservation(turn);
  const label = labelAt(line);
  if (label?.kind !== 'observation' || label.lower) return;
  if (isBlank(line.slice(label.contentAt))) turn.observing = true;
  else reportObservation(turn);
}

function peekLine(turn: Turn, head: string): void {
  if (turn.step?.kind !== 'call') return;
  if (turn.observing && !isBlank(head)) return reportObservation(turn);
  const label = labelAt(head);
  if (label?.kind === 'observation' && !label.lower && !isBlank(head.slice(label.contentAt))) reportObservation(turn);
}

function reportObservation(turn: Turn): void {
  turn.observing = false;
  const call = callOf(turn);
  if (call === null || turn.marks.reported('observation')) return;
  const thought = thoughtOf(turn);
  report(turn, 'action', thought, []);
  report(turn, 'observation', thought, [call]);
}

function report(turn: Turn, stop: Stop, thought: string | null, calls: readonly ReadCall[]): void {
  turn.marks.report(stop, thought, calls);
}

function callOf({ step, repaired }: Turn): ReadCall | null {
  if (step?.kind !== 'call') return null;
  return { tool: step.tool, input: step.input, ...(repaired ? { repaired: true } : {}) };
}

function thoughtOf(turn: Turn): string | null {
  const inside = turn.step?.thought ?? null;
  if (inside !== null) return inside;
  const end = turn.step === null ? turn.feed.text().length : turn.stepAt;
  return leadOf(turn.feed.text().slice(turn.thoughts.keptFrom(), end)).thought ?? turn.thoughts.text();
}

/** At the end of the reply: an object that never closed ends at the first label in it, or here. */
function closeObject(turn: Turn): void {
  if (turn.tracker === null) return;
  const labelAt = turn.firstLabelAt;
  takeObject(turn, labelAt < 0 ? turn.feed.text().length : labelAt);
  if (labelAt >= 0 && turn.step !== null) replayLines(turn.feed.text(), labelAt, (line) => takeRestLine(turn, line));
}

function readTurn(turn: Turn): Reading {
  const text = turn.feed.text();
  const thought = thoughtOf(turn);
  const call = callOf(turn);
  const dropped = text.slice(keptEnd(turn)).trim();
  const rest = isBlank(dropped) ? {} : { dropped };
  if (call !== null) return { kind: 'calls', thought, calls: [call], ...rest };
  if (turn.step?.kind === 'answer' && turn.step.answer !== '')
    return { kind: 'answer', thought, answer: turn.step.answer, ...rest };
  return readWithoutStep(turn, text, thought);
}

/** `Final Answer: …` written as text is an answer in this dialect too. */
function readWithoutStep(turn: Turn, text: string, thought: string | null): Reading {
  const lead = leadOf(text.slice(turn.thoughts.keptFrom()));
  if (turn.step === null && !turn.unreadable && lead.answer !== null)
    return { kind: 'answer', thought: lead.thought ?? turn.thoughts.text(), answer: lead.answer };
  const fault = { form: jsonForm, tools: turn.options.tools, language: turn.options.language, thought };
  if (turn.step?.kind === 'no_tool') return violation('no_tool', fault);
  if (turn.unreadable) return violation('unreadable_input', { ...fault, seen: text.slice(turn.objectAt), tool: '' });
  if (isBlank(text) || turn.step?.kind === 'answer') return violation('empty', fault);
  const onlyThought = lead.labelled || turn.thoughts.isLabelled();
  return violation(onlyThought ? 'thought_only' : 'no_step', { ...fault, seen: text.trim() });
}

/** Behind the step and the fence that closes round it. */
function keptEnd(turn: Turn): number {
  const text = turn.feed.text();
  if (turn.step === null) return text.length;
  const rest = text.slice(turn.stepEnd, turn.stepEnd + 80);
  const fenceStart = rest.length - rest.trimStart().length;
  const fenced = rest.startsWith('```', fenceStart) && text.slice(0, turn.stepAt).includes('```');
  return fenced ? turn.stepEnd + fenceStart + 3 : turn.stepEnd;
}
