/**
 * The machine's actions as plain functions `(context, event) => context`, testable without XState. Pure. A reducer that
 * is given an event it does not know returns the context as it is.
 */
import type { CallSettled, ReactEvent } from '../src/core/events.ts';
import { fingerprint } from '../src/core/fingerprint.ts';
import type { CallState, ReactContext } from '../src/core/snapshot.ts';
import type { FailureReason, StepViolation, StopReason } from '../src/core/stop-reasons.ts';
import { addTokens, chargeNested } from './budget.ts';
import { callChecked, callDecided, callRead, effectOf, effectRecord } from './call-changes.ts';
import { isHeldBack } from './call-facts.ts';
import { watchLoop } from './loop-guard.ts';

/** Entering THOUGHT: one model call is charged, and nothing of the last step remains. */
export function spendStep(context: ReactContext): ReactContext {
  return {
    ...context,
    step: context.step + 1,
    attempt: 1,
    askAtMs: 0,
    calls: [],
    violation: null,
    proposed: null,
    approvalUntilMs: null,
    loop: 'none',
  };
}

/** Leaving THOUGHT: the tokens of the reply are charged, however it was left. */
export function chargeReply(context: ReactContext, event: ReactEvent): ReactContext {
  if (!('tokens' in event)) return context;
  return { ...context, tokens: addTokens(context.tokens, event.tokens) };
}

/** The reply failed, and is asked for again. */
export function countTry(context: ReactContext, event: ReactEvent): ReactContext {
  if (event.type !== 'reply.failed') return context;
  return { ...context, attempt: context.attempt + 1, askAtMs: event.retryAtMs ?? event.atMs };
}

export function keepCalls(context: ReactContext, event: ReactEvent): ReactContext {
  if (event.type !== 'reply.stopped' && event.type !== 'reply.ended') return context;
  return { ...context, calls: event.calls.map((call, index) => callRead(call, `${context.step}.${index + 1}`)) };
}

export function keepAnswer(context: ReactContext, event: ReactEvent): ReactContext {
  if (event.type === 'reply.ended') return { ...context, answer: event.answer };
  return event.type === 'answer.accepted' ? { ...context, answer: context.proposed } : context;
}

export function keepProposed(context: ReactContext, event: ReactEvent): ReactContext {
  return event.type === 'reply.ended' ? { ...context, proposed: event.answer } : context;
}

export function countViolation(context: ReactContext, event: ReactEvent): ReactContext {
  return {
    ...context,
    violation: violationOf(event),
    violations: context.violations + 1,
    violationsInRow: context.violationsInRow + 1,
  };
}

export function keepVerdicts(context: ReactContext, event: ReactEvent): ReactContext {
  if (event.type !== 'calls.checked') return context;
  const calls = context.calls.map((call, index) => {
    const verdict = event.verdicts[index];
    return verdict === undefined ? call : callChecked(call, verdict);
  });
  return { ...context, calls };
}

export function keepDeadline(context: ReactContext, event: ReactEvent): ReactContext {
  return event.type === 'approval.asked' ? { ...context, approvalUntilMs: event.untilMs } : context;
}

export function keepDecision(context: ReactContext, event: ReactEvent): ReactContext {
  if (event.type !== 'approval.granted' && event.type !== 'approval.denied') return context;
  return changeCall(context, event.callId, (call) => callDecided(call, event));
}

/**
 * Entering `running`: the next calls start. Reads that stand together start together, as many as may; anything else
 * starts alone, so that a crash leaves no doubt about a call which never began.
 */
export function startCalls(context: ReactContext): ReactContext {
  const first = context.calls.findIndex((call) => call.status === 'ready');
  if (first === -1) return context;
  const calls = context.calls.slice();
  let started = 0;
  for (let index = first; index < calls.length; index++) {
    const call = calls[index];
    if (call?.status !== 'ready') continue;
    if (started > 0 && (call.effect !== 'readOnly' || started >= context.limits.maxParallel)) break;
    calls[index] = { ...call, status: 'started' };
    started++;
    if (call.effect !== 'readOnly') break;
  }
  return { ...context, calls, toolCalls: context.toolCalls + started };
}

/** A read in flight has settled: the next one takes its place. */
export function startNext(context: ReactContext): ReactContext {
  const next = context.calls.find(({ status }) => status === 'ready');
  if (next === undefined) return context;
  const started = changeCall(context, next.callId, (call) => ({ ...call, status: 'started' }));
  return { ...started, toolCalls: context.toolCalls + 1 };
}

export function keepResult(before: ReactContext, event: ReactEvent): ReactContext {
  if (event.type !== 'call.settled') return before;
  const context = chargeNested(before, event);
  const call = context.calls.find(({ callId }) => callId === event.callId);
  if (call === undefined) return before;
  const next = changeCall(context, event.callId, (it) => ({
    ...it,
    status: event.result,
    empty: event.result === 'succeeded' && event.empty === true,
    resultKey: event.resultKey,
  }));
  const effect = effectOf(call, event);
  const answer = call.endsRun && event.result === 'succeeded' ? answerText(call, event) : next.answer;
  return { ...next, answer, effects: effect === null ? next.effects : [...next.effects, effect] };
}

/** Only a result that holds something ends the row. */
function emptyInRow(before: number, results: readonly CallState[]): number {
  return results.reduce(
    (inRow, { status, empty }) => (status === 'succeeded' ? (empty ? inRow + 1 : 0) : inRow),
    before,
  );
}

/**
 * The run ends while calls are in flight: what may have happened in the world is unknown from now on. A call that waits for
 * its place has not begun, and never will.
 */
export function abandonCalls(before: ReactContext, event: ReactEvent): ReactContext {
  const context = chargeNested(before, event);
  const waiting = 'waiting' in event && event.waiting !== undefined ? event.waiting : [];
  const left = context.calls.filter(({ status, effect }) => status === 'started' && effect !== 'readOnly');
  if (left.length === 0) return context;
  const stands = (call: CallState) => (waiting.includes(call.callId) ? ('refused' as const) : ('unknown' as const));
  const calls = context.calls.map((call) => (left.includes(call) ? { ...call, status: stands(call) } : call));
  const abandoned = left.filter((call) => stands(call) === 'unknown');
  const effects = [...context.effects, ...abandoned.map((call) => effectRecord(call, 'unknown'))];
  return { ...context, calls, effects };
}

/** Entering OBSERVATION: the fuses and the loop guard judge the step that is done. Only a success resets the fuses. */
export function judgeStep(context: ReactContext, event: ReactEvent): ReactContext {
  const atMs = 'atMs' in event ? Math.max(context.atMs, event.atMs) : context.atMs;
  if (isHeldBack(context)) return { ...context, atMs };
  const results = context.calls.filter(({ status }) => status !== 'ready' && status !== 'asking');
  if (results.length === 0 && context.violation === null) return { ...context, atMs };
  const succeeded = results.some(({ status }) => status === 'succeeded');
  const failed = !succeeded && results.length > 0;
  return {
    ...context,
    ...watchLoop(context.limits.loopGuard, context.window, stepKey(context, results)),
    atMs,
    violationsInRow: succeeded ? 0 : context.violationsInRow,
    toolErrorsInRow: succeeded ? 0 : context.toolErrorsInRow + (failed ? 1 : 0),
    emptyInRow: emptyInRow(context.emptyInRow, results),
  };
}

export function keepFailure(context: ReactContext, event: ReactEvent): ReactContext {
  if (event.type === 'reply.failed' || event.type === 'store.failed')
    return { ...context, failure: { message: event.message, hint: event.hint } };
  if (event.type === 'machine.failed')
    return {
      ...context,
      failure: { message: event.message, hint: 'This is a defect of the loop: please report it with the trace.' },
    };
  return context;
}

export function endWith(context: ReactContext, reason: FailureReason | 'final'): ReactContext {
  const stopReason: Exclude<StopReason, 'suspended'> = reason;
  return { ...context, stopReason };
}

// Parts of the reducers above.

function violationOf(event: ReactEvent): StepViolation {
  if (event.type === 'reply.truncated') return event.violation;
  if (event.type === 'answer.rejected') return 'answer_rejected';
  if (event.type === 'reply.ended' && event.violation !== null) return event.violation;
  return 'no_step';
}

function changeCall(context: ReactContext, callId: string, change: (call: CallState) => CallState): ReactContext {
  return { ...context, calls: context.calls.map((call) => (call.callId === callId ? change(call) : call)) };
}

/** An output that holds nothing is no answer: what the model would be told says so in words. */
function answerText({ tool }: CallState, { output, observation }: CallSettled): string {
  const text = typeof output === 'string' || output === null ? output : JSON.stringify(output);
  return [text, observation].find((candidate) => candidate !== null && candidate.trim() !== '') ?? `${tool} succeeded.`;
}

function stepKey(context: ReactContext, results: readonly CallState[]): string {
  if (context.violation !== null) return `violation:${context.violation}`;
  return fingerprint(results.map(({ key, resultKey }) => `${key}=${resultKey}`).join('&'));
}
