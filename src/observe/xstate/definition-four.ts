/**
 * A machine of XState 5 as version 4 takes it, for drawing: `guard` is `cond`, targets are ids, and nothing has a name that
 * means something to version 4 (`xstate.assign`). Nothing of it is meant to run. Pure.
 */
import { type Defined, idOf, memberOf, nameOf } from './definition.ts';

/** As JSON: what `createMachine(JSON.parse(…))` of xstate 4 takes. */
export function definitionFour({ config }: Defined): string {
  const id = idOf(config);
  return JSON.stringify({ ...stateFour(config, { id, path: [id] }), predictableActionArguments: true });
}

type Data = { readonly [key: string]: unknown };

interface Place {
  /** Of the machine. */
  readonly id: string;
  /** Of the state: the machine's id, and the names of the states down to it. */
  readonly path: readonly string[];
}

function stateFour(config: unknown, place: Place): Data {
  const states = entriesIn(memberOf(config, 'states')).map(([name, inner]) => [
    name,
    stateFour(inner, { ...place, path: [...place.path, name] }),
  ]);
  const on = entriesIn(memberOf(config, 'on')).map(([event, given]) => [event, transitionsFour(given, place)]);
  return {
    // An own id of a state would be lost, and with it the targets that name it.
    ...textIn(config, 'id'),
    ...textIn(config, 'initial'),
    ...textIn(config, 'type'),
    ...actionsIn(config, 'entry'),
    ...actionsIn(config, 'exit'),
    ...(on.length > 0 ? { on: Object.fromEntries(on) } : {}),
    ...(memberOf(config, 'always') === undefined ? {} : { always: transitionsFour(memberOf(config, 'always'), place) }),
    ...(states.length > 0 ? { states: Object.fromEntries(states) } : {}),
  };
}

function transitionsFour(given: unknown, place: Place): readonly Data[] {
  return listOf(given).map((one) => {
    const target = typeof one === 'string' ? one : listOf(memberOf(one, 'target')).find((to) => typeof to === 'string');
    const guard = memberOf(one, 'guard');
    return {
      ...(typeof target === 'string' ? { target: targetFour(target, place) } : {}),
      ...(guard === undefined ? {} : { cond: nameFour(guard) }),
      ...actionsIn(one, 'actions'),
      internal: memberOf(one, 'reenter') !== true,
    };
  });
}

/** `#id` stays; `.ERROR` is inside of the state; any other is beside it. */
function targetFour(target: string, { path }: Place): string {
  if (target.startsWith('#')) return target;
  if (target.startsWith('.')) return `#${path.join('.')}${target}`;
  const outer = path.length > 1 ? path.slice(0, -1) : path;
  return `#${[...outer, target].join('.')}`;
}

function actionsIn(config: unknown, key: 'entry' | 'exit' | 'actions'): Data {
  const actions = listOf(memberOf(config, key)).map(nameFour);
  return actions.length > 0 ? { [key]: actions } : {};
}

/** A name with what it is given: `stopIs: action`. Version 4 acts on its own types: `xstate.assign` is `assign` here. */
function nameFour(given: unknown): string {
  const values = entriesIn(memberOf(given, 'params')).map(([, value]) => String(value));
  const name = nameOf(given).replace(/^(xstate\.)+/, '');
  return values.length > 0 ? `${name}: ${values.join(', ')}` : name;
}

function textIn(config: unknown, key: string): Data {
  const value = memberOf(config, key);
  return typeof value === 'string' ? { [key]: value } : {};
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function entriesIn(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
