/** The gate of the input: it fits the tool's schema, as written or as it was surely meant. */
import type { JsonValue } from '../core/json.ts';
import { checkValue, exampleOf, type Fault, fitValue, type ValueGate, whyOf } from './check-value.ts';
import { copyInput } from './copy-input.ts';
import type { Messages } from './messages.ts';
import type { CompiledTool } from './toolbox.ts';

export interface InputGate extends ValueGate {
  readonly messages: Pick<Messages, 'badInput' | 'checkFailed' | 'noResult' | 'redactor' | 'tooDeep'>;
}

/** What has an input to check. */
type Checks = Pick<CompiledTool, 'name' | 'schema'>;

/** `parsed`: what the schema made of it, for the tool. */
export type InputRead =
  | { readonly ok: true; readonly parsed: unknown }
  | { readonly ok: false; readonly observation: string };

/** `input`: as it is recorded; of one that does not fit, what may be recorded. `coerced`: what was changed. */
export type InputChecked = InputRead & { readonly input: JsonValue | null; readonly coerced: readonly string[] };

/** Returns what cancels it. */
export function checkInput(
  input: JsonValue | null,
  tool: Checks,
  gate: InputGate,
  done: (checked: InputChecked) => void,
): () => void {
  const given = input ?? {};
  return fitValue(given, tool.schema, gate, (fitted) => {
    const recorded = fitted.value === given ? input : fitted.value;
    if (fitted.ok) return done({ ...fitted, input: recorded });
    done({ ok: false, input: recorded, coerced: [], observation: told(fitted.fault, tool, gate.messages) });
  });
}

/** Once more, as it passed the gate: a tool may write into what it was given. Returns what cancels it. */
export function readInput(
  input: JsonValue | null,
  tool: Checks,
  gate: InputGate,
  done: (read: InputRead) => void,
): () => void {
  const copy = copyInput(input ?? {}) ?? {};
  return checkValue(
    () => tool.schema.check(copy),
    gate,
    (checked) => done(checked.ok ? checked : { ok: false, observation: told(checked.fault, tool, gate.messages) }),
  );
}

function told(fault: Fault, { name, schema }: Checks, messages: InputGate['messages']): string {
  return fault.kind === 'unfit'
    ? messages.badInput(name, fault.problems, exampleOf(schema))
    : messages.checkFailed(name, whyOf(fault, messages));
}
