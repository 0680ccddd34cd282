/**
 * What an answer passes before it counts: the tools that must have succeeded, its schema, the user's checks. The first
 * refusal decides. What the schema made of an accepted answer is kept here until the outcome is made, in this process:
 * no snapshot holds an answer that was accepted, because the run ends with it.
 */
import type { JsonValue } from '../core/json.ts';
import { isJsonObject } from '../core/json.ts';
import type { Step } from '../core/outcome.ts';
import type { Settled } from '../core/within.ts';
import { shortened } from '../dispatch/brief.ts';
import { checkInput, type InputGate, whyOf } from '../dispatch/input-gate.ts';
import type { Messages } from '../dispatch/messages.ts';
import type { CompiledSchema } from '../dispatch/schema.ts';
import { readAnswer } from '../protocol/answer-value.ts';
import { parseJson } from '../protocol/repair.ts';
import type { AnswerRules } from './answer-rules.ts';
import type { History } from './history.ts';
import type { RunPlan } from './plan.ts';

export interface Accepted<Answer> {
  readonly answer: Answer;
  readonly notes: readonly string[];
}

export interface AnswerGate<Answer> {
  /** Gives null, or what the model is told where the answer does not count. Returns what cancels it. */
  judge(text: string, done: (refused: string | null) => void): () => void;
  /** Null where no answer of this text was accepted, and one would have to be. */
  accepted(text: string): Accepted<Answer> | null;
}

export function createAnswerGate<Answer>(
  { tools, schema, checks }: AnswerRules<Answer>,
  { messages, within, timeouts: { hookMs }, task }: RunPlan,
  history: Pick<History, 'steps'>,
): AnswerGate<Answer> {
  let kept: (Accepted<Answer> & { readonly text: string }) | null = null;

  return {
    judge(text, done) {
      const cancels: (() => void)[] = [];
      const notes: string[] = [];
      const checkFrom = (index: number, answer: Answer): void => {
        const check = checks[index];
        if (check === undefined) {
          kept = { text, answer, notes };
          return done(null);
        }
        cancels.push(
          within<unknown>(
            hookMs,
            () => check(text, history.steps, { task, value: answer }),
            (settled) => {
              const judged = judgedBy(settled, messages);
              if (typeof judged === 'string') return done(judged);
              if (judged.note !== null) notes.push(judged.note);
              checkFrom(index + 1, answer);
            },
          ),
        );
      };
      kept = null;
      const missing = missingTools(tools, history.steps);
      if (missing.length > 0) done(messages.answerNeeds(missing));
      else
        checkForm(text, schema, { messages, within, hookMs, cancels }, (checked) => {
          if (fits<Answer>(checked)) checkFrom(0, checked.parsed);
          else if (!checked.ok) done(checked.observation);
        });
      return () => {
        for (const cancel of cancels) cancel();
      };
    },
    accepted(text) {
      if (kept?.text === text) return kept;
      const written = asWritten(text);
      return schema === null && fits<Answer>(written) ? { answer: written.parsed, notes: [] } : null;
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

interface Checking extends Pick<InputGate, 'within' | 'hookMs'> {
  readonly messages: Messages;
  readonly cancels: (() => void)[];
}

/** A scalar that does not fit is tried as the text that it was. An object or a list is not: it was meant as JSON. */
function checkForm(
  text: string,
  schema: CompiledSchema | null,
  { messages, within, hookMs, cancels }: Checking,
  done: (checked: FormChecked) => void,
): void {
  if (schema === null) return done(asWritten(text));
  const expected = (example: string | null) => example ?? formOf(schema);
  const told = {
    badInput: (_name: string, problems: readonly string[], example: string | null) =>
      messages.badAnswer(problems, expected(example)),
    checkFailed: (_name: string, why: string) => messages.answerNotChecked(why),
  };
  const check = (input: JsonValue, then: (checked: FormChecked) => void) => {
    cancels.push(checkInput(input, { name: '', schema }, { messages: told, within, hookMs, nothing: null }, then));
  };
  const read = schema.jsonSchema?.type === 'string' ? quotedOrText(text) : readAnswer(text);
  if (read.kind === 'unreadable') done({ ok: false, observation: messages.unreadableAnswer(expected(null)) });
  else if (read.kind === 'text') check(text, done);
  else
    check(read.value, (first) => {
      if (first.ok || typeof read.value === 'object') return done(first);
      check(text, (second) => done(second.ok ? second : first));
    });
}

/** Where a text is asked for, JSON that is none is the text. */
function quotedOrText(text: string): ReturnType<typeof readAnswer> {
  const value = parseJson(text);
  return typeof value === 'string' ? { kind: 'json', value } : { kind: 'text' };
}

/** In code units. */
const longestForm = 500;

function formOf({ jsonSchema }: CompiledSchema): string | null {
  return jsonSchema === null ? null : shortened(JSON.stringify(jsonSchema), longestForm);
}

/** What the user's check says: a text refuses. */
function judgedBy(settled: Settled<unknown>, messages: Messages): string | { readonly note: string | null } {
  if (settled.kind !== 'value') return messages.answerNotChecked(whyOf(settled));
  const { value } = settled;
  if (value === true) return { note: null };
  if (typeof value === 'string' && value.trim() !== '') return value;
  const note = noteIn(value);
  return note === null ? messages.answerNotAccepted : { note };
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
