/** The gate of the input: it fits the tool's schema, as written or as it was surely meant. */
import type { JsonValue } from '../core/json.ts';
import type { Settled, Within } from '../core/within.ts';
import { brief, type WithRedactor } from './brief.ts';
import { coerceInput } from './coerce.ts';
import { copyInput, deepestInput } from './copy-input.ts';
import type { Messages } from './messages.ts';
import type { Checked } from './schema.ts';
import type { CompiledTool } from './toolbox.ts';

export interface InputGate {
  readonly messages: Pick<Messages, 'badInput' | 'checkFailed' | 'redactor'>;
  readonly within: Within;
  readonly hookMs: number;
  /** An answer: null is a value, and a text is not made the field of an object. */
  readonly isAnswer?: true;
}

/** What has an input to check. */
type Checks = Pick<CompiledTool, 'name' | 'schema'>;

export type InputChecked =
  /** `parsed`: what the schema made of it, for the tool. */
  | {
      readonly ok: true;
      readonly input: JsonValue | null;
      readonly parsed: unknown;
      readonly coerced: readonly string[];
    }
  /** `input`: what may be recorded of it. */
  | { readonly ok: false; readonly input: JsonValue | null; readonly observation: string };

/** Returns what cancels it. */
export function checkInput(
  input: JsonValue | null,
  tool: Checks,
  gate: InputGate,
  done: (checked: InputChecked) => void,
): () => void {
  const { messages } = gate;
  const { isAnswer = false } = gate;
  const given = input ?? (isAnswer ? null : {});
  const copy = copyInput(given);
  if (copy === undefined) {
    const problem = `it is nested deeper than ${deepestInput} levels`;
    done({ ok: false, input: null, observation: messages.badInput(tool.name, [problem], null) });
    return () => {};
  }
  let cancelSecond = () => {};
  const cancelFirst = check(copy, tool, gate, (first) => {
    const parsed = parsedIn(first);
    if (parsed !== null) return done({ ok: true, input, parsed: parsed.input, coerced: [] });
    const observation = problemOf(first, tool, messages);
    const isMeant = first.kind === 'value' && !(isAnswer && typeof given === 'string');
    const coerced = isMeant ? coerceInput(given, tool.schema.jsonSchema) : null;
    const again = coerced === null ? undefined : copyInput(coerced.input);
    if (coerced === null || again === undefined) return done({ ok: false, input, observation });
    cancelSecond = check(again, tool, gate, (second) => {
      const meant = parsedIn(second);
      if (meant === null) return done({ ok: false, input, observation });
      done({ ok: true, input: coerced.input, parsed: meant.input, coerced: coerced.changes });
    });
  });
  return () => {
    cancelFirst();
    cancelSecond();
  };
}

function check(
  input: JsonValue,
  tool: Checks,
  { within, hookMs }: InputGate,
  done: (checked: Settled<Checked>) => void,
): () => void {
  return within<Checked>(hookMs, () => tool.schema.check(input), done);
}

function parsedIn(checked: Settled<Checked>): { readonly input: unknown } | null {
  return checked.kind === 'value' && checked.value.ok ? checked.value : null;
}

function problemOf(checked: Settled<Checked>, tool: Checks, messages: InputGate['messages']): string {
  if (checked.kind !== 'value') return messages.checkFailed(tool.name, whyOf(checked, messages));
  const problems = checked.value.ok ? [] : checked.value.problems;
  return messages.badInput(
    tool.name,
    problems.slice(0, 5).map((problem) => brief(problem, messages)),
    exampleOf(tool.schema.jsonSchema),
  );
}

/** Why foreign code gave no result. */
export function whyOf(settled: Exclude<Settled<unknown>, { kind: 'value' }>, messages: WithRedactor): string {
  return settled.kind === 'late' ? 'no result in time' : brief(settled.thrown, messages);
}

/** In code units. */
const longestExample = 1_000;

/** The form of the input in one line: `{"service": string, "limit"?: number}`. A long one is cut to what is required. */
function exampleOf(schema: CompiledTool['schema']['jsonSchema']): string | null {
  const properties = schema?.properties;
  if (schema === null || typeof properties !== 'object' || properties === null) return null;
  const required: ReadonlySet<unknown> = new Set(Array.isArray(schema.required) ? schema.required : []);
  const member = ([key, value]: [string, JsonValue]) =>
    `${JSON.stringify(key)}${required.has(key) ? '' : '?'}: ${typeName(value)}`;
  const entries = Object.entries(properties);
  const whole = entries.map(member).join(', ');
  if (whole.length <= longestExample) return `{${whole}}`;
  const needed = entries.filter(([key]) => required.has(key)).map(member);
  return needed.join().length > longestExample ? null : `{${[...needed, '…'].join(', ')}}`;
}

function typeName(schema: JsonValue): string {
  if (typeof schema !== 'object' || schema === null || !('type' in schema)) return 'any';
  return typeof schema.type === 'string' ? schema.type : 'any';
}
