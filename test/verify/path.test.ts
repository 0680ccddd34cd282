/** `pathOf` names the states that the machine itself entered, on every edge of an exploration; the microsteps are XState's. */
import { describe, expect, it, test } from 'vitest';
import { getInitialMicrosteps, getMicrosteps } from 'xstate';
import type { Happening } from '../../machines/edge.ts';
import type { ReactEvent } from '../../src/core/events.ts';
import { charts } from '../../src/observe/chart/layout.ts';
import { type Moving, movesOf, pathOf, stateName } from '../../src/observe/chart/path.ts';
import { createPort, isDone, type ReactSnapshot, restOf } from '../../src/step.ts';
import { eventsIn } from '../../src/verify/alphabet.ts';
import type { Explored } from '../../src/verify/budgets.ts';
import { begin, type Moved, moveBy } from '../../src/verify/moves.ts';
import { stateKey } from '../../src/verify/state-key.ts';
import { limits } from '../machine/driver.ts';

const port = createPort();

/** One edge: what `pathOf` says of it, and what the machine did. */
interface Compared {
  readonly what: string;
  readonly path: readonly string[];
  readonly entered: readonly string[];
}

/** `entered`: nothing where the machine stayed as it was, of which no command and no reducer of an entry tells. */
function comparedEvent(before: ReactSnapshot, event: ReactEvent, after: ReactSnapshot): Compared {
  const from = stateName(before.value);
  const steps = getMicrosteps(port.machine, before, event);
  const stays = steps.length === 1 && from === stateName(after.value) && !steps[0]?.[1].some(entersOrLeaves);
  const entered = stays ? [] : [from, ...steps.map(([{ value }]) => stateName(value))];
  return { what: `${from} ${event.type}`, path: pathOf(before.value, recorded(event, after)), entered };
}

/** The commands that entering or leaving a state emits, and no event that stays in it. */
function entersOrLeaves({ type }: { readonly type: string }): boolean {
  return ['cancelCalls', 'closeApproval', 'cancelReply'].includes(type);
}

function recorded({ type }: Happening, { value }: ReactSnapshot): Moving {
  if (type === 'run.restored') throw new Error('Nothing is restored here.');
  return { type, state: value };
}

function comparedFirst({ limits }: Explored): Compared & { readonly first: Moved } {
  const first = begin(port, limits);
  const path = pathOf(null, recorded(first.edge.event, first.snapshot));
  const entered = getInitialMicrosteps(port.machine, { limits }).map(([{ value }]) => stateName(value));
  return { what: 'the first state', path, entered, first };
}

function obeyedIn({ edge: { event } }: Moved): ReactEvent {
  if (event.type === 'run.started' || event.type === 'run.restored') throw new Error(`${event.type} is no move.`);
  return event;
}

/** Breadth first, so that every kind of state is among them. */
const mostStates = 400;

function* edgesOf(explored: Explored): Generator<Compared> {
  const { first, ...compared } = comparedFirst(explored);
  yield compared;
  const states = [first.snapshot];
  const known = new Set([stateKey(first.edge.after)]);
  for (const snapshot of states) {
    if (isDone(snapshot)) continue;
    const rest = restOf(snapshot);
    for (const event of eventsIn(rest.context, explored)) {
      const moved = moveBy(port, { snapshot, rest }, event);
      if (moved === null) continue;
      yield comparedEvent(snapshot, obeyedIn(moved), moved.snapshot);
      const key = stateKey(moved.edge.after);
      if (!known.has(key) && known.size < mostStates) states.push(moved.snapshot);
      known.add(key);
    }
  }
}

const budget = { maxSteps: 2, maxToolCalls: 2, maxViolations: 2, maxToolErrors: 2, wallClockMs: 1_000 };
const most = limits({ ...budget, maxParallel: 2, loopGuard: null });
/** A budget for each part of the machine. */
const explored: readonly Explored[] = [
  { limits: most, callsPerReply: 2, plainCalls: true },
  { limits: { ...most, checksAnswer: true }, callsPerReply: 1 },
  { limits: { ...most, modelRetries: 1, maxTokens: 5 }, callsPerReply: 1, plainCalls: true },
  { limits: { ...most, maxSteps: 0 }, callsPerReply: 1 },
];
const all = explored.flatMap((budget) => [...edgesOf(budget)]);

describe('against the machine', () => {
  it('names the states that were entered, on every edge', () => {
    const isKept = ({ path, entered }: Compared) =>
      entered.length === 0 && path.join() === 'ACTION.running,ACTION.running';
    const wrong = all.filter(({ path, entered }) => path.join() !== entered.join());
    // What a trace does not tell: whether others are in flight, or the next calls start.
    const others = wrong.filter((compared) => !isKept(compared));
    expect(others.slice(0, 5)).toEqual([]);
    expect(new Set(wrong.map(({ what }) => what))).toEqual(new Set(['ACTION.running call.settled']));
    expect(all.length).toBeGreaterThan(5_000);
  });

  it.each(Object.entries(charts))('the %s chart has each way that was gone, and no other', (_name, { ways }) => {
    const gone = new Set(all.flatMap(({ entered }) => movesOf(entered)));
    expect(ways.flatMap(({ moves }) => moves).toSorted()).toEqual([...gone].toSorted());
  });
});

const reasoning = { THOUGHT: 'reasoning' };

test.each<[string, Parameters<typeof pathOf>, readonly string[]]>([
  ['a fact that is no event of the machine', [reasoning, { type: 'prompt.sent', state: reasoning }], []],
  ['an event that was dropped', [reasoning, { type: 'reply.ended', state: reasoning, ignored: true }], []],
  ['a run that goes on where it was', [reasoning, { type: 'run.resumed', state: reasoning }], []],
  ['a run that goes on from an end', ['ERROR', { type: 'run.resumed', state: reasoning }], ['THOUGHT.reasoning']],
  [
    'a trace whose beginning is missing',
    [null, { type: 'call.settled', state: reasoning }],
    ['OBSERVATION', 'THOUGHT.reasoning'],
  ],
  [
    'an abort goes straight to the end',
    [{ ACTION: 'running' }, { type: 'run.aborted', state: 'ERROR' }],
    ['ACTION.running', 'ERROR'],
  ],
  [
    'a violation that blows the fuse',
    [reasoning, { type: 'reply.ended', state: 'ERROR' }],
    ['THOUGHT.reasoning', 'OBSERVATION', 'ERROR'],
  ],
])('%s', (_what, given, path) => {
  expect(pathOf(...given)).toEqual(path);
});
