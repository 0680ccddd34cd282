/** The definition of a machine as data, for whoever draws it. Functions become names. Pure. */
import { plainJson } from '../../core/plain-json.ts';

/** A machine of XState 5, or logic that says of which machine its actors are, as `agent.logic` does. */
export interface Defined {
  readonly config: object;
}

/** As the inspector of XState 5 reads it: the config, where a function is an object with its name. */
export function definitionOf({ config }: Defined): string {
  return JSON.stringify(plainJson(named(config, 0), { mostValues: 50_000, mostCharacters: 500_000 }));
}

/** A definition nests states in states; what is deeper than this is no machine. */
const deepest = 60;

function named(value: unknown, level: number): unknown {
  if (typeof value === 'function') return { type: nameOf(value) };
  if (typeof value !== 'object' || value === null || level > deepest) return value;
  if (Array.isArray(value)) return value.map((item) => named(item, level + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, named(item, level + 1)]));
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
