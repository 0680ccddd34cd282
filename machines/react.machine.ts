/**
 * The loop as one machine. This file reads as its specification: states, events, guards and actions by name, each of
 * which stands in the file of that name. The order of the branches is their precedence, and the last has no guard.
 *
 * There are no invoked actors and no timers. Entering and leaving states emits *commands* (plain data, see
 * `commands.ts`); the shell performs them and sends events back.
 */
import { assign, setup } from 'xstate';
import type { ReactEvent } from '../src/core/events.ts';
import type { Stop } from '../src/core/reading.ts';
import type { ReactContext } from '../src/core/snapshot.ts';
import type { FailureReason, StopReason } from '../src/core/stop-reasons.ts';
import { initialContext, type ReactInput } from './context.ts';
import * as guards from './guards.ts';
import { reduce } from './reduce.ts';
import * as reducers from './reducers.ts';

/** What the finished machine hands out. */
export interface ReactOutput {
  readonly stopReason: Exclude<StopReason, 'suspended'> | null;
  readonly answer: string | null;
}

interface ReactTypes {
  context: ReactContext;
  events: ReactEvent;
  input: ReactInput;
  output: ReactOutput;
}

const stopIs = (stop: Stop): { type: 'stopIs'; params: { stop: Stop } } => ({ type: 'stopIs', params: { stop } });
type Ending = FailureReason | 'final';
const endWith = (reason: Ending): { type: 'endWith'; params: { reason: Ending } } => ({
  type: 'endWith',
  params: { reason },
});

/** A command: what it means for the world is the shell's matter; for the machine it is a name. */
const command = () => {};
const commands = {
  askModel: command,
  askAgain: command,
  cancelReply: command,
  checkCalls: command,
  runCalls: command,
  runNext: command,
  cancelCalls: command,
  askApproval: command,
  closeApproval: command,
  checkAnswer: command,
  recordStep: command,
};

/** Each changes the context as the reducer of its name says. */
const reductions = () => ({
  spendStep: reduce(reducers.spendStep),
  chargeReply: reduce(reducers.chargeReply),
  countTry: reduce(reducers.countTry),
  keepCalls: reduce(reducers.keepCalls),
  keepAnswer: reduce(reducers.keepAnswer),
  keepProposed: reduce(reducers.keepProposed),
  countViolation: reduce(reducers.countViolation),
  keepVerdicts: reduce(reducers.keepVerdicts),
  keepDeadline: reduce(reducers.keepDeadline),
  keepDecision: reduce(reducers.keepDecision),
  startCalls: reduce(reducers.startCalls),
  startNext: reduce(reducers.startNext),
  keepResult: reduce(reducers.keepResult),
  abandonCalls: reduce(reducers.abandonCalls),
  judgeStep: reduce(reducers.judgeStep),
  keepFailure: reduce(reducers.keepFailure),
});

/** A fresh machine. A factory, so that nothing is shared and a changed machine can be built from the same parts. */
export function createReactMachine() {
  return setup({
    types: {} as ReactTypes,
    guards: { ...guards },
    actions: {
      ...commands,
      ...reductions(),
      endWith: assign(({ context }, { reason }: { reason: Ending }) => reducers.endWith(context, reason)),
    },
  }).createMachine({
    id: 'react',
    context: ({ input }) => initialContext(input),
    output: ({ context }) => ({ stopReason: context.stopReason, answer: context.answer }),
    initial: 'OBSERVATION',
    on: {
      'run.aborted': { target: '.ERROR', actions: ['abandonCalls', endWith('aborted')] },
      'clock.expired': { target: '.ERROR', actions: ['abandonCalls', endWith('timeout')] },
      'store.failed': { target: '.ERROR', actions: ['abandonCalls', 'keepFailure', endWith('store_error')] },
      'machine.failed': { target: '.ERROR', actions: ['abandonCalls', 'keepFailure', endWith('internal_error')] },
    },
    states: {
      /** The one door: the step in progress is judged and recorded, and what comes next is decided here alone. */
      OBSERVATION: {
        entry: ['judgeStep', 'recordStep'],
        always: [
          { guard: 'answered', target: 'FINAL', actions: endWith('final') },
          { guard: 'fuseBlown', target: 'ERROR', actions: endWith('violations_exhausted') },
          { guard: 'toolFuseBlown', target: 'ERROR', actions: endWith('tool_errors_exhausted') },
          { guard: 'looping', target: 'ERROR', actions: endWith('loop_detected') },
          { guard: 'nothingFound', target: 'ERROR', actions: endWith('no_progress') },
          { guard: 'stepsSpent', target: 'ERROR', actions: endWith('max_steps') },
          { guard: 'tokensSpent', target: 'ERROR', actions: endWith('token_budget') },
          { guard: 'toolCallsSpent', target: 'ERROR', actions: endWith('max_tool_calls') },
          { guard: 'timeSpent', target: 'ERROR', actions: endWith('timeout') },
          { target: 'THOUGHT' },
        ],
      },

      /** One reply is asked for and read: the scanner reports each stop it meets, and the stop decides what it means here. */
      THOUGHT: {
        entry: ['spendStep', 'askModel'],
        exit: ['chargeReply', 'cancelReply'],
        initial: 'reasoning',
        on: {
          'prompt.refused': { target: 'ERROR', actions: endWith('token_budget') },
          'reply.truncated': { target: 'OBSERVATION', actions: 'countViolation' },
          'reply.filtered': { target: 'ERROR', actions: endWith('content_filter') },
          'reply.failed': [
            // Nothing of it was acted on. The step goes on: leaving THOUGHT is what charges one.
            {
              guard: 'mayTryAgain',
              target: '.reasoning',
              actions: ['chargeReply', 'cancelReply', 'countTry', 'askAgain'],
            },
            { target: 'ERROR', actions: ['keepFailure', endWith('model_error')] },
          ],
          'reply.ended': { target: 'OBSERVATION', actions: 'countViolation' }, // whatever no inner state could use
        },
        states: {
          reasoning: {
            on: {
              'reply.stopped': [
                { guard: stopIs('action'), target: 'calling' },
                { guard: stopIs('answer'), target: 'answering' },
              ],
            },
          },
          calling: {
            on: {
              'reply.stopped': [
                { guard: 'callsComplete', target: '#react.ACTION', actions: 'keepCalls' },
                { guard: stopIs('answer'), target: 'answering' }, // "Action: None", and then an answer
              ],
              'reply.ended': { guard: 'callsComplete', target: '#react.ACTION', actions: 'keepCalls' },
            },
          },
          answering: {
            on: {
              'reply.ended': [
                { guard: 'answerToCheck', target: '#react.ACTION.checkingAnswer', actions: 'keepProposed' },
                { guard: 'answerPresent', target: '#react.OBSERVATION', actions: 'keepAnswer' },
              ],
            },
          },
        },
      },

      /** The complete calls of one reply pass the gates and run, or a proposed answer is checked. */
      ACTION: {
        initial: 'gating',
        states: {
          gating: {
            entry: 'checkCalls',
            on: {
              'calls.checked': [
                { guard: 'nothingMayStart', target: '#react.OBSERVATION', actions: 'keepVerdicts' },
                { guard: 'anyToRun', target: 'running', actions: 'keepVerdicts' },
                { guard: 'anyToAsk', target: 'awaitingApproval', actions: 'keepVerdicts' },
                { target: '#react.OBSERVATION', actions: 'keepVerdicts' },
              ],
            },
          },
          running: {
            entry: ['startCalls', 'runCalls'],
            exit: 'cancelCalls',
            on: {
              'call.settled': [
                { guard: 'readMayJoin', actions: ['keepResult', 'startNext', 'runNext'] },
                { guard: 'othersStarted', actions: 'keepResult' },
                { guard: 'answeredByTool', target: '#react.OBSERVATION', actions: 'keepResult' },
                { guard: 'nothingMayStart', target: '#react.OBSERVATION', actions: 'keepResult' },
                { guard: 'anyReady', target: 'running', reenter: true, actions: 'keepResult' },
                { guard: 'anyAsking', target: 'awaitingApproval', actions: 'keepResult' },
                { target: '#react.OBSERVATION', actions: 'keepResult' },
              ],
            },
          },
          awaitingApproval: {
            entry: 'askApproval',
            exit: 'closeApproval',
            on: {
              'approval.asked': { actions: 'keepDeadline' },
              'approval.granted': [
                { guard: 'othersUndecided', actions: 'keepDecision' },
                { guard: 'nothingMayStart', target: '#react.OBSERVATION', actions: 'keepDecision' },
                { target: 'running', actions: 'keepDecision' },
              ],
              'approval.denied': [
                { guard: 'othersUndecided', actions: 'keepDecision' },
                { guard: 'nothingMayStart', target: '#react.OBSERVATION', actions: 'keepDecision' },
                { guard: 'anyReady', target: 'running', actions: 'keepDecision' },
                { target: '#react.OBSERVATION', actions: 'keepDecision' },
              ],
            },
          },
          checkingAnswer: {
            entry: 'checkAnswer',
            on: {
              'answer.accepted': { target: '#react.OBSERVATION', actions: 'keepAnswer' },
              'answer.rejected': { target: '#react.OBSERVATION', actions: 'countViolation' },
            },
          },
        },
      },

      FINAL: { type: 'final' },
      ERROR: { type: 'final' },
    },
  });
}

export type ReactMachine = ReturnType<typeof createReactMachine>;
