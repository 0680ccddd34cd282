/** The states found so far, how each was first reached, and the edges between them. */
import { nameOf, type Rest } from '../../machines/edge.ts';
import type { ReactSnapshot } from '../step.ts';
import type { PathStep } from './explore.ts';
import { stateKey } from './state-key.ts';

export interface Found {
  readonly snapshot: ReactSnapshot;
  readonly rest: Rest;
}

export interface StateGraph {
  /** In the order in which they were found: breadth first. */
  readonly states: readonly Found[];
  readonly edges: readonly (readonly [from: number, to: number])[];
  /** How often each named state was entered. */
  readonly entered: ReadonlyMap<string, number>;
  /** Adds a state unless it is known, and gives its number. `from` is null for the first of all. */
  reach(found: Found, from: number | null, step: PathStep): number;
  connect(from: number, to: number): void;
  /** The steps from the beginning to a state; none for null. */
  pathTo(index: number | null): readonly PathStep[];
}

export function createStateGraph(): StateGraph {
  const states: (Found & { readonly from: number | null; readonly step: PathStep })[] = [];
  const numbers = new Map<string, number>();
  const edges: (readonly [from: number, to: number])[] = [];
  const entered = new Map<string, number>();
  return {
    states,
    edges,
    entered,
    reach({ snapshot, rest }, from, step) {
      const name = nameOf(rest.state);
      entered.set(name, 1 + (entered.get(name) ?? 0));
      const key = stateKey(rest);
      const known = numbers.get(key);
      if (known !== undefined) return known;
      numbers.set(key, states.length);
      return states.push({ snapshot, rest, from, step }) - 1;
    },
    connect: (from, to) => edges.push([from, to]),
    pathTo(index) {
      const path: PathStep[] = [];
      for (let at = index; at !== null; ) {
        const state = states[at];
        if (state === undefined) break;
        path.unshift(state.step);
        at = state.from;
      }
      return path;
    },
  };
}
