/** The longest way through a graph without cycles, or a cycle where there is one. Pure. */

export interface Longest {
  /** In edges. */
  readonly length: number;
  /** Some nodes that no order can be found for: each is on a cycle or behind one; the first is on one. */
  readonly cycle: readonly number[] | null;
}

/** Nodes are numbered from 0. Takes away nodes that nothing leads to any more, until none is left. */
export function longestPath(nodes: number, edges: readonly (readonly [from: number, to: number])[]): Longest {
  const waiting = new Int32Array(nodes);
  const next: number[][] = Array.from({ length: nodes }, () => []);
  for (const [from, to] of edges) {
    next[from]?.push(to);
    waiting[to] = (waiting[to] ?? 0) + 1;
  }
  const depth = new Int32Array(nodes);
  const free = Array.from({ length: nodes }, (_, node) => node).filter((node) => waiting[node] === 0);
  let done = 0;
  let length = 0;
  for (let node = free.pop(); node !== undefined; node = free.pop()) {
    done++;
    const here = depth[node] ?? 0;
    length = Math.max(length, here);
    for (const to of next[node] ?? []) {
      depth[to] = Math.max(depth[to] ?? 0, here + 1);
      waiting[to] = (waiting[to] ?? 0) - 1;
      if (waiting[to] === 0) free.push(to);
    }
  }
  return { length, cycle: done === nodes ? null : stuckIn(next, waiting) };
}

/** Follows edges among the nodes that are left until one comes again. */
function stuckIn(next: readonly (readonly number[])[], waiting: Int32Array): readonly number[] {
  const isLeft = (node: number) => (waiting[node] ?? 0) > 0;
  // Every node that is left has a predecessor that is left, so that walking backwards must come round.
  const before = new Map<number, number>();
  for (const [from, tos] of next.entries())
    if (isLeft(from)) for (const to of tos) if (isLeft(to)) before.set(to, from);
  const walk: number[] = [];
  let node = [...before.keys()][0] ?? 0;
  while (!walk.includes(node)) {
    walk.push(node);
    node = before.get(node) ?? node;
  }
  return walk.slice(walk.indexOf(node)).reverse();
}
