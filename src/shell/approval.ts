/** Waiting for a person: which calls wait, until when, and what a decision becomes. */
import type { Command } from '../../machines/commands.ts';
import { AgentError } from '../core/errors.ts';
import type { ApprovalDenied, ApprovalGranted } from '../core/events.ts';
import type { JsonValue } from '../core/json.ts';
import type { CallState, ReactContext } from '../core/snapshot.ts';
import { brief } from '../dispatch/brief.ts';
import { checkCall } from '../dispatch/gates.ts';
import { allowance } from '../dispatch/policy.ts';
import { callKey } from '../dispatch/verdict.ts';
import { gateOptions } from './gate-options.ts';
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

/** `waiting` gives the calls that wait in the machine's present state; `standing` all that is known of the step. */
export function createApproval(
  scope: RunScope,
  waiting: () => readonly CallState[],
  standing: () => Pick<ReactContext, 'calls' | 'effects'>,
): Approval {
  const { plan, nowMs, send } = scope;
  const { clock, timeouts, messages } = plan;
  /** Calls that a person has let run, and whose input passes the gates. By call id: what cancels it. */
  const passing = new Map<string, () => void>();
  let until = Number.POSITIVE_INFINITY;
  let disarm = () => {};

  const stepOf = (callId: string) => Number(callId.split('.')[0]);
  const place = (callId: string) => ({ step: stepOf(callId), callId, atMs: nowMs() });
  const refuse = (callId: string, denial: Denial) => send({ type: 'approval.denied', ...place(callId), ...denial });
  const undecided = () => waiting().filter(({ callId }) => !passing.has(callId));

  const expire = () => {
    for (const { callId, tool } of undecided())
      refuse(callId, {
        observation: messages.noAnswer(tool, othersOf(plan, tool)),
        cause: 'timeout',
        by: null,
        why: '',
      });
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

  /** What a person lets run passes the gates as it is now. An edit may not do once more what was done. */
  const letRun = (call: CallState, input: JsonValue | null, who: Pick<ApprovalGranted, 'by' | 'edited'>) => {
    const { callId } = call;
    const parsed = new Map<string, unknown>();
    const { calls, effects } = standing();
    const twin = (key: string) => calls.find((other) => isTwin(other, callId, key))?.callId;
    const isSame = !who.edited || callKey({ ...call, input }) === call.key;
    passing.set(callId, () => {});
    const cancel = checkCall(
      { ...call, input },
      { ...gateOptions(scope, effects), parsed, twin, asksAgain: isSame },
      ({ pass, gate = 'input', input, key, observation }) => {
        passing.delete(callId);
        if (pass !== 'refuse') {
          scope.parsed.set(callId, parsed.get(callId));
          return send({ type: 'approval.granted', ...place(callId), input, key, ...who });
        }
        const told = who.edited ? `${observation} ${messages.edited(input)}` : (observation ?? '');
        const edit = who.edited ? { input, key } : {};
        refuse(callId, { observation: told, cause: gate, by: who.by, why: '', ...edit });
      },
    );
    if (passing.has(callId)) passing.set(callId, cancel);
  };

  return {
    ask({ step, untilMs }) {
      until = untilMs ?? clock.wallMs() + timeouts.approvalMs;
      if (untilMs === null) send({ type: 'approval.asked', step, atMs: nowMs(), untilMs: until });
      disarm = armTimer(clock, clock.wallMs, () => until, expire);
    },
    close() {
      disarm();
      for (const cancel of passing.values()) cancel();
      passing.clear();
    },
    approve(callId, decision = {}) {
      const call = waitingCall(callId);
      const by = nameOf(callId, decision);
      if ('input' in decision) {
        checkEdited(callId, decision.input);
        return letRun(call, decision.input, { by, edited: true });
      }
      // As the gates left it; after a restore they are passed again.
      if (scope.parsed.has(callId))
        return send({
          type: 'approval.granted',
          ...place(callId),
          input: call.input,
          key: call.key,
          by,
          edited: false,
        });
      letRun(call, call.input, { by, edited: false });
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

type Denial = Omit<ApprovalDenied, 'type' | 'step' | 'callId' | 'atMs'>;

/** Another call of the reply that does, or did, the same. */
function isTwin({ callId, key, status }: CallState, ofCall: string, ofKey: string): boolean {
  return callId !== ofCall && key === ofKey && status !== 'refused' && status !== 'failed';
}

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
