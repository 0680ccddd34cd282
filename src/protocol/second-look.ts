/**
 * What a reply means that holds no step of its own dialect: perhaps it was written in the form of another one, or it is
 * plain text that the user takes for the answer. Pure. The look is taken once, when the whole reply is known.
 */
import type { Mark, Reading } from '../core/reading.ts';
import type { Dialect, ReadOptions, Scanner } from './dialect.ts';
import { fenceAt } from './fences.ts';
import { type LabelKind, labelAt } from './labels.ts';
import { replayLines } from './scanner.ts';
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
      if (!met && own.marks.length === 0) again = lookAgain(look, text, own.reading);
      const { marks, reading } = again ?? own;
      return { marks, reading };
    },
    kept: () => again?.kept ?? scanner.kept(),
    ...(scanner.takeCall === undefined ? {} : { takeCall: (piece) => scanner.takeCall?.(piece) }),
  };
}

/** Null where the reply stays what it was. An attempt at a step of its own form, however bad, is not read anew. */
function lookAgain({ dialect, options, others, plainText }: SecondLook, text: string, own: Reading): Ended | null {
  if (own.kind !== 'violation' || (own.code !== 'no_step' && own.code !== 'thought_only')) return null;
  const elsewhere = stepElsewhere(
    text,
    others.filter(({ name }) => name !== dialect.name),
    options,
  );
  if (elsewhere !== null || plainText === 'violation' || own.code === 'thought_only') return elsewhere;
  return plainAnswer(text);
}

/** The whole text as the answer, without thinking; null where nothing is left. */
export function plainAnswer(text: string): Ended | null {
  const { thinking, rest } = setThinkingAside(text);
  if (rest === '') return null;
  return endedWith({ kind: 'answer', thought: thinking, answer: rest }, text);
}

type Step = Exclude<Reading, { kind: 'violation' }>;

/** The stop tells of the step and does not carry it: what is known of the step besides comes with the end. */
export function endedWith(reading: Step, kept: string): Ended {
  const mark: Mark = { stop: reading.kind === 'calls' ? 'action' : 'answer', thought: reading.thought, calls: [] };
  return { marks: [mark], reading, kept };
}

/** The first calls of tools that exist, or the first answer, that one of the dialects finds. Null where none does. */
export function stepElsewhere(
  text: string,
  others: readonly Dialect[],
  options: ReadOptions,
  kinds: readonly Reading['kind'][] = ['calls', 'answer'],
): Ended | null {
  const mayHold = signsIn(text);
  for (const dialect of others) {
    if (!mayHold(dialect.name, kinds)) continue;
    const scanner = dialect.scanner(options);
    scanner.feed(text);
    const { reading } = scanner.end();
    if (!isStep(reading, options.tools) || !kinds.includes(reading.kind)) continue;
    return endedWith({ ...reading, dialect: dialect.name }, scanner.kept());
  }
  return null;
}

function isStep(reading: Reading, tools: readonly string[]): reading is Step {
  if (reading.kind === 'violation') return false;
  return reading.kind === 'answer' || reading.calls.every(({ tool }) => tools.includes(tool));
}

/**
 * Whether a dialect can find a step that was meant: each needs a sign of its own. What two of them read in passing, an
 * object in prose and a bare command line, may be an example elsewhere.
 */
function signsIn(text: string): (dialect: string, kinds: readonly Reading['kind'][]) => boolean {
  const labels = labelsIn(text);
  return (dialect, kinds) => {
    switch (dialect) {
      case 'json':
        return isDocument(text);
      case 'tags':
        return text.includes('<');
      case 'paper':
        return labels.has('action');
      case 'labelled':
      case 'id':
        return labels.has('action') || (labels.has('answer') && kinds.includes('answer'));
      default:
        return true;
    }
  };
}

/** The object is the whole reply, bare or fenced. */
function isDocument(text: string): boolean {
  const { rest } = setThinkingAside(text);
  return rest.startsWith('{') || fenceAt(rest.slice(0, 40).split('\n', 1)[0] ?? '') !== null;
}

function labelsIn(text: string): ReadonlySet<LabelKind> {
  const found = new Set<LabelKind>();
  if (!text.includes(':') && !text.includes('：')) return found;
  replayLines(text, 0, (line) => {
    const label = labelAt(line);
    if (label !== null) found.add(label.kind);
  });
  return found;
}
