/** The definition of a machine as data, for whoever draws it. Functions become names. Pure. */
import { plainJson } from '../../core/plain-json.ts';
import { redacting } from './plain.ts';

/** A machine of XState 5, or logic that says of which machine its actors are, as `agent.logic` does. */
export interface Defined {
  readonly config: object;
}

/**
 * As the inspector of XState 5 reads it: the config, where a function is an object with its name. What a host gives its machine
 * and its actors to work with (`context`, `input`) is none of it, and credentials in it are hidden.
 */
export function definitionOf({ config }: Defined): string {
  const drawn = Object.fromEntries(Object.entries(config).filter(([key]) => key !== 'context'));
  return JSON.stringify(
    plainJson(named(drawn, 'states', [], { values: mostValues }), { mostValues, words: redacting }),
  );
}

const mostValues = 50_000;

/** `key` under which it stands, and the objects that hold it. */
function named(value: unknown, key: string, above: readonly object[], room: { values: number }): unknown {
  if (typeof value === 'function') return { type: nameOf(value) };
  if (typeof value !== 'object' || value === null) return value;
  if (above.includes(value) || room.values-- <= 0) return undefined;
  const inside = [...above, value];
  if (Array.isArray(value)) return value.map((item) => named(item, key, inside, room));
  const entries = Object.entries(value).filter(([name]) => key !== 'invoke' || name !== 'input');
  return Object.fromEntries(entries.map(([name, item]) => [name, named(item, name, inside, room)]));
}

/** What the machine is called, where it says so. */
export function idOf(config: object): string {
  const id = memberOf(config, 'id');
  return typeof id === 'string' ? id : 'react';
}

/** `assign(…)` and the like are functions with a `type`. */
export function nameOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const type = memberOf(value, 'type');
  if (typeof type === 'string') return type;
  return typeof value === 'function' && value.name !== '' ? value.name : 'inline';
}

/** Undefined where it has no such member of its own. */
export function memberOf(value: unknown, name: string): unknown {
  const holds = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return holds && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

export function isDefined(value: unknown): value is Defined {
  const config = typeof value === 'object' && value !== null ? Reflect.get(value, 'config') : null;
  return typeof config === 'object' && config !== null;
}
