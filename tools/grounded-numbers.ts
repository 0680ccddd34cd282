/**
 * A check of answers: each number, date and id of the answer must stand in an observation or in the task. It compares what
 * they mean, not how they are written, and knows nothing of units and of what is counted.
 */
import type { CheckAnswer } from '../src/core/check-answer.ts';
import { AgentError } from '../src/core/errors.ts';
import type { Language } from '../src/core/language.ts';
import { type Figure, figuresIn, type Value } from './figures.ts';

export interface GroundedNumbersOptions {
  /**
   * What is done with an answer that holds others: `note` (default) accepts it with a note that lists them, `sendBack` has the
   * model correct it.
   */
  readonly otherwise?: 'note' | 'sendBack';
  /** Of the note and of what the model is told; default `en`. */
  readonly language?: Language;
}

/**
 * For `checkAnswer`. Observations are those of calls that succeeded; what the model wrote into its calls counts for nothing.
 * A rounding of an observed number counts (12.5 for 12.4987), a percentage counts for its ratio (12 % for 0.12), and a number
 * with its power for itself (1.2 million for 1200000, 1.2万 for 12000). Not looked at: whole numbers from 0 to 10 that stand
 * alone, the numbers of a list, names of JSON members. A sum of observed numbers is not grounded: a tool must have made it.
 */
export function groundedNumbers({ otherwise = 'note', language = 'en' }: GroundedNumbersOptions = {}): CheckAnswer {
  if (otherwise !== 'note' && otherwise !== 'sendBack')
    throw new AgentError('invalid_option', `otherwise is ${JSON.stringify(otherwise)}.`, {
      hint: "It is 'note' or 'sendBack'.",
    });
  return (answer, steps, { task }) => {
    const calls = steps.flatMap((step) => step.calls).filter(({ status }) => status === 'succeeded');
    const said = [task, ...calls.map(({ observation }) => observation ?? '')];
    const missing = ungrounded(answer, said);
    if (missing.length === 0) return true;
    const told = texts[language === 'zh' ? 'zh' : 'en'];
    const list = listed(missing);
    return otherwise === 'note' ? { note: told.note(list) } : told.sendBack(list);
  };
}

/** The figures of the answer that stand in none of the texts, as they are written. Each once. */
function ungrounded(answer: string, said: readonly string[]): readonly string[] {
  const grounds = groundsOf(said);
  const missing = figuresIn(answer).filter((figure) => !figure.isSmall && !isGrounded(figure, grounds));
  return [...new Set(missing.map(({ from, to }) => answer.slice(from, to)))];
}

interface Grounds {
  /** Rising. */
  readonly numbers: Float64Array;
  readonly words: ReadonlySet<string>;
}

function groundsOf(said: readonly string[]): Grounds {
  const numbers: number[] = [];
  const words = new Set<string>();
  for (const text of said)
    for (const { any, parts, also } of figuresIn(text))
      for (const value of [...any, ...parts.flat(), ...also])
        if ('word' in value) words.add(value.word);
        else numbers.push(value.number);
  return { numbers: Float64Array.from(numbers).sort(), words };
}

function isGrounded({ any, parts }: Figure, grounds: Grounds): boolean {
  const holds = (value: Value) => isSaid(value, grounds);
  return any.some(holds) || (parts.length > 0 && parts.every((part) => part.some(holds)));
}

/** A number is said where an observed one, rounded to its last digit, is the same. */
function isSaid(value: Value, { numbers, words }: Grounds): boolean {
  if ('word' in value) return words.has(value.word);
  const reach = value.step / 2 + Math.abs(value.number) * 1e-12;
  const next = numbers[firstFrom(numbers, value.number - reach)];
  return next !== undefined && next <= value.number + reach;
}

/** The place of the first number that is not below. */
function firstFrom(numbers: Float64Array, least: number): number {
  let from = 0;
  let to = numbers.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((numbers[middle] ?? 0) < least) from = middle + 1;
    else to = middle;
  }
  return from;
}

const mostListed = 10;
/** In code units, of each. */
const longestListed = 60;

function listed(missing: readonly string[]): string {
  const shown = missing
    .slice(0, mostListed)
    .map((text) => (text.length > longestListed ? `${text.slice(0, longestListed)}…` : text));
  return [...shown, ...(missing.length > mostListed ? [`… (${missing.length})`] : [])].join(', ');
}

const texts = {
  en: {
    note: (list: string) => `In no observation and not in the task: ${list}`,
    sendBack: (list: string) =>
      `The answer holds what stands in no observation and not in the task: ${list}. Use what was observed, get it with a tool (also what has to be computed), or leave it out.`,
  },
  zh: {
    note: (list: string) => `不在任何观察结果中，也不在任务中：${list}`,
    sendBack: (list: string) =>
      `答案中的这些内容不在任何观察结果中，也不在任务中：${list}。请使用观察到的内容，用工具获取（需要计算的也一样），或者去掉。`,
  },
};
