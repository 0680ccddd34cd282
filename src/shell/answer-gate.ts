/**
 * What an answer passes before it counts: the tools that must have succeeded, its schema, the user's checks. The first
 * refusal decides. What the schema made of an accepted answer is kept here until the outcome is made, in this process:
 * no snapshot holds an answer that was accepted, because the run ends with it.
 */
import { isJsonObject, type JsonValue } from '../core/json.ts';
import type { Answered, Step } from '../core/outcome.ts';
import type { Settled } from '../core/within.ts';
import { checkInput, type InputGate, whyOf } from '../dispatch/input-gate.ts';
import type { Messages } from '../dispatch/messages.ts';
import type { CompiledSchema } from '../dispatch/schema.ts';
import { readAnswer } from '../protocol/answer-value.ts';
import { parseJson } from '../protocol/repair.ts';
import type { AnswerRules } from './answer-rules.ts';
import type { History } from './history.ts';
import type { RunPlan } from './plan.ts';

export type Accepted<Answer> = Pick<Answered<Answer>, 'answer' | 'notes'>;

export interface AnswerGate<Answer> {
  /** Gives null, or what the model is told where the answer does not count. Returns what cancels it. */
  judge(text: string, done: (refused: string | null) => void): () => void;
  /** Null where a schema waits for an answer, and none has passed. */
  accepted(text: string): Accepted<Answer> | null;
}

export function createAnswerGate<Answer>(
  { tools, schema, checks }: AnswerRules<Answer>,
  { messages, within, timeouts: { hookMs }, task }: RunPlan,
  history: Pick<History, 'steps'>,
): AnswerGate<Answer> {
  let accepted: Accepted<Answer> | null = null;

  const judge = (text: string, cancels: (() => void)[], done: (refused: string | null) => void): void => {
    const missing = missingTools(tools, history.steps);
    if (missing.length > 0) return done(messages.needs('', missing));
    const notes: string[] = [];
    const checkFrom = (index: number, answer: Answer): void => {
      const check = checks[index];
      if (check === undefined) {
        accepted = { answer, notes };
        return done(null);
      }
      const judged = (settled: Settled<unknown>) => {
        const refused = refusalIn(settled, notes, messages);
        if (refused === null) checkFrom(index + 1, answer);
        else done(refused);
      };
      cancels.push(
        within<unknown>(hookMs, () => check(text, structuredClone(history.steps), { task, value: answer }), judged),
      );
    };
    checkForm(text, schema, { messages, within, hookMs, cancels }, (checked) => {
      if (fits<Answer>(checked)) checkFrom(0, checked.parsed);
      else if (!checked.ok) done(checked.observation);
    });
  };

  return {
    judge(text, done) {
      const cancels: (() => void)[] = [];
      judge(text, cancels, done);
      return () => {
        for (const cancel of cancels) cancel();
      };
    },
    accepted(text) {
      const written = asWritten(text);
      return accepted ?? (schema === null && fits<Answer>(written) ? { answer: written.parsed, notes: [] } : null);
    },
  };
}

/** Those that have not succeeded in these steps. */
export function missingTools(names: readonly string[], steps: readonly Step[]): readonly string[] {
  if (names.length === 0) return names;
  const calls = steps.flatMap((step) => step.calls);
  const succeeded = new Set(calls.filter(({ status }) => status === 'succeeded').map(({ tool }) => tool));
  return names.filter((name) => !succeeded.has(name));
}

type FormChecked =
  | { readonly ok: true; readonly parsed: unknown }
  | { readonly ok: false; readonly observation: string };

/** The one place at which a value meets its type: the schema has let it through, or there is none and it is the text. */
function fits<Answer>(checked: FormChecked): checked is { readonly ok: true; readonly parsed: Answer } {
  return checked.ok;
}

function asWritten(text: string): FormChecked {
  return { ok: true, parsed: text };
}

interface Checking extends InputGate {
  readonly messages: Messages;
  readonly cancels: (() => void)[];
}

/** A scalar that does not fit is tried as the text that it was. An object or a list is not: it was meant as JSON. */
function checkForm(
  text: string,
  schema: CompiledSchema | null,
  { cancels, messages, ...gate }: Checking,
  done: (checked: FormChecked) => void,
): void {
  if (schema === null) return done(asWritten(text));
  const check = (input: JsonValue, then: (checked: FormChecked) => void) =>
    cancels.push(checkInput(input, { name: '', schema }, { ...gate, messages, isAnswer: true }, then));
  const read = schema.jsonSchema?.type === 'string' ? quotedOrText(text) : readAnswer(text);
  if (read.kind === 'unreadable')
    return done({ ok: false, observation: messages.badInput('', [messages.brokenJson], null) });
  const value = read.kind === 'json' ? read.value : text;
  check(value, (first) => {
    if (first.ok || typeof value === 'object' || value === text) return done(first);
    check(text, (second) => done(second.ok ? second : first));
  });
}

/** Where a text is asked for, JSON that is none is the text. */
function quotedOrText(text: string): ReturnType<typeof readAnswer> {
  const value = parseJson(text);
  return typeof value === 'string' ? { kind: 'json', value } : { kind: 'text' };
}

/** What the model is told where the user's check does not accept; null where it does. */
function refusalIn(settled: Settled<unknown>, notes: string[], messages: Messages): string | null {
  if (settled.kind !== 'value') return messages.checkFailed('', whyOf(settled, messages));
  const { value } = settled;
  if (value === true) return null;
  if (typeof value === 'string' && value.trim() !== '') return value;
  try {
    // Reading a member of a foreign value may throw.
    const note = isJsonObject(value) ? value.note : null;
    if (typeof note !== 'string') return messages.answerRefused;
    notes.push(note);
    return null;
  } catch {
    return messages.answerRefused;
  }
}
