/** Lets calls pass the gates and runs them; takes up again what an interruption left. */
import type { Command } from '../../machines/commands.ts';
import type { CallState } from '../core/snapshot.ts';
import type { ToolCallOptions } from '../core/tool.ts';
import { type CallOutcome, interruptedCall, runCall } from '../dispatch/call.ts';
import type { Cutter } from '../dispatch/cut.ts';
import { checkCalls } from '../dispatch/gates.ts';
import { gateOptions } from './gate-options.ts';
import type { InFlight } from './in-flight.ts';
import { type LazyAbort, lazyAbort, withAbortSignal } from './lazy-abort.ts';
import type { RunScope } from './scope.ts';

export interface Calling {
  check(command: Extract<Command, { type: 'checkCalls' }>): void;
  run(step: number, call: CallState): void;
  /** What may be done twice is run again; of the rest nobody knows whether it took effect. */
  recover(step: number, call: CallState): void;
}

export function createCalling(scope: RunScope, inFlight: InFlight, cutter: Cutter): Calling {
  const { plan, parsed, nowMs, send } = scope;
  const { toolbox, messages, within, timeouts, checkResult, looksLikeError } = plan;
  const shared = { toolbox, messages, within, hookMs: timeouts.hookMs, parsed, checkResult, looksLikeError, nowMs };

  const settle = (step: number, callId: string, startedAtMs: number, outcome: CallOutcome) =>
    send({ type: 'call.settled', step, callId, atMs: nowMs(), startedAtMs, ...outcome });

  const run = (step: number, call: CallState) => {
    const startedAtMs = nowMs();
    const abort = lazyAbort();
    const toolCallOptions = optionsOf(scope, call.callId, abort);
    const options = { cutter, abort: abort.abort, toolCallOptions, ...shared };
    const settled = (outcome: CallOutcome) => settle(step, call.callId, startedAtMs, outcome);
    inFlight.track((done) =>
      runCall(
        call,
        options,
        (outcome) => {
          done();
          settled(outcome);
        },
        settled, // late: the machine drops it, the journal keeps it
      ),
    );
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
    run,
    recover(step, call) {
      if (call.effect === 'readOnly' || call.effect === 'idempotent') return run(step, call);
      settle(step, call.callId, nowMs(), interruptedCall(call, messages));
    },
  };
}

/** What the tool is given beside its input. */
function optionsOf({ plan, history }: RunScope, callId: string, abort: LazyAbort): ToolCallOptions {
  return withAbortSignal(
    {
      toolCallId: callId,
      idempotencyKey: `${plan.runId}:${callId}`,
      messages: history.messages,
      context: plan.context,
    },
    abort,
  );
}
