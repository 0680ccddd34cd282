/**
 * When two states of the machine are the same: a text that is equal for equal states and different for different ones.
 * The whole context counts, whatever a changed machine keeps in it. (The usual key of graph libraries is JSON, for which
 * every Error is `{}` and undefined is nothing: it hides states.) Pure.
 */
import type { Rest } from '../../machines/edge.ts';
import { AgentError } from '../core/errors.ts';

/** Of the limits only one counts: the others stand for all states of an exploration, or grow with it where a run goes on. */
export function stateKey({ state, context }: Rest): string {
  const { limits, ...rest } = context;
  return `${limits.maxSteps}${typeof state === 'string' ? state : canonical(state)}${canonical(rest)}`;
}

function canonical(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'bigint':
      return `${value}n`;
    case 'object':
      return value === null ? 'null' : canonicalObject(value);
    case 'function':
    case 'symbol':
      throw new AgentError('invalid_option', `A ${typeof value} in the context of the machine cannot be compared.`, {
        hint: 'Keep plain data there: it must survive a snapshot.',
      });
    default:
      return String(value);
  }
}

function canonicalObject(value: object): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value instanceof Error) return `Error(${canonical([value.name, value.message, value.cause])})`;
  if (value instanceof Date) return `Date(${value.getTime()})`;
  if (value instanceof Map) return `Map(${[...value].map(canonical).sort().join()})`;
  if (value instanceof Set) return `Set(${[...value].map(canonical).sort().join()})`;
  // In their own order: where two equal states were built in different orders they count as two, and none is missed.
  let fields = '';
  for (const key of Object.keys(value)) fields += `${JSON.stringify(key)}:${canonical(Reflect.get(value, key))},`;
  return `{${fields}}`;
}
