/** Waiting for a person: which calls wait, until when, and what a decision becomes. */
import type { Command } from '../../machines/commands.ts';
import { AgentError } from '../core/errors.ts';
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
  approve(callId: string, edited: { readonly input: JsonValue } | null): void;
  deny(callId: string, why: string): void;
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
  const grant = ({ callId, tool }: CallState, input: JsonValue | null) =>
    send({
      type: 'approval.granted',
      step: stepOf(callId),
      callId,
      atMs: nowMs(),
      input,
      key: callKey({ tool, input }),
    });
  const refuse = (callId: string, observation: string) =>
    send({ type: 'approval.denied', step: stepOf(callId), callId, atMs: nowMs(), observation });

  return {
    ask({ step, untilMs }) {
      const until = untilMs ?? clock.wallMs() + timeouts.approvalMs;
      if (untilMs === null) send({ type: 'approval.asked', step, atMs: nowMs(), untilMs: until });
      disarm = armTimer(
        clock,
        clock.wallMs,
        () => until,
        () => {
          for (const { callId, tool } of waiting()) refuse(callId, messages.noAnswer(tool));
        },
      );
    },
    close() {
      disarm();
      for (const cancel of cancels.splice(0)) cancel();
    },
    approve(callId, edited) {
      const call = waitingCall(callId);
      if (edited === null) return grant(call, call.input);
      checkEdited(callId, edited.input);
      const cancel = checkCall({ ...call, input: edited.input }, gateOptions(scope, []), (verdict) => {
        if (verdict.pass === 'refuse') refuse(callId, verdict.observation ?? '');
        else grant(call, verdict.input);
      });
      cancels.push(cancel);
    },
    deny: (callId, why) => refuse(callId, denied(plan, waitingCall(callId).tool, why)),
  };
}

function denied({ messages, toolbox }: RunPlan, tool: string, why: string): string {
  const others = [...toolbox.keys()].filter((name) => name !== tool);
  return messages.denied(tool, why, others);
}

function checkEdited(callId: string, input: unknown): void {
  const problem = json(input, 'input');
  if (problem === null) return;
  throw new AgentError('invalid_option', `The edited input of ${callId} cannot be used: ${problem}.`, {
    hint: 'It is a JSON value, as the tool would be given it. The call still waits.',
  });
}
