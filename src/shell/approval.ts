/** Waiting for a person: which calls wait, until when, and what a decision becomes. */
import type { Command } from '../../machines/commands.ts';
import { AgentError } from '../core/errors.ts';
import type { ApprovalDenied, ApprovalGranted } from '../core/events.ts';
import type { JsonValue } from '../core/json.ts';
import type { CallState } from '../core/snapshot.ts';
import { checkCall } from '../dispatch/gates.ts';
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

/** `waiting` gives the calls that wait in the machine's present state. */
export function createApproval(scope: RunScope, waiting: () => readonly CallState[]): Approval {
  const { plan, nowMs, send } = scope;
  const { clock, timeouts, messages } = plan;
  let disarm = () => {};
  const cancels: (() => void)[] = [];

  const waitingCall = (callId: string): CallState => {
    const calls = waiting();
    const call = calls.find((candidate) => candidate.callId === callId);
    if (call !== undefined) return call;
    throw new AgentError('not_awaiting', `The call ${JSON.stringify(callId)} does not wait for a decision.`, {
      hint: calls.length === 0 ? 'No call waits.' : `Waiting: ${calls.map((each) => each.callId).join(', ')}.`,
    });
  };
  const stepOf = (callId: string) => Number(callId.split('.')[0]);
  const place = (callId: string) => ({ step: stepOf(callId), callId, atMs: nowMs() });
  const grant = ({ callId, tool }: CallState, input: JsonValue | null, who: Pick<ApprovalGranted, 'by' | 'edited'>) =>
    send({ type: 'approval.granted', ...place(callId), input, key: callKey({ tool, input }), ...who });
  const refuse = (callId: string, denial: Pick<ApprovalDenied, 'observation' | 'cause' | 'by' | 'why'>) =>
    send({ type: 'approval.denied', ...place(callId), ...denial });

  return {
    ask({ step, untilMs }) {
      const until = untilMs ?? clock.wallMs() + timeouts.approvalMs;
      if (untilMs === null) send({ type: 'approval.asked', step, atMs: nowMs(), untilMs: until });
      disarm = armTimer(
        clock,
        clock.wallMs,
        () => until,
        () => {
          for (const { callId, tool } of waiting())
            refuse(callId, { observation: messages.noAnswer(tool), cause: 'timeout', by: null, why: '' });
        },
      );
    },
    close() {
      disarm();
      for (const cancel of cancels.splice(0)) cancel();
    },
    approve(callId, decision = {}) {
      const call = waitingCall(callId);
      const by = nameOf(callId, decision);
      if (!('input' in decision)) return grant(call, call.input, { by, edited: false });
      const { input } = decision;
      checkEdited(callId, input);
      const cancel = checkCall({ ...call, input }, gateOptions(scope, []), ({ pass, gate, input, observation }) => {
        if (pass !== 'refuse') return grant(call, input, { by, edited: true });
        refuse(callId, { observation: observation ?? '', cause: gate ?? 'input', by, why: '' });
      });
      cancels.push(cancel);
    },
    deny(callId, why = '', decision = {}) {
      const observation = denied(plan, waitingCall(callId).tool, why);
      refuse(callId, { observation, cause: 'person', by: nameOf(callId, decision), why });
    },
  };
}

function denied({ messages, toolbox }: RunPlan, tool: string, why: string): string {
  const others = [...toolbox.keys()].filter((name) => name !== tool);
  return messages.denied(tool, why, others);
}

function nameOf(callId: string, { by }: Decision): string | null {
  if (by === undefined || typeof by === 'string') return by ?? null;
  throw new AgentError('invalid_option', `The decision about ${callId} is by what is no text.`, {
    hint: '`by` is the name of who decides. The call still waits.',
  });
}

function checkEdited(callId: string, input: unknown): asserts input is JsonValue {
  const problem = json(input, 'input');
  if (problem === null) return;
  throw new AgentError('invalid_option', `The edited input of ${callId} cannot be used: ${problem}.`, {
    hint: 'It is a JSON value, as the tool would be given it. The call still waits.',
  });
}
