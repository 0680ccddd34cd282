/**
 * The machine's questions, one each, over context and event. Total: a guard that threw would make the transition
 * throw. Asked before the transition's own actions, so they look at the event for what is only about to be kept.
 */

import type { Stop } from '../src/core/reading.ts';
import type { CallState, ReactContext } from '../src/core/snapshot.ts';
import { totalTokens } from '../src/core/usage.ts';
import { statusOfPass } from '../src/core/verdict.ts';
import { chargeNested, stepsLeft } from './budget.ts';
import type { Happening } from './edge.ts';

interface Asked {
  readonly context: ReactContext;
  readonly event: Happening;
}

// What the reply holds.

export const stopIs = ({ event }: Asked, { stop }: { stop: Stop }): boolean =>
  event.type === 'reply.stopped' && event.stop === stop;

export const callsComplete = ({ event }: Asked): boolean =>
  (event.type === 'reply.stopped' || event.type === 'reply.ended') && event.calls.length > 0;

export const answerPresent = ({ event }: Asked): boolean =>
  event.type === 'reply.ended' && event.answer !== null && event.answer.trim() !== '';

export const answerToCheck = (asked: Asked): boolean => asked.context.limits.checksAnswer && answerPresent(asked);

/** Another try may succeed, and there are tries, running time and tokens for it. */
export const mayTryAgain = ({ context, event }: Asked): boolean =>
  event.type === 'reply.failed' &&
  event.retryAtMs !== undefined &&
  event.retryAtMs < context.limits.wallClockMs &&
  context.attempt <= context.limits.modelRetries &&
  totalTokens(context.tokens) + totalTokens(event.tokens) < context.limits.maxTokens;

// What the door decides.

export const answered = ({ context }: Asked): boolean => context.answer !== null;

export const fuseBlown = ({ context }: Asked): boolean => context.violationsInRow >= context.limits.maxViolations;

export const toolFuseBlown = ({ context }: Asked): boolean => context.toolErrorsInRow >= context.limits.maxToolErrors;

/** A success whose result holds nothing is none for this fuse. */
export const nothingFound = ({ context }: Asked): boolean =>
  context.limits.maxEmptyResults !== null && context.emptyInRow >= context.limits.maxEmptyResults;

export const looping = ({ context }: Asked): boolean => context.loop === 'end';

export const timeSpent = ({ context }: Asked): boolean => context.atMs >= context.limits.wallClockMs;

export const stepsSpent = ({ context }: Asked): boolean => stepsLeft(context) <= 0;

export const tokensSpent = ({ context }: Asked): boolean => totalTokens(context.tokens) >= context.limits.maxTokens;

/** Calls were let through by the gates and do not fit into the budget. */
export const toolCallsSpent = ({ context }: Asked): boolean => {
  const { count } = startable(context.calls);
  return count > 0 && context.toolCalls + count > context.limits.maxToolCalls;
};

// What ACTION does next.

export const anyToRun = ({ event }: Asked): boolean =>
  event.type === 'calls.checked' && event.verdicts.some((verdict) => verdict.pass === 'run');

export const anyToAsk = ({ event }: Asked): boolean =>
  event.type === 'calls.checked' && event.verdicts.some((verdict) => verdict.pass === 'ask');

/** Tokens above the budget, or more calls than it holds, or no reply left that could use a result. */
export const nothingMayStart = ({ context: before, event }: Asked): boolean => {
  const { count, endsRun } = startable(callsAfter(before, event));
  const context = chargeNested(before, event);
  if (count === 0) return false;
  if (totalTokens(context.tokens) > context.limits.maxTokens) return true;
  if (context.toolCalls + count > context.limits.maxToolCalls) return true;
  return noReplyLeft(context) && !endsRun;
};

/** A tool that ends the run has succeeded: no reply will use what else would start. */
export const answeredByTool = ({ context, event }: Asked): boolean =>
  event.type === 'call.settled' &&
  (context.answer !== null ||
    (event.result === 'succeeded' && context.calls.some(({ callId, endsRun }) => endsRun && callId === event.callId)));

/** Reads are in flight, one of them has just settled, and the next call is a read: it takes the free place. */
export const readMayJoin = ({ context, event }: Asked): boolean => {
  if (event.type !== 'call.settled' || answeredByTool({ context, event }) || nothingMayStart({ context, event }))
    return false;
  const next = context.calls.find(({ status }) => status === 'ready');
  const others = context.calls.filter(({ callId, status }) => status === 'started' && callId !== event.callId);
  return next?.effect === 'readOnly' && others.length > 0 && others.length < context.limits.maxParallel;
};

export const othersStarted = ({ context, event }: Asked): boolean =>
  event.type === 'call.settled' && othersWith(context, event.callId, 'started');

export const othersUndecided = ({ context, event }: Asked): boolean =>
  (event.type === 'approval.granted' || event.type === 'approval.denied') &&
  othersWith(context, event.callId, 'asking');

export const anyReady = ({ context }: Asked): boolean => has(context, 'ready');

export const anyAsking = ({ context }: Asked): boolean => has(context, 'asking');

// Shared by the questions above.

type Standing = Pick<CallState, 'status' | 'endsRun'>;

function noReplyLeft(context: ReactContext): boolean {
  return stepsLeft(context) <= 0 || totalTokens(context.tokens) >= context.limits.maxTokens;
}

function has(context: ReactContext, status: CallState['status']): boolean {
  return context.calls.some((call) => call.status === status);
}

function othersWith(context: ReactContext, callId: string, status: CallState['status']): boolean {
  return context.calls.some((call) => call.callId !== callId && call.status === status);
}

/** How many calls would start next, and whether a success of one of them would be the answer. A person may refuse. */
function startable(calls: readonly Standing[]): { readonly count: number; readonly endsRun: boolean } {
  const ready = calls.filter(({ status }) => status === 'ready');
  const asking = calls.filter(({ status }) => status === 'asking');
  return {
    count: ready.length || Math.min(asking.length, 1),
    endsRun: [...ready, ...asking].some((call) => call.endsRun),
  };
}

/** The calls as they will stand once this event is kept. */
function callsAfter(context: ReactContext, event: Happening): readonly Standing[] {
  if (event.type === 'calls.checked')
    return event.verdicts.map(({ pass, endsRun }) => ({ status: statusOfPass[pass], endsRun }));
  if (event.type === 'approval.granted')
    return context.calls.map((call) => (call.callId === event.callId ? { ...call, status: 'ready' as const } : call));
  if (event.type === 'approval.denied') return context.calls.filter(({ callId }) => callId !== event.callId);
  return context.calls;
}
