/** Waiting for a person: which calls wait, until when, and what a decision becomes. */
import type { Command } from '../../machines/commands.ts';
import { AgentError } from '../core/errors.ts';
import type { JsonValue } from '../core/json.ts';
import type { CallState, ReactContext } from '../core/snapshot.ts';
import { brief } from '../dispatch/brief.ts';
import { allowance } from '../dispatch/policy.ts';
import { createDeciding, type Denial } from './deciding.ts';
import type { RunPlan } from './plan.ts';
import type { RunScope } from './scope.ts';
import { json } from './shape.ts';
import { armTimer } from './timer.ts';

export interface Approval {
  ask(command: Extract<Command, { type: 'askApproval' }>): void;
  /** All is decided, or the run has ended. */
  close(): void;
  /** Throws AgentError where the call does not wait. An edited input passes the gates again. */
  approve(callId: string, decision?: Decision & { readonly input?: JsonValue }): void;
  deny(callId: string, why?: string, decision?: Decision): void;
}

interface Decision {
  readonly by?: string;
}

/** What the machine knows of the step: all calls, those that wait for a person now, and effects. */
export interface Standing extends Pick<ReactContext, 'calls' | 'effects'> {
  readonly waiting: readonly CallState[];
}

export function createApproval(scope: RunScope, standing: () => Standing): Approval {
  const { plan, nowMs, send } = scope;
  const { clock, timeouts, messages } = plan;
  let until = Number.POSITIVE_INFINITY;
  let disarm = () => {};

  const place = (callId: string) => ({ step: Number(callId.split('.')[0]), callId, atMs: nowMs() });
  const refuse = (callId: string, denial: Denial) => send({ type: 'approval.denied', ...place(callId), ...denial });
  const deciding = createDeciding({
    scope,
    standing,
    grant: (callId, granted) => send({ type: 'approval.granted', ...place(callId), ...granted }),
    refuse,
  });
  const undecided = () => standing().waiting.filter(({ callId }) => !deciding.isDecided(callId));

  const expire = () => {
    for (const { callId, tool } of undecided())
      refuse(callId, { observation: messages.noAnswer(tool, othersOf(plan, tool)), ...nobody });
  };

  /** One that is decided does not wait, nor does any when the time is over. */
  const waitingCall = (callId: string): CallState => {
    if (clock.wallMs() >= until) expire();
    const calls = undecided();
    const call = calls.find((candidate) => candidate.callId === callId);
    if (call !== undefined) return call;
    throw new AgentError('not_awaiting', `The call ${JSON.stringify(callId)} does not wait for a decision.`, {
      hint: calls.length === 0 ? 'No call waits.' : `Waiting: ${calls.map((each) => each.callId).join(', ')}.`,
    });
  };

  return {
    ask({ step, untilMs }) {
      until = untilMs ?? clock.wallMs() + timeouts.approvalMs;
      if (untilMs === null) send({ type: 'approval.asked', step, atMs: nowMs(), untilMs: until });
      disarm = armTimer(clock, clock.wallMs, () => until, expire);
    },
    close() {
      disarm();
      deciding.cancelAll();
    },
    approve(callId, decision = {}) {
      const call = waitingCall(callId);
      const by = nameOf(callId, decision);
      if ('input' in decision) checkEdited(callId, decision.input);
      deciding.letRun(call, by, decision.input);
    },
    deny(callId, why = '', decision = {}) {
      const { tool } = waitingCall(callId);
      const by = nameOf(callId, decision);
      if (typeof why !== 'string')
        throw unusable(`The reason to deny ${callId} is no text.`, 'It is told to the model.');
      const told = why.trim() === '' ? '' : brief(why, messages);
      refuse(callId, { observation: messages.denied(tool, told, othersOf(plan, tool)), cause: 'person', by, why });
    },
  };
}

const nobody = { cause: 'timeout', by: null, why: '' } as const;

/** Names of the tools that remain: those that the policy forbids would only be refused. */
function othersOf({ policy, toolbox }: RunPlan, tool: string): readonly string[] {
  return [...toolbox.values()]
    .filter((other) => other.name !== tool && allowance(policy, other) !== 'deny')
    .map(({ name }) => name);
}

function nameOf(callId: string, decision: Decision): string | null {
  if (typeof decision !== 'object' || decision === null)
    throw unusable(`The decision about ${callId} is no object.`, "Such as { by: 'Ada' }, or nothing.");
  const { by } = decision;
  if (by === undefined || typeof by === 'string') return by ?? null;
  throw unusable(`The decision about ${callId} is by what is no text.`, '`by` is the name of who decides.');
}

function unusable(message: string, hint: string): AgentError {
  return new AgentError('invalid_option', message, { hint: `${hint} The call still waits.` });
}

function checkEdited(callId: string, input: unknown): asserts input is JsonValue {
  const problem = json(input, 'input');
  if (problem === null) return;
  throw unusable(
    `The edited input of ${callId} cannot be used: ${problem}.`,
    'It is a JSON value, as the tool would be given it.',
  );
}
