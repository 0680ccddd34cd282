/**
 * Whether a value fits a schema, as it is or as it was surely meant. What it has against it is no text for the model yet: that
 * is another one for an input, an answer and a result.
 */
import type { JsonValue } from '../core/json.ts';
import type { Settled, Within } from '../core/within.ts';
import { brief } from './brief.ts';
import { coerceInput } from './coerce.ts';
import { copyInput, deepestInput } from './copy-input.ts';
import type { Messages } from './messages.ts';
import type { Checked, CompiledSchema } from './schema.ts';

/** Foreign code that gave no answer. */
export type Unsettled = Exclude<Settled<never>, { readonly kind: 'value' }>;
export type Fault = { readonly kind: 'unfit'; readonly problems: readonly string[] } | Unsettled;

/** `parsed`: what the schema made of it. */
export type ValueChecked =
  | { readonly ok: true; readonly parsed: unknown }
  | { readonly ok: false; readonly fault: Fault };

/** `value`: as it was taken, and `coerced`: what was changed for that; where it does not fit, what may be recorded of it. */
export type Fitted =
  | { readonly ok: true; readonly parsed: unknown; readonly value: JsonValue; readonly coerced: readonly string[] }
  | { readonly ok: false; readonly fault: Fault; readonly value: JsonValue | null };

export interface ValueGate {
  readonly messages: Pick<Messages, 'redactor' | 'tooDeep'>;
  readonly within: Within;
  readonly hookMs: number;
}

const mostProblems = 5;

/** `check` asks the schema. Returns what cancels it. */
export function checkValue(
  check: () => Checked | PromiseLike<Checked>,
  { messages, within, hookMs }: ValueGate,
  done: (checked: ValueChecked) => void,
): () => void {
  return within<Checked>(hookMs, check, (settled) => {
    if (settled.kind !== 'value') return done({ ok: false, fault: settled });
    const checked = settled.value;
    if (checked.ok) return done({ ok: true, parsed: checked.input });
    const problems = checked.problems.slice(0, mostProblems).map((problem) => brief(problem, messages));
    done({ ok: false, fault: { kind: 'unfit', problems } });
  });
}

/** JSON that does not fit is tried again as it was surely meant. Returns what cancels it. */
export function fitValue(
  value: JsonValue,
  schema: CompiledSchema,
  gate: ValueGate,
  done: (fitted: Fitted) => void,
): () => void {
  const copy = copyInput(value);
  if (copy === undefined) {
    done({ ok: false, value: null, fault: { kind: 'unfit', problems: [gate.messages.tooDeep(deepestInput)] } });
    return () => {};
  }
  let cancelSecond = () => {};
  const cancelFirst = checkValue(
    () => schema.check(copy),
    gate,
    (first) => {
      if (first.ok) return done({ ...first, value, coerced: [] });
      const meant = first.fault.kind === 'unfit' ? coerceInput(value, schema.jsonSchema) : null;
      const again = meant === null ? undefined : copyInput(meant.input);
      if (meant === null || again === undefined) return done({ ...first, value });
      cancelSecond = checkValue(
        () => schema.check(again),
        gate,
        (second) => done(second.ok ? { ...second, value: meant.input, coerced: meant.changes } : { ...first, value }),
      );
    },
  );
  return () => {
    cancelFirst();
    cancelSecond();
  };
}

/** Why foreign code gave no answer. */
export function whyOf(settled: Unsettled, messages: Pick<Messages, 'redactor' | 'noResult'>): string {
  return settled.kind === 'late' ? messages.noResult : brief(settled.thrown, messages);
}

/** In code units. */
const longestExample = 1_000;

/** The form of an object in one line: `{"service": string, "limit"?: number}`. A long one is cut to what is required. */
export function exampleOf({ jsonSchema: schema }: CompiledSchema): string | null {
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
