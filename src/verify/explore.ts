/**
 * Every path of the machine, up to a bound: breadth first through the port, all events in every state, all laws on every
 * edge. It proves nothing about the shell (the simulator looks there), and for larger budgets the argument of
 * `docs/verify.md` goes on from here.
 */

import type { Command } from '../../machines/commands.ts';
import { type Edge, type Happening, isUnchanged, nameOf } from '../../machines/edge.ts';
import { checkLaws, lawNames } from '../../machines/laws.ts';
import type { ReactMachine } from '../../machines/react.machine.ts';
import { mayGoOn } from '../../machines/reopen.ts';
import type { ReactEvent } from '../core/events.ts';
import type { RunLimits } from '../core/snapshot.ts';
import { createPort, isDone, type Port, type ReactSnapshot } from '../step.ts';
import { eventsIn } from './alphabet.ts';
import { type Bounds, budgetsUpTo, type Explored, readBounds } from './budgets.ts';
import { longestPath } from './longest-path.ts';
import { begin, beyondLaws, goneOn, type Met, moveBy, takenUp } from './moves.ts';
import { createStateGraph, type Found, type StateGraph } from './state-graph.ts';
import { waysOut } from './ways-out.ts';

export interface ExploreOptions {
  /** A machine that was changed or built anew; default: the shipped one. */
  readonly machine?: ReactMachine;
  /** How far; defaults in `defaultBounds`. */
  readonly bounds?: Partial<Bounds>;
}

/** One happening on the way to a broken law. */
export interface PathStep {
  readonly event: Happening;
  /** The state after it. */
  readonly state: string;
  readonly commands: readonly Command['type'][];
}

export interface Counterexample {
  /** The laws that the last step breaks. */
  readonly broken: readonly string[];
  readonly limits: RunLimits;
  /** From the first state; the shortest there is. */
  readonly path: readonly PathStep[];
}

/** What was covered, and whether every law held. */
export interface Exploration {
  readonly ok: boolean;
  readonly machineHash: string;
  /** A machine was given. The hash does not show what its guards and actions do. */
  readonly own: boolean;
  readonly bounds: Bounds;
  readonly laws: readonly string[];
  /** Budgets that were explored whole. */
  readonly budgets: number;
  readonly states: number;
  /** Transitions that changed something. */
  readonly edges: number;
  /** Snapshots that were stored and taken up again, one in every state that is no end. */
  readonly restores: number;
  /** Ends from which a run went on with larger limits. */
  readonly reopened: number;
  /** Events that changed nothing: late, foreign, twice, of no use in the state. */
  readonly ignored: number;
  /** The most transitions between the first state and an end. */
  readonly longestPath: number;
  /** How often each state was entered. */
  readonly entered: ReadonlyMap<string, number>;
  readonly counterexample: Counterexample | null;
}

/** Explores at once, and blocks meanwhile. Throws AgentError (`invalid_option`) for a bound that is none. */
export function explore(options: ExploreOptions = {}): Exploration {
  const explorer = exploring(options);
  for (;;) {
    const turn = explorer.next();
    if (turn.done === true) return turn.value;
  }
}

/** The same piece by piece: gives what was covered so far, every so many states, and in the end the whole. */
export function* exploring({ machine, bounds: given }: ExploreOptions = {}): Generator<Exploration, Exploration> {
  const bounds = readBounds(given);
  const port = createPort(machine);
  let total: Exploration = nothing(port, bounds, machine !== undefined);
  for (const explored of budgetsUpTo(bounds)) {
    const explorer = exploreBudget(port, explored);
    let turn = explorer.next();
    for (; turn.done !== true; turn = explorer.next()) yield { ...sum(total, turn.value), budgets: total.budgets };
    total = sum(total, turn.value);
    if (!total.ok) return total;
    yield total;
  }
  return total;
}

type Part = Omit<Exploration, 'ok' | 'machineHash' | 'own' | 'bounds' | 'laws' | 'budgets'>;

function nothing({ machineHash }: Port, bounds: Bounds, own: boolean): Exploration {
  const counts = { budgets: 0, states: 0, edges: 0, restores: 0, reopened: 0, ignored: 0, longestPath: 0 };
  const laws = [...Object.values(beyondLaws), ...lawNames];
  return { ok: true, machineHash, own, bounds, laws, ...counts, entered: new Map(), counterexample: null };
}

function sum(total: Exploration, part: Part): Exploration {
  const entered = new Map(total.entered);
  for (const [state, times] of part.entered) entered.set(state, times + (entered.get(state) ?? 0));
  return {
    ...total,
    ok: part.counterexample === null,
    budgets: total.budgets + (part.counterexample === null ? 1 : 0),
    states: total.states + part.states,
    edges: total.edges + part.edges,
    restores: total.restores + part.restores,
    reopened: total.reopened + part.reopened,
    ignored: total.ignored + part.ignored,
    longestPath: Math.max(total.longestPath, part.longestPath),
    entered,
    counterexample: part.counterexample,
  };
}

/** One exploration of one budget, as it goes. */
function* exploreBudget(port: Port, explored: Explored): Generator<Part, Part> {
  const { limits } = explored;
  const graph = createStateGraph();
  const judgement = createJudgement(port, limits, graph);
  const walk = createWalk(port, explored, graph, judgement);
  const part = (length: number): Part => ({
    ...{ states: graph.states.length, edges: graph.edges.length, ...walk.counts() },
    ...{ longestPath: length, entered: graph.entered, counterexample: judgement.counterexample() },
  });

  walk.meet({ from: null, ...begin(port, limits) });
  for (let index = 0; index < graph.states.length && judgement.counterexample() === null; index++) {
    const found = graph.states[index];
    if (found === undefined) break;
    if (index % statesATurn === statesATurn - 1) yield part(0);
    walk.tryAll(index, found);
    walk.tryAgain(index, found);
  }
  const { length, cycle } = longestPath(graph.states.length, graph.edges);
  if (cycle !== null) judgement.fault(beyondLaws.ends, cycle[0] ?? null);
  return part(length);
}

interface Judgement {
  /** The step that an edge is, which must break no law. */
  judge(met: Met): PathStep;
  /** What is wrong with the state of that number. */
  fault(what: string, at: number | null): void;
  /** The first that was found. */
  counterexample(): Counterexample | null;
}

function createJudgement(port: Port, limits: RunLimits, graph: StateGraph): Judgement {
  let first: Counterexample | null = null;
  return {
    judge({ from, edge, snapshot, beyond, cause = edge.event }) {
      const step = { event: cause, state: nameOf(edge.after.state), commands: edge.commands.map(({ type }) => type) };
      const broken = [...beyond, ...checkLaws(edge), ...restProblems(port, snapshot)];
      if (broken.length > 0) first ??= { broken, limits, path: [...graph.pathTo(from), step] };
      return step;
    },
    fault(what, at) {
      first ??= { broken: [what], limits, path: graph.pathTo(at) };
    },
    counterexample: () => first,
  };
}

function createWalk(port: Port, explored: Explored, graph: StateGraph, { judge, fault }: Judgement) {
  let [restores, reopened, ignored] = [0, 0, 0];

  /** The number of the state that an edge leads to. */
  const meet = (met: Met): number =>
    graph.reach({ snapshot: met.snapshot, rest: met.edge.after }, met.from, judge(met));

  /** The edge that an event led along; null where it changed nothing. */
  const tryEvent = (from: number, found: Found, event: ReactEvent): Edge | null => {
    const moved = moveBy(port, found, event);
    if (moved === null) {
      ignored++;
      return null;
    }
    const to = meet({ from, ...moved });
    if (!isUnchanged(moved.edge)) graph.connect(from, to);
    return moved.edge;
  };

  return {
    meet,
    counts: () => ({ restores, reopened, ignored }),
    tryAll(from: number, found: Found) {
      const events = eventsIn(found.rest.context, explored);
      const edges = events.map((event) => tryEvent(from, found, event)).filter((edge) => edge !== null);
      if (isDone(found.snapshot)) return;
      const deaf = waysOut(port.outstanding(found.snapshot).commands).find(({ taken }) => !edges.some(taken));
      if (deaf !== undefined) fault(`${beyondLaws.heard}: ${deaf.what}`, from);
    },
    /** From a snapshot; from an end with one more of everything, and each run so only once. */
    tryAgain(from: number, found: Found) {
      if (!isDone(found.snapshot)) {
        restores++;
        meet({ from, ...takenUp(port, found) });
        return;
      }
      const { stopReason, limits } = found.rest.context;
      if (!mayGoOn(stopReason) || limits.maxSteps !== explored.limits.maxSteps) return;
      reopened++;
      const met = { from, ...goneOn(port, found) };
      if (explored.reopens === true) meet(met);
      else judge(met);
    },
  };
}

/** So that whoever shows the progress, or wants to stop, has a turn a few times a second. */
const statesATurn = 500;

function restProblems(port: Port, snapshot: ReactSnapshot): readonly string[] {
  if (isDone(snapshot)) return [];
  const { deadlineMs, commands } = port.outstanding(snapshot);
  const waits = commands.some(({ type }) => type === 'askApproval');
  return deadlineMs === null && !waits ? [beyondLaws.armed] : [];
}
