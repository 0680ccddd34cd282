/** Lets calls pass the gates and runs them; takes up again what an interruption left. */
import type { Command } from '../../machines/commands.ts';
import type { CallState } from '../core/snapshot.ts';
import { type ParentRun, parentRun, type ToolCallOptions } from '../core/tool.ts';
import { type Begun, type CallOptions, type CallOutcome, runCall } from '../dispatch/call.ts';
import { mayRunAgain } from '../dispatch/call-outcome.ts';
import type { Cutter } from '../dispatch/cut.ts';
import { checkCalls } from '../dispatch/gates.ts';
import type { ProbeResult } from '../dispatch/probe.ts';
import { gateOptions, timeOf, toldOf } from './gate-options.ts';
import { probeCall } from './going-on.ts';
import type { InFlight } from './in-flight.ts';
import { lazyAbort, withAbortSignal } from './lazy-abort.ts';
import type { RunScope } from './scope.ts';

export interface Calling {
  check(command: Extract<Command, { type: 'checkCalls' }>): void;
  /** Runs calls, once it is durable that they start: what may change the world must not be forgotten by a crash. */
  begin(step: number, calls: readonly CallState[]): void;
  /** Calls that wait for their place and have not begun. */
  waiting(): readonly string[];
  /** What may be done twice is run again. Of the rest the tool is asked; where it cannot say, nobody knows. */
  recover(step: number, call: CallState): void;
}

export function createCalling(scope: RunScope, inFlight: InFlight, cutter: Cutter): Calling {
  const { parsed, nowMs, send } = scope;
  const shared = sharedOptions(scope, cutter);

  /** Calls that were given to be run and have not begun: they wait for their place in a rate limit, or for the store. */
  const waiting = new Set<string>();

  const settle = (step: number, callId: string, startedAtMs: number, outcome: CallOutcome) => {
    waiting.delete(callId);
    const spent = scope.lending.settle(callId);
    const nested = spent === null ? {} : { spent };
    send({ type: 'call.settled', step, callId, atMs: nowMs(), startedAtMs, ...outcome, ...nested });
  };

  const run = (step: number, call: CallState) => {
    let startedAtMs = nowMs();
    const { callId } = call;
    const begun = () => {
      if (waiting.delete(callId)) startedAtMs = nowMs();
    };
    const options = { ...shared, ...ownOptions(scope, step, callId, begun) };
    const settled = (outcome: CallOutcome) => settle(step, callId, startedAtMs, outcome);
    // What is late the machine drops, and the journal keeps.
    inFlight.track((done) => runCall(call, options, behind(done, settled), settled));
  };

  const again = (step: number, call: CallState) => {
    // It does not wait like others: in another process it had begun.
    if (mayRunAgain(call)) return run(step, call);
    const options = { ...shared, ...ownOptions(scope, step, call.callId, () => {}) };
    const told = (result: ProbeResult) => {
      if (result === 'run') scope.hold(() => run(step, call));
      else settle(step, call.callId, nowMs(), result);
    };
    inFlight.track((done) => probeCall(call, options, behind(done, told)));
  };

  return {
    check({ step, calls, effects }) {
      parsed.clear();
      inFlight.track((done) =>
        checkCalls(calls, gateOptions(scope, effects), (verdicts) => {
          done();
          send({ type: 'calls.checked', step, atMs: nowMs(), verdicts });
        }),
      );
    },
    begin(step, calls) {
      for (const { callId } of calls) waiting.add(callId);
      onceKept(scope, inFlight, calls, () => {
        for (const call of calls) run(step, call);
      });
    },
    waiting: () => [...waiting],
    // Who does not hold the run in its store does nothing, and asks nobody.
    recover: (step, call) => onceKept(scope, inFlight, [call], () => again(step, call)),
  };
}

/** Work that has its result is in flight no more. */
function behind<Result>(done: () => void, told: (result: Result) => void): (result: Result) => void {
  return (result) => {
    done();
    told(result);
  };
}

/** A read may be forgotten by a crash: it is done again. */
function onceKept(scope: RunScope, inFlight: InFlight, calls: readonly CallState[], start: () => void): void {
  if (calls.every(({ effect }) => effect === 'readOnly')) return start();
  inFlight.track((done) =>
    scope.whenDurable(() => {
      done();
      scope.hold(start);
    }),
  );
}

type OwnOptions = Pick<CallOptions, 'idempotencyKey' | 'begin' | 'retried'>;

/** What is the call's own. `begun`: each of its tries has begun. */
function ownOptions(scope: RunScope, step: number, callId: string, begun: () => void): OwnOptions {
  const idempotencyKey = `${scope.plan.runId}:${callId}`;
  return {
    idempotencyKey,
    begin(attempt) {
      begun();
      return begin(scope, step, { toolCallId: callId, idempotencyKey, attempt });
    },
    retried: (failure) => scope.record({ type: 'call.retried', step, callId, atMs: scope.nowMs(), ...failure }),
  };
}

/** What is the same for all calls of a run. */
function sharedOptions(scope: RunScope, cutter: Cutter): Omit<CallOptions, keyof OwnOptions> {
  const { plan, answers, parsed, nowMs } = scope;
  const { toolbox, messages, within, timeouts, checkResult, looksLikeError } = plan;
  return {
    cutter,
    toolbox,
    messages,
    within,
    hookMs: timeouts.hookMs,
    parsed,
    checkResult,
    judgeAnswer: answers.judge,
    looksLikeError,
    nowMs,
    time: timeOf(scope),
  };
}

type TryNames = Pick<ToolCallOptions, 'toolCallId' | 'idempotencyKey' | 'attempt'>;

/** What the tool is given beside its input. Each try has a signal of its own. */
function begin(scope: RunScope, step: number, names: TryNames): Begun {
  const { plan, history } = scope;
  const abort = lazyAbort();
  const given = { ...names, ...toldOf(plan, history), [parentRun]: parentOf(scope, step, names.toolCallId) };
  return { toolCallOptions: withAbortSignal(given, abort), abort: abort.abort };
}

/** This run, for an agent that runs as the tool. */
function parentOf({ lending, record, nowMs }: RunScope, step: number, callId: string): ParentRun {
  return {
    left: lending.left,
    lend: (budget, spent) => lending.lend(callId, budget, spent),
    record: (event) =>
      record({ type: 'call.nested', step, callId, atMs: nowMs(), event, spent: lending.spentBy(callId) }),
  };
}
