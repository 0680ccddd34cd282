/** What the definition of a machine says: its states, its transitions in order of precedence, and their names. Pure. */
import type { AnyStateNode, AnyTransitionDefinition } from 'xstate';

/** The state and all that is in it, outer ones first. */
export function nodesFrom(node: AnyStateNode): readonly AnyStateNode[] {
  return [node, ...childrenOf(node).flatMap(nodesFrom)];
}

export function childrenOf(node: AnyStateNode): readonly AnyStateNode[] {
  return Object.values(node.states);
}

/** Those of the state itself. What is done at once comes last: an event of the state is not looked at before. */
export function transitionsOf(node: AnyStateNode): readonly AnyTransitionDefinition[] {
  return [...[...node.transitions.values()].flat(), ...(node.always ?? [])];
}

/** `THOUGHT.reasoning`; empty for the machine itself. */
export function nameOfNode({ path }: AnyStateNode): string {
  return path.join('.');
}

/** The state that entering leads to first; null where there is none, such as in a parallel one. */
export function initialIn(node: AnyStateNode): AnyStateNode | null {
  return node.type === 'compound' ? (node.initial.target[0] ?? null) : null;
}

/**
 * Each way from one innermost state to another that the definition allows, as `pathOf` names it: `OBSERVATION > FINAL`. What
 * holds in an outer state holds in every inner one.
 */
export function movesOfMachine(root: AnyStateNode): ReadonlySet<string> {
  const moves = nodesFrom(root).flatMap((node) =>
    transitionsOf(node).flatMap(({ target }) =>
      (target ?? []).flatMap((to) =>
        innermost(node)
          .filter(({ type }) => type !== 'final')
          .map((from) => `${nameOfNode(from)} > ${nameOfNode(firstIn(to))}`),
      ),
    ),
  );
  return new Set(moves);
}

function innermost(node: AnyStateNode): readonly AnyStateNode[] {
  const inner = childrenOf(node);
  return inner.length === 0 ? [node] : inner.flatMap(innermost);
}

function firstIn(node: AnyStateNode): AnyStateNode {
  const first = initialIn(node);
  return first === null ? node : firstIn(first);
}

/** With its parameter where it has one, such as `stopIs action`; empty where it has no name. */
export function guardName(guard: AnyTransitionDefinition['guard']): string {
  if (typeof guard === 'string') return guard;
  if (typeof guard === 'function') return guard.name;
  return guard === undefined ? '' : namedWith(guard, 'stop');
}

/** With its parameter where it has one, such as `endWith timeout`. */
export function actionName(action: unknown): string {
  if (typeof action === 'string') return action;
  if (typeof action === 'function') return action.name;
  return namedWith(action, 'reason');
}

function namedWith(given: unknown, parameter: string): string {
  if (!isRecord(given) || typeof given.type !== 'string') return '';
  const { type, params } = given;
  const value = isRecord(params) && Object.hasOwn(params, parameter) ? params[parameter] : undefined;
  return value === undefined ? type : `${type} ${String(value)}`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
