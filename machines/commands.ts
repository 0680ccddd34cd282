/**
 * What the machine asks of the world, as plain data, and what is due in a state at rest. Pure.
 */
import type { CallState, EffectRecord, ReactContext, StatePath } from '../src/core/snapshot.ts';
import type { StepViolation } from '../src/core/stop-reasons.ts';
import { totalTokens } from '../src/core/usage.ts';
import { isHeldBack } from './call-facts.ts';

export type Command =
  /** Send the prompt, at `atMs` of the running time or later, and read the reply, if both fit into `tokensLeft`. */
  | {
      readonly type: 'askModel';
      readonly step: number;
      /** The number of the try, from 1. */
      readonly attempt: number;
      readonly atMs: number;
      readonly tokensLeft: number;
    }
  /** The reply is no longer wanted. Without effect where it has ended. */
  | { readonly type: 'cancelReply'; readonly step: number }
  /** Let the calls pass the gates: answer with `calls.checked`, one verdict a call, in their order. */
  | {
      readonly type: 'checkCalls';
      readonly step: number;
      readonly calls: readonly CallState[];
      readonly effects: readonly EffectRecord[];
    }
  /** Run these: answer with `call.settled` for each. More than one, and what joins others in flight, are all reads. */
  | { readonly type: 'runCalls'; readonly step: number; readonly calls: readonly CallState[] }
  /** They had been started when the run was interrupted: run again what may be repeated, report the rest as unknown. */
  | { readonly type: 'recoverCalls'; readonly step: number; readonly calls: readonly CallState[] }
  /** The results are no longer wanted. Without effect where all have settled. */
  | { readonly type: 'cancelCalls'; readonly step: number }
  /** Ask a person: answer with `approval.asked`, then one decision a call. The running time stands still. */
  | {
      readonly type: 'askApproval';
      readonly step: number;
      readonly calls: readonly CallState[];
      readonly untilMs: number | null;
    }
  | { readonly type: 'closeApproval'; readonly step: number }
  /** Answer with `answer.accepted` or `answer.rejected`. */
  | { readonly type: 'checkAnswer'; readonly step: number; readonly answer: string }
  /** The step is done: keep it. Step 0 is the task. */
  | {
      readonly type: 'recordStep';
      readonly step: number;
      readonly calls: readonly CallState[];
      readonly violation: StepViolation | null;
      readonly answer: string | null;
      readonly loop: ReactContext['loop'];
      readonly emptyInRow: number;
    };

export type CommandType = Command['type'];

/** What one command needs to know, from the context at the moment it was emitted. */
const dataOf: { readonly [Action in CommandType | 'askAgain' | 'runNext']: (context: ReactContext) => Command } = {
  askModel: asking,
  askAgain: asking,
  cancelReply: ({ step }) => ({ type: 'cancelReply', step }),
  checkCalls: ({ step, calls, effects }) => ({ type: 'checkCalls', step, calls, effects }),
  runCalls: (context) => ({ type: 'runCalls', step: context.step, calls: started(context) }),
  // Calls start in their order: the last is the one that has just joined.
  runNext: (context) => ({ type: 'runCalls', step: context.step, calls: started(context).slice(-1) }),
  recoverCalls: (context) => ({ type: 'recoverCalls', step: context.step, calls: started(context) }),
  cancelCalls: ({ step }) => ({ type: 'cancelCalls', step }),
  askApproval: ({ step, calls, approvalUntilMs }) => ({
    type: 'askApproval',
    step,
    calls: calls.filter(({ status }) => status === 'asking'),
    untilMs: approvalUntilMs,
  }),
  closeApproval: ({ step }) => ({ type: 'closeApproval', step }),
  checkAnswer: ({ step, proposed }) => ({ type: 'checkAnswer', step, answer: proposed ?? '' }),
  recordStep: ({ step, calls, violation, answer, loop, emptyInRow }) => ({
    type: 'recordStep',
    step,
    calls,
    violation,
    answer,
    loop,
    emptyInRow,
  }),
};

function asking({ step, attempt, askAtMs, limits, tokens }: ReactContext): Command {
  const tokensLeft = Math.max(0, limits.maxTokens - totalTokens(tokens));
  return { type: 'askModel', step, attempt, atMs: askAtMs, tokensLeft };
}

/** The command of an action's name; null where the name is not a command, or there is no step to record yet. */
export function commandOf(action: string, context: ReactContext): Command | null {
  if (action === 'recordStep' && isHeldBack(context)) return null;
  return emitsCommand(action) ? dataOf[action](context) : null;
}

/** The command that a state waits on: what has to be performed (again) when a run is taken up in this state. */
export function commandDue(state: StatePath, context: ReactContext): Command | null {
  if (typeof state === 'string') return null;
  if (state.THOUGHT !== undefined) return dataOf.askModel(context);
  switch (state.ACTION) {
    case 'gating':
      return dataOf.checkCalls(context);
    case 'running':
      return dataOf.recoverCalls(context);
    case 'awaitingApproval':
      return dataOf.askApproval(context);
    case 'checkingAnswer':
      return dataOf.checkAnswer(context);
    default:
      return null;
  }
}

function started({ calls }: ReactContext): readonly CallState[] {
  return calls.filter(({ status }) => status === 'started');
}

function emitsCommand(name: string): name is keyof typeof dataOf {
  return Object.hasOwn(dataOf, name);
}
