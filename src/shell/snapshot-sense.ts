/**
 * What must agree in a snapshot whose fields are all well formed: the calls with the state, the counters with each other,
 * the conversation with itself. Cheap, and no proof: it finds documents that were put together or cut. Pure.
 */

import type { Rest } from '../../machines/edge.ts';
import type { CallState, CallStatus, KeptHistory, ReactContext, RunLimits, Snapshot } from '../core/snapshot.ts';
import { isKeyOf } from '../dispatch/verdict.ts';
import { conversationProblem } from './conversation.ts';
import { reopened } from './going-on.ts';

/** What does not agree, as a sentence; null where all does. */
export function snapshotNonsense(snapshot: Snapshot): string | null {
  const { context, history } = snapshot;
  const { stopReason } = context;
  if (stopReason !== null && snapshot.state !== 'ERROR')
    return `the run has ended, and is in the state ${snapshot.state}`;
  // Of a run that ended, where it would go on must agree with itself.
  const rest = stopReason === null ? snapshot : reopened(context, context.limits);
  const problems = [
    stateProblem(rest, stopReason !== null),
    callProblem(context),
    countProblem(context, stepsTaken(rest)),
    answerProblem(rest),
    historyProblem(history, rest, stopReason !== null),
    snapshot.sequence < 1 ? 'sequence is 0; a run has at least one event' : null,
    snapshot.atMs < context.atMs ? `atMs is ${snapshot.atMs}, before context.atMs ${context.atMs}` : null,
  ];
  return problems.find((problem) => problem !== null) ?? null;
}

interface Standing {
  /** What a call may be in this state. */
  readonly may: readonly CallStatus[];
  /** What at least one call is; null where there are no calls. */
  readonly one: CallStatus | null;
}

const settled = ['succeeded', 'failed', 'unknown', 'refused'] as const;
const nothing: Standing = { may: [], one: null };

const standings: ReadonlyMap<string, Standing> = new Map([
  ['THOUGHT.reasoning', nothing],
  ['THOUGHT.calling', nothing],
  ['THOUGHT.answering', nothing],
  ['ACTION.gating', { may: ['read'], one: 'read' }],
  ['ACTION.running', { may: ['ready', 'asking', 'started', ...settled], one: 'started' }],
  ['ACTION.awaitingApproval', { may: ['ready', 'asking', ...settled], one: 'asking' }],
  ['ACTION.checkingAnswer', nothing],
]);

/** At the door, or before another end: where a run that ended goes on, and nowhere else. */
const passing: Standing = { may: ['ready', 'asking', ...settled], one: null };

function stateProblem({ state, context: { calls } }: Rest, hasEnded: boolean): string | null {
  const name =
    typeof state === 'string'
      ? state
      : Object.entries(state)
          .map((path) => path.join('.'))
          .join();
  const standing = hasEnded && typeof state === 'string' ? passing : standings.get(name);
  if (standing === undefined) return `state is ${name}, in which no run rests`;
  const wrong = calls.find(({ status }) => !standing.may.includes(status));
  if (wrong !== undefined) return `in the state ${name} the call ${wrong.callId} is ${wrong.status}`;
  if (standing.one === null || calls.some(({ status }) => status === standing.one)) return null;
  return `in the state ${name} no call is ${standing.one}`;
}

function callProblem({ calls, effects, step }: ReactContext): string | null {
  const misnamed = calls.findIndex(({ callId }, index) => callId !== `${step}.${index + 1}`);
  if (misnamed !== -1) return `context.calls[${misnamed}].callId is not ${step}.${misnamed + 1}`;
  // What a person is shown must be what they are asked about, and what will run.
  const changed = calls.find((call) => call.status === 'asking' && !isKeyOf(call.key, call));
  if (changed !== undefined) return `the input of the call ${changed.callId} does not fit its key`;
  const foreign = effects.find(({ callId }) => !isCallUpTo(callId, step));
  return foreign === undefined ? null : `an effect is of the call ${foreign.callId}, which no step so far had`;
}

function isCallUpTo(callId: string, step: number): boolean {
  const [ofStep, ...rest] = callId.split('.').map(Number);
  return rest.length === 1 && Number.isInteger(rest[0]) && ofStep !== undefined && ofStep >= 1 && ofStep <= step;
}

/** The model calls that `maxSteps` must allow for: a reply is only asked for within it, with those of agents that ran as tools. */
export function stepsTaken({ state, context }: Pick<Snapshot, 'state' | 'context'>): number {
  const asksForReply = typeof state !== 'string' && state.THOUGHT !== undefined;
  return context.step + (asksForReply ? context.nestedSteps : 0);
}

function countProblem(context: ReactContext, taken: number): string | null {
  const {
    step,
    toolCalls,
    violations,
    violationsInRow,
    toolErrorsInRow,
    emptyInRow,
    effects,
    window,
    limits,
    stopReason,
  } = context;
  const started = context.calls.filter(isStarted).length;
  const longest = limits.loopGuard === null ? 0 : limits.loopGuard.endAt * limits.loopGuard.cycleMax;
  if (step < 1 && stopReason === null) return 'context.step is 0; a run that rests has asked the model';
  if (taken > limits.maxSteps) return `context.limits.maxSteps is ${limits.maxSteps}, and the run has taken ${taken}`;
  if (violations > step) return `context.violations is ${violations}, in ${step} steps`;
  if (violationsInRow > violations) return `context.violationsInRow is ${violationsInRow}, of ${violations} violations`;
  if (toolErrorsInRow > step) return `context.toolErrorsInRow is ${toolErrorsInRow}, in ${step} steps`;
  if (emptyInRow > toolCalls) return `context.emptyInRow is ${emptyInRow}, of ${toolCalls} calls`;
  if (started > toolCalls) return `context.toolCalls is ${toolCalls}, and ${started} calls have started in this step`;
  if (effects.length > toolCalls) return `context.effects has ${effects.length} entries, of ${toolCalls} calls`;
  const passed = stopReason === null ? limitPassed(context, limits) : null;
  if (passed !== null) return `context.limits.${passed.limit} is ${passed.value}, and the run has had ${passed.had}`;
  return window.length > longest ? `context.window has ${window.length} entries; it holds up to ${longest}` : null;
}

/** A limit that no run at rest is beyond: the door would have ended it. `least` is what the limit has to be. */
export function limitPassed(
  { violationsInRow, toolErrorsInRow, emptyInRow, effects }: ReactContext,
  { maxViolations, maxToolErrors, maxEmptyResults, maxToolCalls }: RunLimits,
): { readonly limit: string; readonly value: number; readonly had: string; readonly least: number } | null {
  const inRow = (limit: string, value: number, had: string, count: number) => ({
    limit,
    value,
    had: `${count} ${had} in a row`,
    least: count + 1,
  });
  const limits = [
    inRow('maxViolations', maxViolations, 'violations', violationsInRow),
    inRow('maxToolErrors', maxToolErrors, 'failed tool steps', toolErrorsInRow),
    inRow('maxEmptyResults', maxEmptyResults ?? Number.POSITIVE_INFINITY, 'empty results', emptyInRow),
    { limit: 'maxToolCalls', value: maxToolCalls, had: `${effects.length} effects`, least: effects.length },
  ];
  return limits.find(({ value, least }) => value < least) ?? null;
}

function isStarted({ status }: CallState): boolean {
  return ['started', 'succeeded', 'failed', 'unknown'].includes(status);
}

/** An answer that nobody gave must not become the answer of the run. */
function answerProblem({ state, context: { answer, proposed, calls, failure } }: Rest): string | null {
  if (answer !== null && !calls.some(({ endsRun, status }) => endsRun && status === 'succeeded'))
    return 'context.answer holds a text, and no call has ended the run';
  const checking = typeof state !== 'string' && state.ACTION === 'checkingAnswer';
  if (checking !== (proposed !== null)) return `context.proposed is ${checking ? 'missing' : 'not null'} in this state`;
  return failure === null ? null : 'context.failure is not null, and the run has not ended';
}

function historyProblem(
  { messages, steps, open }: KeptHistory,
  { state, context: { step, calls } }: Rest,
  hasEnded: boolean,
): string | null {
  const acting = calls.length > 0 || (typeof state !== 'string' && state.ACTION !== undefined);
  const isRecorded = hasEnded && state === 'OBSERVATION' && !acting;
  if (isRecorded && open !== null) return `history.open is step ${open.number}, which is over`;
  if (acting && open === null) return `history.open is null, and step ${step} is in progress`;
  if (open !== null && open.number !== step)
    return `history.open is step ${open.number}, and the run is in step ${step}`;
  const last = steps.findIndex(
    ({ number }, index) => number <= (steps[index - 1]?.number ?? 0) || number >= step + (isRecorded ? 1 : 0),
  );
  if (last !== -1) return `history.steps[${last}] is step ${steps[last]?.number}, out of order`;
  const problem = conversationProblem(messages);
  return problem === null ? null : `history.messages ${problem}`;
}
