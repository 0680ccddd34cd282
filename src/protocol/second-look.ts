/**
 * What a reply means that holds no step of its own dialect: perhaps it was written in the form of another one, or it is
 * plain text that the user takes for the answer. Pure. The look is taken once, when the whole reply is known.
 */
import type { Mark, Reading } from '../core/reading.ts';
import type { Dialect, ReadOptions, Scanner } from './dialect.ts';
import { labelAt } from './labels.ts';
import { blockCloser } from './observation-block.ts';
import { signsIn } from './signs.ts';
import { setThinkingAside } from './thinking.ts';

/** What a scanner ends with, and what it keeps of the reply. */
export interface Ended {
  readonly marks: readonly Mark[];
  readonly reading: Reading;
  readonly kept: string;
}

export interface SecondLook {
  readonly dialect: Dialect;
  readonly options: ReadOptions;
  /** In whose forms a step is looked for, in this order; not again in its own. */
  readonly others: readonly Dialect[];
  /** What text without any step is. */
  readonly plainText: PlainText;
}

/** Whether a reply without any label is a violation, which is the default, or the answer. */
export type PlainText = 'violation' | 'answer';

/** A scanner of the dialect that looks again where nothing of its own was found. */
export function withSecondLook(look: SecondLook): Scanner {
  const scanner = look.dialect.scanner(look.options);
  let text = '';
  let met = false;
  let again: Ended | null = null;
  return {
    feed(chunk) {
      text += chunk;
      const marks = scanner.feed(chunk);
      if (marks.length > 0) met = true;
      return marks;
    },
    end() {
      const own = scanner.end();
      if (!met && own.marks.length === 0) again = lookAgain(look, text, scanner.kept(), own.reading);
      const { marks, reading } = again ?? own;
      return { marks, reading };
    },
    kept: () => again?.kept ?? scanner.kept(),
    ...(scanner.takeCall === undefined ? {} : { takeCall: (piece) => scanner.takeCall?.(piece) }),
  };
}

/**
 * Null where the reply stays what it was. An attempt at a step of its own form, however bad, is not read anew; and what its
 * own reader knows to be made up (it is not `kept`) is no step in any form.
 */
function lookAgain(look: SecondLook, text: string, kept: string, own: Reading): Ended | null {
  const { dialect, options, plainText } = look;
  if (own.kind !== 'violation' || (own.code !== 'no_step' && own.code !== 'thought_only')) return null;
  const others = look.others.filter(({ name }) => name !== dialect.name);
  const { thinking, rest } = setThinkingAside(text);
  const madeUp = linesLeftOut(rest, setThinkingAside(kept).rest);
  const { step, attempted } = stepElsewhere(kept, { dialect, others, options });
  if (step !== null) return completed(step, thinking, madeUp);
  const isPlain = own.code === 'no_step' && !attempted && madeUp === '';
  return plainText === 'answer' && isPlain ? plainAnswer(text) : null;
}

/** With what the other reader was not given. */
function completed({ reading, kept }: Elsewhere, thinking: string | null, madeUp: string): Elsewhere {
  const dropped = [madeUp, reading.dropped ?? ''].filter((part) => part !== '').join('\n');
  return endedWith({ ...reading, thought: reading.thought ?? thinking, ...(dropped === '' ? {} : { dropped }) }, kept);
}

/** The lines of a text that a part of it lacks, blank ones aside. */
function linesLeftOut(text: string, part: string): string {
  if (text === part) return '';
  const kept = linesOf(part);
  let at = 0;
  const left = linesOf(text).filter((line) => {
    const isKept = line === kept[at];
    if (isKept) at++;
    return !isKept;
  });
  return left.join('\n');
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The whole text as the answer, without thinking; null where nothing is left. */
export function plainAnswer(text: string): Ended | null {
  const { thinking, rest } = setThinkingAside(text);
  if (rest === '') return null;
  return endedWith({ kind: 'answer', thought: thinking, answer: rest }, text);
}

type Step = Exclude<Reading, { kind: 'violation' }>;

interface Elsewhere extends Ended {
  readonly reading: Step;
}

/** The stop tells of the step and does not carry it: what is known of the step besides comes with the end. */
export function endedWith(reading: Step, kept: string): Elsewhere {
  const mark: Mark = { stop: reading.kind === 'calls' ? 'action' : 'answer', thought: reading.thought, calls: [] };
  return { marks: [mark], reading, kept };
}

export interface LookElsewhere {
  /** The dialect that was asked for. Its names for tools count as well. */
  readonly dialect: Pick<Dialect, 'shown' | 'named'>;
  readonly others: readonly Dialect[];
  readonly options: ReadOptions;
  /** Only calls, and only where nothing stands behind them: an answer may explain a call. */
  readonly callsAtEnd?: boolean;
}

/**
 * The first calls of tools that exist, or the first answer, that one of the dialects finds. `attempted`: one of them found
 * more than text, and so it is not plain.
 */
export function stepElsewhere(
  text: string,
  { dialect, others, options, callsAtEnd = false }: LookElsewhere,
): { readonly step: Elsewhere | null; readonly attempted: boolean } {
  const signs = signsIn(text);
  const tools = [...new Set([...options.tools, ...(dialect.shown?.(options) ?? [])])];
  let attempted = signs.labels.size > 0;
  for (const other of others) {
    if (!signs.mayHold(other.name, callsAtEnd)) continue;
    const scanner = other.scanner({ ...options, tools });
    scanner.feed(text);
    const { reading } = scanner.end();
    attempted ||= reading.kind !== 'violation' || (reading.code !== 'no_step' && reading.code !== 'empty');
    if (!isStep(reading, tools) || (callsAtEnd && !isCallAtEnd(reading))) continue;
    return { step: endedWith({ ...named(reading, dialect, options), dialect: other.name }, scanner.kept()), attempted };
  }
  return { step: null, attempted };
}

function isStep(reading: Reading, tools: readonly string[]): reading is Step {
  if (reading.kind === 'violation') return false;
  return reading.kind === 'answer' || reading.calls.every(({ tool }) => tools.includes(tool));
}

function isCallAtEnd({ kind, dropped = '' }: Step): boolean {
  if (kind !== 'calls') return false;
  return dropped === '' || labelAt(dropped)?.kind === 'observation' || blockCloser(dropped, true) !== null;
}

/** The calls under the names that the tools have here. */
function named(step: Step, dialect: Pick<Dialect, 'named'>, options: ReadOptions): Step {
  if (step.kind !== 'calls' || dialect.named === undefined) return step;
  return {
    ...step,
    calls: step.calls.map((call) => ({ ...call, tool: dialect.named?.(call.tool, options) ?? call.tool })),
  };
}
