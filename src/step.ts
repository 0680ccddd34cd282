/**
 * The port: the machine as a function. `step(snapshot, event)` gives the next snapshot and the commands that leaving and
 * entering states emitted; nothing is performed here. Shell, explorer and simulator all use this one door.
 *
 * It calls `machine.transition(snapshot, event, scope)` with one inert scope whose `actionExecutor` collects. That is
 * semi-internal to XState (its public `transition()` builds an actor for each call, 5 times as slow); a test pins the
 * contract on xstate 5.28 and 5.33.
 */
import { type AnyActorScope, createActor, createMachine, type SnapshotFrom } from 'xstate';
import { admit } from '../machines/admit.ts';
import { type Command, commandDue, commandOf } from '../machines/commands.ts';
import { initialContext, type ReactInput } from '../machines/context.ts';
import type { Rest } from '../machines/edge.ts';
import { createReactMachine, type ReactMachine } from '../machines/react.machine.ts';
import { abandonCalls, endWith, keepFailure } from '../machines/reducers.ts';
import type { ClockExpired, MachineFailed, ReactEvent } from './core/events.ts';
import { hashOf } from './core/fingerprint.ts';
import { messageOf } from './core/message-of.ts';
import type { ReactContext, RunLimits, StatePath } from './core/snapshot.ts';
import { noTokens } from './core/usage.ts';
import { reopened } from './shell/going-on.ts';

/** The machine at rest. Immutable. */
export type ReactSnapshot = SnapshotFrom<ReactMachine>;

export interface Stepped {
  readonly snapshot: ReactSnapshot;
  /** In the order in which they are to be performed. */
  readonly commands: readonly Command[];
  /** True where the event changed nothing: it was late, foreign, twice, or no state had a use for it. */
  readonly ignored: boolean;
  /** Where the deadline came first: the event that was obeyed in place of the given one. */
  readonly expired?: ClockExpired;
  /** Where a guard or a reducer threw: the event with which the run ended. */
  readonly failed?: MachineFailed;
}

export interface Outstanding {
  /** What has to be performed for the run to go on. */
  readonly commands: readonly Command[];
  /** Running time at which the run ends; null where no running time passes (a person decides, or it has ended). */
  readonly deadlineMs: number | null;
  /** Wall-clock instant at which waiting for a person ends. */
  readonly approvalUntilMs: number | null;
}

export interface Port {
  readonly machine: ReactMachine;
  /** Changes when states, events, guards or actions are renamed, added or taken away. */
  readonly machineHash: string;
  start(limits: RunLimits): Stepped;
  step(snapshot: ReactSnapshot, event: ReactEvent): Stepped;
  /** A snapshot from plain data, at rest. A reply that was being read is asked for again. */
  restore(state: StatePath, context: ReactContext): ReactSnapshot;
  /** From the context of an end, with other limits: what was left undone goes on, or the door decides at once. */
  reopen(ended: ReactContext, limits: RunLimits): Stepped;
  outstanding(snapshot: ReactSnapshot): Outstanding;
}

export function createPort(machine: ReactMachine = shippedMachine()): Port {
  let collected: Command[] = [];
  const scope = inertScope((action, context) => {
    const command = commandOf(action, context);
    if (command !== null) collected.push(command);
  });
  const collect = (transition: () => ReactSnapshot): Moved => {
    collected = [];
    const snapshot = transition();
    return { snapshot, commands: collected };
  };
  const obey = (snapshot: ReactSnapshot, event: ReactEvent) =>
    collect(() => machine.transition(snapshot, event, scope));
  /** The door, for a task or for a run that goes on. */
  const enter = (input: ReactInput): Stepped => {
    try {
      const first = collect(() => machine.getInitialSnapshot(scope, input));
      // XState keeps what the first state throws in the snapshot, where a transition throws it.
      if (first.snapshot.status !== 'error') return { ...first, ignored: false };
      return broken(machine, initialContext(input), failure(first.snapshot.error, 0));
    } catch (thrown) {
      return broken(machine, initialContext(input), failure(thrown, 0));
    }
  };

  return {
    machine,
    machineHash: machineHash(machine),
    start: (limits) => enter({ limits }),
    step: (snapshot, event) => {
      const admission = admit(snapshot.context, event);
      if (admission === 'drop') return { snapshot, commands: [], ignored: true };
      const expired = admission === 'expire' ? expiredBy(event) : undefined;
      try {
        const moved = obey(snapshot, expired ?? event);
        if (expired !== undefined) return { ...moved, ignored: true, expired };
        return { ignored: moved.snapshot === snapshot, ...moved };
      } catch (thrown) {
        return fail(machine, snapshot, failure(thrown, event.atMs), obey);
      }
    },
    reopen: (ended, limits) => {
      const { state, context, commands } = reopened(ended, limits);
      if (state === 'OBSERVATION') return enter({ limits, from: context });
      return { snapshot: machine.resolveState({ value: state, context }), commands, ignored: false };
    },
    restore: (state, context) => machine.resolveState({ value: atRest(state), context }),
    outstanding,
  };
}

type Moved = Pick<Stepped, 'snapshot' | 'commands'>;

let shipped: ReactMachine | null = null;

/** A machine holds nothing of a run, and making one takes a millisecond: all ports that are given none share it. */
function shippedMachine(): ReactMachine {
  shipped ??= createReactMachine();
  return shipped;
}

function failure(thrown: unknown, atMs: number): MachineFailed {
  return { type: 'machine.failed', atMs, message: messageOf(thrown) };
}

/** Ends by the machine's own transition where it still can. */
function fail(
  machine: ReactMachine,
  snapshot: ReactSnapshot,
  failed: MachineFailed,
  obey: (snapshot: ReactSnapshot, event: MachineFailed) => Moved,
): Stepped {
  try {
    return { ...obey(snapshot, failed), ignored: true, failed };
  } catch {
    return broken(machine, snapshot.context, failed);
  }
}

/** The machine cannot even fail: ERROR by hand, with no guard and no action of it. */
function broken(machine: ReactMachine, context: ReactContext, failed: MachineFailed): Stepped {
  const ended = endWith(keepFailure(abandonCalls(context, failed), failed), 'internal_error');
  return { snapshot: machine.resolveState({ value: 'ERROR', context: ended }), commands: [], ignored: true, failed };
}

/** The state as plain data, such as `'FINAL'` or `{ THOUGHT: 'reasoning' }`. */
export function stateOf(snapshot: ReactSnapshot): StatePath {
  return snapshot.value;
}

/** As laws look at it. */
export function restOf(snapshot: ReactSnapshot): Rest {
  return { state: stateOf(snapshot), context: snapshot.context };
}

export function isDone(snapshot: ReactSnapshot): boolean {
  return snapshot.status !== 'active';
}

function outstanding(snapshot: ReactSnapshot): Outstanding {
  const { context } = snapshot;
  const state = stateOf(snapshot);
  const due = isDone(snapshot) ? null : commandDue(state, context);
  const waits = due?.type === 'askApproval';
  return {
    commands: due === null ? [] : [due],
    deadlineMs: isDone(snapshot) || waits ? null : context.limits.wallClockMs,
    approvalUntilMs: waits ? context.approvalUntilMs : null,
  };
}

/** An actor that never starts lends its identity; nothing is ever sent to it. */
function inertScope(emit: (action: string, context: ReactContext) => void): AnyActorScope {
  const inert = createActor(createMachine({}));
  return {
    self: inert,
    id: 'react',
    sessionId: 'react',
    system: inert.system,
    logger: () => {},
    defer: () => {},
    emit: () => {},
    stopChild: () => {},
    actionExecutor: ({ type, info }) => {
      if (isReactContext(info.context)) emit(type, info.context);
    },
  };
}

/** XState hands its executor any context; this one is always the machine's own. */
function isReactContext(context: object): context is ReactContext {
  return 'limits' in context && 'calls' in context;
}

function expiredBy(event: ReactEvent): ClockExpired {
  const spent = 'spent' in event && event.spent !== undefined ? { spent: event.spent } : {};
  return { type: 'clock.expired', atMs: event.atMs, tokens: 'tokens' in event ? event.tokens : noTokens, ...spent };
}

/** What was read of a reply is gone with the process that read it. */
function atRest(state: StatePath): StatePath {
  return typeof state !== 'string' && state.THOUGHT !== undefined ? { THOUGHT: 'reasoning' } : state;
}

const hashes = new WeakMap<ReactMachine, string>();

function machineHash(machine: ReactMachine): string {
  const known = hashes.get(machine);
  if (known !== undefined) return known;
  const config = JSON.stringify(machine.config, (_key, value: unknown) => (typeof value === 'function' ? '' : value));
  const hash = hashOf(config);
  hashes.set(machine, hash);
  return hash;
}
