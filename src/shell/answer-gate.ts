/**
 * What an answer passes before it counts: the tools that must have succeeded, its schema, the user's checks. The first
 * refusal decides. What the schema made of an accepted answer is kept here until the outcome is made, in this process: the
 * journal holds the text, and what the checks noted.
 */
import { isJsonObject } from '../core/json.ts';
import type { Answered, Step } from '../core/outcome.ts';
import type { Settled } from '../core/within.ts';
import { brief } from '../dispatch/brief.ts';
import {
  checkValue,
  exampleOf,
  type Fault,
  fitValue,
  type ValueChecked,
  type ValueGate,
  whyOf,
} from '../dispatch/check-value.ts';
import type { Messages } from '../dispatch/messages.ts';
import type { JudgeAnswer } from '../dispatch/result.ts';
import type { CompiledSchema } from '../dispatch/schema.ts';
import { readAnswer } from '../protocol/answer-value.ts';
import { parseJson } from '../protocol/repair.ts';
import type { AnswerRules } from './answer-rules.ts';
import type { History } from './history.ts';
import type { RunPlan } from './plan.ts';

export type Accepted<Answer> = Pick<Answered<Answer>, 'answer' | 'notes'>;

export interface AnswerGate<Answer> {
  readonly judge: JudgeAnswer;
  /** Null where a schema waits for an answer, and none has passed. */
  accepted(text: string): Accepted<Answer> | null;
}

export function createAnswerGate<Answer>(
  { tools, schema, checks }: AnswerRules<Answer>,
  { messages, within, timeouts: { hookMs }, task }: RunPlan,
  { steps }: Pick<History, 'steps'>,
): AnswerGate<Answer> {
  const gate = { messages, within, hookMs };
  let accepted: Accepted<Answer> | null = null;

  return {
    judge(text, done, by) {
      const cancels: (() => void)[] = [];
      const askFrom = (index: number, answer: Answer, notes: readonly string[]): void => {
        const check = checks[index];
        if (check === undefined) {
          accepted = { answer, notes };
          return done(null, notes);
        }
        const answered = (settled: Settled<unknown>) => {
          const judged = judgedIn(settled, messages);
          if ('refused' in judged) done(judged.refused);
          else askFrom(index + 1, answer, judged.note === null ? notes : [...notes, judged.note]);
        };
        // The check is foreign code: what it writes into the steps is its own matter.
        const ask = () => check(text, structuredClone(steps), { task, value: answer });
        cancels.push(within<unknown>(hookMs, ask, answered));
      };
      const missing = missingTools(tools, steps).filter((name) => name !== by);
      if (missing.length > 0) done(messages.answerNeeds(missing));
      else if (schema === null) askFrom(0, typed(text), []);
      else
        readForm(text, schema, gate, cancels, (checked) => {
          if (checked.ok) askFrom(0, typed(checked.parsed), []);
          else done(told(checked.fault, schema, messages));
        });
      return () => {
        for (const cancel of cancels) cancel();
      };
    },
    accepted: (text) => accepted ?? (schema === null ? { answer: typed(text), notes: [] } : null),
  };
}

/**
 * The one place at which a value meets its type, which the compiler cannot see: the schema has let it through, or there is none
 * and it is the text.
 */
export function typed<Answer>(checked: unknown): Answer {
  return checked as Answer;
}

/** Those that have not succeeded in these steps. */
export function missingTools(names: readonly string[], steps: readonly Step[]): readonly string[] {
  if (names.length === 0) return names;
  const calls = steps.flatMap((step) => step.calls);
  const succeeded = new Set(calls.filter(({ status }) => status === 'succeeded').map(({ tool }) => tool));
  return names.filter((name) => !succeeded.has(name));
}

export interface AnswerChecks extends ValueGate {
  readonly messages: Messages;
}

/** A scalar that does not fit is tried as the text that it was. An object or a list is not: it was meant as JSON. */
export function readForm(
  text: string,
  schema: CompiledSchema,
  gate: AnswerChecks,
  cancels: (() => void)[],
  done: (checked: ValueChecked) => void,
): void {
  const read = schema.jsonSchema?.type === 'string' ? quotedOrText(text) : readAnswer(text);
  if (read.kind === 'unreadable')
    return done({ ok: false, fault: { kind: 'unfit', problems: [gate.messages.brokenJson] } });
  const value = read.kind === 'json' ? read.value : text;
  const check = (words: string, then: (checked: ValueChecked) => void) =>
    cancels.push(checkValue(() => schema.check(words), gate, then));
  const orAsText = (first: ValueChecked) => {
    if (first.ok || typeof value === 'object' || value === text) return done(first);
    check(text, (second) => done(second.ok ? second : first));
  };
  if (typeof value === 'string') check(value, orAsText);
  else cancels.push(fitValue(value, schema, gate, orAsText));
}

/** Where a text is asked for, JSON that is none is the text. */
function quotedOrText(text: string): ReturnType<typeof readAnswer> {
  const value = parseJson(text);
  return typeof value === 'string' ? { kind: 'json', value } : { kind: 'text' };
}

function told(fault: Fault, schema: CompiledSchema, messages: Messages): string {
  return fault.kind === 'unfit'
    ? messages.badAnswer(fault.problems, exampleOf(schema))
    : messages.answerNotChecked(whyOf(fault, messages));
}

type Judged = { readonly refused: string } | { readonly accepted: true; readonly note: string | null };

/** What the user's check says, in bounded length. */
function judgedIn(settled: Settled<unknown>, messages: Messages): Judged {
  if (settled.kind !== 'value') return { refused: messages.answerNotChecked(whyOf(settled, messages)) };
  const { value } = settled;
  if (value === true) return { accepted: true, note: null };
  if (typeof value === 'string' && value.trim() !== '') return { refused: brief(value, messages) };
  const note = noteIn(value);
  return note === null ? { refused: messages.answerRefused } : { accepted: true, note: note && brief(note, messages) };
}

/** Reading a member of a foreign value may throw. */
function noteIn(value: unknown): string | null {
  try {
    const note = isJsonObject(value) ? value.note : null;
    return typeof note === 'string' ? note : null;
  } catch {
    return null;
  }
}
