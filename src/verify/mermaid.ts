/** A machine as a Mermaid state diagram, from its definition. Pure. */
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { childrenOf, guardName, initialIn, nameOfNode, nodesFrom, transitionsOf } from './machine-nodes.ts';

interface Drawn {
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

type Ids = ReadonlyMap<AnyStateNode, string>;

/**
 * Inner states inside their outer state, and between two states one arrow with a line for each guard (for the event, where it is
 * not guarded). What may happen in every state, such as an abort, is left out, and so is what leads nowhere else.
 */
export function mermaidOf({ root }: AnyStateMachine): string {
  const ids = idsOf(root);
  return [
    'stateDiagram-v2',
    '  direction LR',
    ...aliases(root, ids),
    ...(root.type === 'parallel' ? regions(childrenOf(root), ids, '  ') : sequence(root, ids, '  ')),
  ].join('\n');
}

function block(state: AnyStateNode, ids: Ids, indent: string): readonly string[] {
  const inner = childrenOf(state);
  if (inner.length === 0) return [];
  const deeper = `${indent}  `;
  return [
    `${indent}state ${idIn(ids, state)} {`,
    ...(state.type === 'parallel' ? regions(inner, ids, deeper) : sequence(state, ids, deeper)),
    `${indent}}`,
  ];
}

/** One state at a time. */
function sequence(state: AnyStateNode, ids: Ids, indent: string): readonly string[] {
  return [
    ...beginning(state, ids, indent),
    ...childrenOf(state).flatMap((child) => block(child, ids, indent)),
    ...inside(state, ids, indent),
    ...ends(state, ids, indent),
  ];
}

/** All states at once, each in a region of its own. */
function regions(inner: readonly AnyStateNode[], ids: Ids, indent: string): readonly string[] {
  return inner.flatMap((child, index) => {
    const lines = childrenOf(child).length === 0 ? [`${indent}${idIn(ids, child)}`] : block(child, ids, indent);
    return index === 0 ? lines : [`${indent}--`, ...lines];
  });
}

function beginning(state: AnyStateNode, ids: Ids, indent: string): readonly string[] {
  const first = initialIn(state);
  return first === null ? [] : [`${indent}[*] --> ${ids.get(first)}`];
}

function ends(state: AnyStateNode, ids: Ids, indent: string): readonly string[] {
  const finals = childrenOf(state).filter(({ type }) => type === 'final');
  return finals.map((end) => `${indent}${ids.get(end)} --> [*]`);
}

/** The arrows between the states in one state, and those of them that no arrow names. */
function inside(state: AnyStateNode, ids: Ids, indent: string): readonly string[] {
  const children = childrenOf(state);
  const edges = children.flatMap((child) =>
    nodesFrom(child).flatMap((node) =>
      edgesOf(node).flatMap(({ target, label }) => {
        const to = children.find((other) => nodesFrom(other).includes(target));
        const isDeeper = to === child && !(node === child && target === child);
        return to === undefined || isDeeper ? [] : [{ from: idIn(ids, child), to: idIn(ids, to), label }];
      }),
    ),
  );
  const alone = children.filter(
    (child) => childrenOf(child).length === 0 && !edges.some(({ from, to }) => [from, to].includes(idIn(ids, child))),
  );
  return [...merged(edges).map(line), ...alone.map((child) => idIn(ids, child))].map((text) => `${indent}${text}`);
}

function edgesOf(node: AnyStateNode) {
  return transitionsOf(node).flatMap((transition) =>
    (transition.target ?? []).map((target) => ({ target, label: labelOf(transition) })),
  );
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
  return plain(guardName(guard) || eventType);
}

function idIn(ids: Ids, node: AnyStateNode): string {
  return ids.get(node) ?? '';
}

/** The name of each state, where Mermaid takes it and no other state has it. The machine itself has none. */
function idsOf(root: AnyStateNode): Ids {
  const nodes = nodesFrom(root).slice(1);
  const times = new Map<string, number>();
  for (const { key } of nodes) times.set(key, 1 + (times.get(key) ?? 0));
  const isPlain = (key: string) => /^[A-Za-z_]\w*$/.test(key) && !reserved.has(key.toLowerCase());
  return new Map(
    nodes.map((node, index) => [node, isPlain(node.key) && times.get(node.key) === 1 ? node.key : `s${index}_`]),
  );
}

const reserved: ReadonlySet<string> = new Set(
  'as class classdef direction end hide note scale state statediagram style'.split(' '),
);

function aliases(root: AnyStateNode, ids: Ids): readonly string[] {
  return nodesFrom(root)
    .slice(1)
    .filter((node) => ids.get(node) !== node.key)
    .map((node) => `  state "${plain(nameOfNode(node)).replaceAll('"', "'")}" as ${ids.get(node)}`);
}

/** In one line, and no markup: Mermaid reads `<`, `#` and `;` as its own. */
function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').replaceAll(/[<>#;]/g, (sign) => `#${sign.charCodeAt(0)};`);
}
