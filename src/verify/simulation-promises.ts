/**
 * The promises, as they must hold of every simulated run, whatever was done to it. Each gives what is wrong, or null.
 */

import { messageOf } from '../core/message-of.ts';
import type { ModelRequest } from '../core/model.ts';
import type { ReactContext } from '../core/snapshot.ts';
import { totalTokens } from '../core/usage.ts';
import { foldTrace } from './fold.ts';
import { fiction } from './simulation-model.ts';
import type { Decided } from './simulation-person.ts';
import type { Played } from './simulation-play.ts';
import { promisesOfTries, promptsIn } from './simulation-promises-of-tries.ts';
import { simulatedTools } from './simulation-script.ts';
import type { Execution } from './simulation-tools.ts';

type Promised = (played: Played) => string | null;

export const promises = {
  'it ends once, and nothing comes after': ({ trace, processes, armed, afterwards }) => {
    const ends = trace.filter(({ type }) => type === 'run.ended').length;
    if (trace.at(-1)?.type !== 'run.ended') return `the last event is ${trace.at(-1)?.type}`;
    if (ends > processes) return `${ends} ends in ${processes} processes`;
    if (armed > 0) return `${armed} timers are armed after the end`;
    return afterwards > 0 ? `${afterwards} events came after the end` : null;
  },

  'it ends by itself': ({ outcome }) =>
    outcome.stopReason === 'internal_error' ? `it has a defect: ${outcome.error?.message}` : null,

  'it stays within its time': ({ trace, budget: { wallClockMs } }) => {
    const late = trace.find((event) => 'atMs' in event && event.ignored !== true && event.atMs > wallClockMs);
    return late === undefined ? null : `${late.type} came after ${wallClockMs} ms, when the run should have ended`;
  },

  'it stays within its budget': ({ outcome: { usage }, budget, trace, requests, executions, processes }) => {
    const { maxSteps, maxToolCalls } = budget;
    const step = Math.max(0, ...promptsIn(trace).map((prompt) => prompt.step), ...requests.map((asked) => asked.step));
    if (step > maxSteps) return `step ${step} was asked for, and ${maxSteps} may be`;
    // A reply that was lost with its process is asked for again.
    const firstTries = promptsIn(trace).filter(({ attempt }) => attempt === undefined).length;
    if (firstTries > maxSteps + processes - 1) return `${firstTries} model calls for ${maxSteps} steps`;
    const started = new Set(executions?.map(({ callId }) => callId)).size;
    if (started > maxToolCalls) return `${started} calls were started, and ${maxToolCalls} may`;
    return usage.toolCalls > maxToolCalls ? `it counts ${usage.toolCalls} tool calls` : null;
  },

  'an abort ends it': ({ aborted, outcome }) =>
    // At the same moment the deadline may have come first.
    aborted && outcome.stopReason !== 'aborted' && outcome.stopReason !== 'timeout'
      ? `it was aborted, and ended with ${outcome.stopReason}`
      : null,

  'a reply that was left in flight is charged': ({ trace }) => {
    const [before, last] = trace.slice(-3);
    if (last?.type !== 'run.aborted' && last?.type !== 'clock.expired') return null;
    if (before?.type !== 'prompt.sent') return null;
    return totalTokens(last.tokens) > 0 ? null : 'its prompt was sent for nothing';
  },

  'an answer was given by the model, or by a tool that ends the run': (played) => {
    const { outcome, answers, readsAnything, executions } = played;
    if (outcome.ok !== (outcome.stopReason === 'final')) return `ok is ${outcome.ok} with ${outcome.stopReason}`;
    if (!outcome.ok) return null;
    // An answer that a schema has made a value of is held to no text.
    const { answer } = outcome;
    if (typeof answer === 'string' && answer.trim() === '') return 'the answer is empty';
    if (answer === fiction) return 'what stood behind an action was taken for the answer';
    const finished = executions?.some(({ tool }) => 'endsRun' in simulatedTools[tool]) ?? true;
    return readsAnything || finished || answers.some((said) => said === answer)
      ? null
      : `nobody said ${JSON.stringify(answer)}`;
  },

  'nothing is done twice': ({ executions, decided, trace }) => {
    const effects = (executions ?? []).filter(isEffect);
    for (const [index, one] of effects.entries()) {
      const before = effects.slice(0, index);
      const again = before.find(({ callId }) => callId === one.callId);
      if (again !== undefined) return `the call ${one.callId} of ${one.tool} was started twice`;
      const same = before.find(({ tool, input }) => tool === one.tool && input === one.input);
      if (same === undefined || isAllowed(decided, one.callId)) continue;
      if (one.tool === 'send' || isUnknown(trace, same.callId))
        return `${one.tool} ${one.input} of the call ${same.callId} was done again by ${one.callId}, and nobody asked`;
    }
    return null;
  },

  'a key stands for one call': ({ executions }) => {
    for (const one of executions ?? []) {
      const other = executions?.find(({ callId, idempotencyKey }) =>
        callId === one.callId ? idempotencyKey !== one.idempotencyKey : idempotencyKey === one.idempotencyKey,
      );
      if (other !== undefined)
        return `${one.callId} and ${other.callId} have ${one.idempotencyKey}, ${other.idempotencyKey}`;
    }
    return null;
  },

  'a person is heard': ({ executions, decided }) => {
    for (const { tool, callId, input } of executions ?? []) {
      const decision = decided?.findLast((one) => one.callId === callId);
      if (decision === undefined) {
        if (tool === 'send') return `the call ${callId} of send ran, and nobody was asked`;
      } else if (!decision.allowed) return `the call ${callId} of ${tool} ran, and a person had refused it`;
      else if (decision.edited !== null && decision.edited !== input)
        return `the call ${callId} ran with ${input}, and a person had made ${decision.edited} of it`;
    }
    return null;
  },

  'the record shows what ran': ({ outcome, executions }) => {
    for (const { toolCallId, input, status } of outcome.steps.flatMap(({ calls }) => calls)) {
      const ran = executions?.findLast(({ callId }) => callId === toolCallId);
      if (ran === undefined || status === 'cancelled' || ran.input === JSON.stringify(input ?? {})) continue;
      return `the call ${toolCallId} ran with ${ran.input}, and ${JSON.stringify(input)} is recorded`;
    }
    return null;
  },

  'an effect of which nobody knows is told': ({ outcome, executions }) => {
    const silent = executions?.find(
      (one) => isEffect(one) && !one.settled && !outcome.unknown.some(({ toolCallId }) => toolCallId === one.callId),
    );
    return silent === undefined
      ? null
      : `nothing came of the call ${silent.callId} of ${silent.tool}, and it is not told`;
  },

  'what is told as unknown was started': ({ outcome, executions, processes }) => {
    // The process may have died between saying so and doing it.
    if (executions === null || processes > 1) return null;
    const made = outcome.unknown.find(({ toolCallId }) => !executions.some(({ callId }) => callId === toolCallId));
    return made === undefined ? null : `the call ${made.toolCallId} is unknown and never started`;
  },

  'every prompt is well formed': ({ requests }) => {
    for (const [index, { messages }] of requests.entries()) {
      const roles = sidesOf(messages);
      if (roles.some((role, at) => role !== (at % 2 === 0 ? 'user' : 'assistant')) || roles.at(-1) !== 'user')
        return `request ${index + 1} has the roles ${roles.join(', ')}`;
      if (messages.some((message) => message.content.trim() === '' && !('calls' in message)))
        return `request ${index + 1} has an empty message`;
    }
    return null;
  },

  'the outcome survives JSON': ({ outcome }) => {
    const again: unknown = JSON.parse(JSON.stringify(outcome));
    return JSON.stringify(again) === JSON.stringify(outcome) ? null : 'it is another one afterwards';
  },

  'the trace leads to the outcome, and every law holds on the way': (played) => {
    try {
      const { snapshot } = foldTrace(played.trace, played.machine === null ? {} : { machine: played.machine });
      return differs(played, snapshot.context);
    } catch (thrown) {
      return messageOf(thrown);
    }
  },
  ...promisesOfTries,
} as const satisfies { readonly [name: string]: Promised };

/** Who speaks, message by message; the results of one reply's calls count as one of the user's. */
function sidesOf(messages: ModelRequest['messages']): readonly string[] {
  const roles = messages.filter(({ role }) => role !== 'system').map(({ role }) => role);
  return roles
    .filter((role, at) => role !== 'tool' || roles[at - 1] !== 'tool')
    .map((role) => (role === 'tool' ? 'user' : role));
}

/** What is broken: the promise and how. */
export function brokenPromises(played: Played): readonly string[] {
  return Object.entries(promises).flatMap(([name, promised]) => {
    const wrong = promised(played);
    return wrong === null ? [] : [`${name}: ${wrong}`];
  });
}

function differs(
  { outcome, trace }: Played,
  { stopReason, tokens, toolCalls, nestedSteps }: ReactContext,
): string | null {
  const reason = stopReason ?? 'suspended';
  if (reason !== outcome.stopReason) return `it leads to ${reason}, and the outcome is ${outcome.stopReason}`;
  const { inputTokens, outputTokens } = outcome.usage;
  if (inputTokens !== tokens.inputTokens || outputTokens !== tokens.outputTokens) return 'the tokens differ';
  if (toolCalls !== outcome.usage.toolCalls) return 'the tool calls differ';
  const calls = promptsIn(trace).filter(({ attempt }) => attempt === undefined).length + nestedSteps;
  return calls === outcome.usage.steps ? null : 'the model calls differ';
}

function isEffect({ tool }: Execution): boolean {
  return tool === 'send' || tool === 'poke';
}

function isAllowed(decided: readonly Decided[] | null, callId: string): boolean {
  return decided?.some((one) => one.callId === callId && one.allowed) ?? false;
}

/** Whether the loop itself knew, when it went on, that nobody knows what came of a call. */
function isUnknown(trace: Played['trace'], callId: string): boolean {
  return trace.some((event) => event.type === 'call.settled' && event.callId === callId && event.result === 'unknown');
}
