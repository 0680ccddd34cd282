/**
 * A run whose process ends each time that it is taken up, before anything comes of it: after some times what was tried is not
 * tried again. Whoever takes up each run that was interrupted would otherwise do so for ever.
 */
import type { Command } from '../../machines/commands.ts';
import type { ReactEvent } from '../core/events.ts';
import type { CallState } from '../core/snapshot.ts';
import { noTokens } from '../core/usage.ts';
import type { Verdict } from '../core/verdict.ts';
import { type CallOutcome, failed, unknown } from '../dispatch/call-outcome.ts';
import { copyInput } from '../dispatch/copy-input.ts';
import { refuse } from '../dispatch/verdict.ts';
import { crashTexts } from './crash-texts.ts';
import type { InFlight } from './in-flight.ts';
import { ofTry } from './reply.ts';
import type { RunScope } from './scope.ts';

/** So often a run is taken up again where nothing comes of it. */
const mostRetaken = 3;

/** What may end the process. It runs code that is not ours, or is asked again. */
const tried: ReadonlySet<Command['type']> = new Set(['askModel', 'recoverCalls', 'checkCalls', 'checkAnswer']);

/**
 * Performs commands. What a run that was taken up begins with waits until it is durable that it was taken up: a process that
 * ends then has been counted, and a run that somebody else holds tries nothing.
 */
export function onceTakenUp<Due extends Command>(
  scope: RunScope,
  inFlight: InFlight,
  perform: (command: Due) => void,
): (command: Due) => void {
  const tryIt = (command: Due) => {
    const events = scope.retaken() > mostRetaken ? insteadOf(command, scope) : null;
    if (events === null) return perform(command);
    for (const event of events) scope.send(event);
  };
  return (command) => {
    if (scope.retaken() === 0 || !tried.has(command.type)) return perform(command);
    inFlight.track((done) =>
      scope.whenDurable(() => {
        done();
        scope.hold(() => tryIt(command));
      }),
    );
  };
}

/** What the command comes to where it is not tried again; null where it is harmless. */
function insteadOf(command: Command, scope: RunScope): readonly ReactEvent[] | null {
  const { messages, language } = scope.plan;
  const { step } = command;
  const atMs = scope.nowMs();
  switch (command.type) {
    case 'askModel':
      return [{ type: 'reply.failed', ...ofTry(command), step, atMs, tokens: noTokens, failure: 'broke_off', ...lost }];
    case 'recoverCalls':
      return command.calls.map((call) => {
        const outcome = outcomeOf(call, scope);
        return { type: 'call.settled', step, callId: call.callId, atMs, startedAtMs: atMs, ...outcome };
      });
    case 'checkCalls':
      return [{ type: 'calls.checked', step, atMs, verdicts: command.calls.map((call) => refused(call, scope)) }];
    case 'checkAnswer':
      return [{ type: 'answer.rejected', step, atMs, hint: messages.answerNotChecked(crashTexts[language].ended) }];
    default:
      return null;
  }
}

const lost = {
  message:
    'The process ended each time that the reply was asked for, or before anything that followed from it was stored.',
  hint: 'Find out why: memory, the adapter of the model, or a tool that ends its process at once. agent.resume then asks for the reply again.',
} as const;

/** A read is nothing but lost. Of anything else nobody knows whether it took effect, perhaps more than once. */
function outcomeOf({ tool, effect }: CallState, { plan }: RunScope): CallOutcome {
  const { lostRead, lostEffect } = crashTexts[plan.language];
  return effect === 'readOnly' ? failed(lostRead(tool)) : unknown(lostEffect(tool));
}

function refused({ callId, tool, input }: CallState, { plan }: RunScope): Verdict {
  const { messages, toolbox, language } = plan;
  const call = { callId, tool, input: copyInput(input ?? {}) === undefined ? null : input };
  return refuse(call, toolbox.get(tool) ?? null, 'input', messages.checkFailed(tool, crashTexts[language].ended));
}
