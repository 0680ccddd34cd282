/**
 * The agent as XState actor logic, so that a host machine can invoke it and any inspector can watch it. Its snapshot says
 * where the run is; its output is the outcome. Stopping the actor aborts the run.
 */
import type { ActorLogic, Snapshot as XStateSnapshot } from 'xstate';
import type { ResumeOptions, RunOptions, StartOptions } from './agent-options.ts';
import type { Outcome } from './core/outcome.ts';
import type { Snapshot, StatePath } from './core/snapshot.ts';
import type { Observer, TraceEvent } from './core/trace.ts';
import type { Run } from './run.ts';
import type { OpenJournal } from './shell/run-journal.ts';
import { shieldFromInspectors } from './shell/shield.ts';
import { unheeded } from './shell/within.ts';

export interface LogicInput extends Omit<RunOptions, 'signal' | 'abortSignal'> {
  readonly task: string;
}

/** Sent by the run to its own actor; an inspector sees them pass. */
export type LogicEvent<Answer = string> =
  | { readonly type: 'run.moved'; readonly event: TraceEvent }
  | { readonly type: 'run.settled'; readonly outcome: Outcome<Answer> };

export type LogicSnapshot<Answer = string> = XStateSnapshot<Outcome<Answer>> & {
  readonly input: LogicInput;
  /** Where the run is. */
  readonly state: StatePath | null;
  readonly step: number;
  /** Where it can go on from; only in a persisted snapshot. */
  readonly kept: Snapshot | null;
};

export interface AgentLogic<Answer = string> extends ActorLogic<LogicSnapshot<Answer>, LogicEvent<Answer>, LogicInput> {
  /** The definition of the machine that each run is: inspectors draw it. */
  readonly config: object;
}

/** How a run begins; the agent lends this. */
export interface Starts<Answer> {
  readonly start: (task: string, options: StartOptions, how: Watched) => Run<Answer>;
  readonly resume: (snapshot: Snapshot, options: ResumeOptions, how: Watched) => Run<Answer>;
}

export interface Watched {
  /** Whether the run is handed out to somebody. */
  readonly held: boolean;
  readonly observer: Observer | null;
  /** Where the run is stored, if elsewhere than the agent says; null where it is not. */
  readonly openJournal?: OpenJournal | null;
}

export function createLogic<Answer>({ start, resume }: Starts<Answer>, config: object): AgentLogic<Answer> {
  /** Runs in progress, by the input that began them: a snapshot is plain data and cannot hold one. */
  const runs = new WeakMap<LogicInput, Run<Answer>>();

  return {
    config,

    getInitialSnapshot: (_scope, input) => ({ ...active, input: { ...input }, state: null, step: 0, kept: null }),

    start(snapshot, { self, system }) {
      if (snapshot.status !== 'active') return;
      shieldFromInspectors(system, self);
      const { task, ...options } = snapshot.input;
      const observer = (event: TraceEvent) => self.send({ type: 'run.moved', event });
      const how: Watched = { held: false, observer };
      const run = snapshot.kept === null ? start(task, options, how) : resume(snapshot.kept, options, how);
      runs.set(snapshot.input, run);
      run.outcome.then((outcome) => {
        if (runs.delete(snapshot.input)) unheeded(() => self.send({ type: 'run.settled', outcome }));
      });
    },

    transition(snapshot, event: LogicEvent<Answer> | { readonly type: 'xstate.stop' }) {
      if (snapshot.status !== 'active') return snapshot;
      switch (event.type) {
        case 'run.moved':
          return {
            ...snapshot,
            state: event.event.state,
            step: 'step' in event.event ? event.event.step : snapshot.step,
          };
        case 'run.settled':
          return { ...snapshot, status: 'done', output: event.outcome, error: undefined };
        case 'xstate.stop':
          runs.get(snapshot.input)?.abort('The actor was stopped.');
          runs.delete(snapshot.input); // a stopped actor takes no more events
          return { ...snapshot, status: 'stopped', output: undefined, error: undefined };
        default:
          return snapshot;
      }
    },

    /** With the run itself inside, so that a restored actor goes on and starts nothing twice. */
    getPersistedSnapshot(snapshot) {
      const run = snapshot.status === 'active' ? runs.get(snapshot.input) : undefined;
      return run === undefined ? snapshot : { ...snapshot, kept: run.snapshot() };
    },

    restoreSnapshot: (persisted) => {
      if (isLogicSnapshot<Answer>(persisted)) return persisted;
      throw new TypeError('This is not a persisted snapshot of a fuseloop agent.');
    },
  };
}

const active = { status: 'active', output: undefined, error: undefined } as const;

function isLogicSnapshot<Answer>(snapshot: XStateSnapshot<unknown>): snapshot is LogicSnapshot<Answer> {
  return 'input' in snapshot && 'kept' in snapshot && 'step' in snapshot;
}
