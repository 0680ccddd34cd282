/** The picture and the table of the machine, printed from the machine itself. */
import type { AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { createReactMachine } from '../../machines/react.machine.ts';

interface Drawn {
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

/** A Mermaid state diagram: inner states inside their outer state, and edges between outer states from outside. */
export function diagram(): string {
  const { root } = createReactMachine();
  const outer = Object.values(root.states);
  return [
    'stateDiagram-v2',
    '  direction LR',
    `  [*] --> ${initialOf(root)}`,
    ...outer.flatMap((state) => block(state)),
    ...merged(outer.flatMap((state) => crossings(state))).map((edge) => `  ${line(edge)}`),
    ...outer.filter(({ type }) => type === 'final').map(({ key }) => `  ${key} --> [*]`),
  ].join('\n');
}

/** Every transition, in order of precedence, as a Markdown table. */
export function transitionTable(): string {
  const { root } = createReactMachine();
  const rows = nodesFrom(root).flatMap((node) =>
    transitionsOf(node).map((transition) => `| ${cells(node, transition).join(' | ')} |`),
  );
  return ['| in | event | guard | to | actions |', '| --- | --- | --- | --- | --- |', ...rows].join('\n');
}

/** What entering and leaving each state emits. */
export function entryTable(): string {
  const { root } = createReactMachine();
  const rows = nodesFrom(root)
    .filter(({ entry, exit }) => entry.length + exit.length > 0)
    .map((node) => `| ${pathOf(node)} | ${names(node.entry)} | ${names(node.exit)} |`);
  return ['| state | on entry | on exit |', '| --- | --- | --- |', ...rows].join('\n');
}

function block(state: AnyStateNode): readonly string[] {
  const inner = Object.values(state.states);
  if (inner.length === 0) return [];
  const edges = inner.flatMap((node) =>
    edgesOf(node)
      .filter(({ target }) => target.parent === state)
      .map(({ target, label }) => ({ from: node.key, to: target.key, label })),
  );
  const alone = inner.filter(({ key }) => !edges.some(({ from, to }) => from === key || to === key));
  return [
    `  state ${state.key} {`,
    `    [*] --> ${initialOf(state)}`,
    ...merged(edges).map((edge) => `    ${line(edge)}`),
    ...alone.map(({ key }) => `    ${key}`),
    '  }',
  ];
}

/** The edges that leave an outer state, from it or from within. */
function crossings(state: AnyStateNode): readonly Drawn[] {
  return nodesFrom(state).flatMap((node) =>
    edgesOf(node)
      .filter(({ target }) => outerOf(target) !== state)
      .map(({ target, label }) => ({ from: state.key, to: outerOf(target).key, label })),
  );
}

function edgesOf(node: AnyStateNode) {
  return transitionsOf(node).flatMap((transition) => {
    const target = transition.target?.[0];
    return target === undefined ? [] : [{ target, label: labelOf(transition) }];
  });
}

function transitionsOf(node: AnyStateNode): readonly AnyTransitionDefinition[] {
  return [...[...node.transitions.values()].flat(), ...(node.always ?? [])];
}

/** One arrow for each pair of states, with all its labels. */
function merged(edges: readonly Drawn[]): readonly Drawn[] {
  const pairs = new Map<string, Drawn>();
  for (const edge of edges) {
    const key = `${edge.from} ${edge.to}`;
    const labels = new Set([...(pairs.get(key)?.label.split('<br>') ?? []), edge.label]);
    pairs.set(key, { ...edge, label: [...labels].filter((label) => label !== '').join('<br>') });
  }
  return [...pairs.values()];
}

function line({ from, to, label }: Drawn): string {
  return `${from} --> ${to}${label === '' ? '' : `: ${label}`}`;
}

/** The guard where there is one, because it says why; otherwise the event. */
function labelOf({ eventType, guard }: AnyTransitionDefinition): string {
  return guard === undefined ? eventType : guardName(guard);
}

function guardName(guard: AnyTransitionDefinition['guard']): string {
  if (typeof guard === 'string' || guard === undefined) return guard ?? '';
  if (typeof guard !== 'object' || !('type' in guard)) return '';
  const params: unknown = 'params' in guard ? guard.params : undefined;
  const stop = typeof params === 'object' && params !== null && 'stop' in params ? ` ${String(params.stop)}` : '';
  return `${String(guard.type)}${stop}`;
}

function cells(node: AnyStateNode, transition: AnyTransitionDefinition): readonly string[] {
  const { eventType, guard, target, actions } = transition;
  const event = eventType === '' ? '(at once)' : `\`${eventType}\``;
  return [pathOf(node) || '(any)', event, code(guardName(guard)), pathOf(target?.[0]) || '(stays)', names(actions)];
}

function names(actions: readonly unknown[]): string {
  return actions.map((action) => code(actionName(action))).join(', ');
}

function actionName(action: unknown): string {
  if (typeof action === 'string') return action;
  if (typeof action !== 'object' || action === null || !('type' in action)) return '';
  const params = 'params' in action ? action.params : undefined;
  const reason = typeof params === 'object' && params !== null && 'reason' in params ? ` ${String(params.reason)}` : '';
  return `${String(action.type)}${reason}`;
}

function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}

function nodesFrom(node: AnyStateNode): readonly AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap(nodesFrom)];
}

function pathOf(node: AnyStateNode | undefined): string {
  return node?.path.join('.') ?? '';
}

function outerOf(node: AnyStateNode): AnyStateNode {
  return node.path.length <= 1 || node.parent === undefined ? node : outerOf(node.parent);
}

function initialOf(node: AnyStateNode): string {
  return node.initial.target[0]?.key ?? '';
}
