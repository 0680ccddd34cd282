/** The edges of an exploration: the beginning, events, and runs that are left and taken up again. */
import { initialContext } from '../../machines/context.ts';
import type { Edge, Happening, Rest } from '../../machines/edge.ts';
import type { MachineFailed, ReactEvent } from '../core/events.ts';
import type { RunLimits } from '../core/snapshot.ts';
import { type Port, type ReactSnapshot, restOf, stateOf } from '../step.ts';
import type { Found } from './state-graph.ts';
import { stateKey } from './state-key.ts';

/** What an edge alone does not show. */
export const beyondLaws = {
  throws: 'no guard and no reducer throws',
  armed: 'a deadline is armed in every state that is not a pause',
  lasts: 'a snapshot that is taken up again is the same state',
  ends: 'no path comes back to a state it was in',
  heard: 'the deadline, an abort and every answer to what is due are obeyed in every state',
} as const;

export interface Met {
  /** The number of the state before; null for the first edge. */
  readonly from: number | null;
  readonly edge: Edge;
  readonly snapshot: ReactSnapshot;
  /** What is wrong beyond the laws. */
  readonly beyond: readonly string[];
  readonly cause?: Happening;
}

export type Moved = Omit<Met, 'from'>;

export function begin(port: Port, limits: RunLimits): Moved {
  const before = { state: 'OBSERVATION', context: initialContext({ limits }) };
  const { snapshot, commands, failed } = port.start(limits);
  const edge = { before, event: { type: 'run.started' } as const, after: restOf(snapshot), commands };
  return { edge, snapshot, beyond: failed === undefined ? [] : [threw(failed)] };
}

/** Null where the event changed nothing. */
export function moveBy(port: Port, { snapshot, rest }: Found, event: ReactEvent): Moved | null {
  const stepped = port.step(snapshot, event);
  if (stepped.snapshot === snapshot && stepped.commands.length === 0) return null;
  const { commands, expired, failed } = stepped;
  const edge = { before: rest, event: failed ?? expired ?? event, after: restOf(stepped.snapshot), commands };
  const moved = { edge, snapshot: stepped.snapshot };
  if (failed === undefined || event.type === 'machine.failed') return { ...moved, beyond: [] };
  return { ...moved, beyond: [threw(failed)], cause: event };
}

/** Stored as text and taken up again: the same state, and what is due in it. */
export function takenUp(port: Port, { snapshot: before, rest }: Found): Moved {
  const plain: Rest = JSON.parse(JSON.stringify(rest));
  const snapshot = port.restore(plain.state, plain.context);
  const after = restOf(snapshot);
  const { commands } = port.outstanding(snapshot);
  const expected = { ...rest, state: stateOf(port.restore(stateOf(before), before.context)) };
  const beyond = stateKey(after) === stateKey(expected) ? [] : [beyondLaws.lasts];
  return { edge: { before: rest, event: { type: 'run.restored' }, after, commands }, snapshot, beyond };
}

/** From an end, with one more of everything. */
export function goneOn(port: Port, { rest }: Found): Moved {
  const { snapshot, commands, failed } = port.reopen(rest.context, oneMore(rest.context.limits));
  const beyond = failed === undefined ? [] : [threw(failed)];
  return {
    edge: { before: rest, event: { type: 'run.restored' }, after: restOf(snapshot), commands },
    snapshot,
    beyond,
  };
}

/** Tokens and time are given by more than an event takes. */
function oneMore(limits: RunLimits): RunLimits {
  return {
    ...limits,
    maxSteps: limits.maxSteps + 1,
    maxToolCalls: limits.maxToolCalls + 1,
    maxViolations: limits.maxViolations + 1,
    maxToolErrors: limits.maxToolErrors + 1,
    maxTokens: limits.maxTokens + 10,
    wallClockMs: limits.wallClockMs + 1_000,
  };
}

function threw({ message }: MachineFailed): string {
  return `${beyondLaws.throws}: ${message.replaceAll('\n', ' ')}`;
}
