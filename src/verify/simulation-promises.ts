/**
 * The four promises, as they must hold of every simulated run, whatever was done to it. Each gives what is wrong, or null.
 */

import { messageOf } from '../core/message-of.ts';
import type { ReactContext } from '../core/snapshot.ts';
import { foldTrace } from './fold.ts';
import { fiction } from './simulation-model.ts';
import type { Played } from './simulation-play.ts';
import { simulatedTools } from './simulation-script.ts';

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

  'it stays within its budget': ({ outcome: { usage }, budget, requests, executions, processes }) => {
    const { maxSteps, maxToolCalls } = budget;
    // A reply that was lost with its process is asked for again.
    if (requests.length > maxSteps + processes - 1) return `${requests.length} requests for ${maxSteps} steps`;
    const started = new Set(executions.map(({ callId }) => callId)).size;
    if (started > maxToolCalls) return `${started} calls were started, and ${maxToolCalls} may`;
    return usage.toolCalls > maxToolCalls ? `it counts ${usage.toolCalls} tool calls` : null;
  },

  'an answer was given by the model, or by a tool that ends the run': ({
    outcome,
    answers,
    readsAnything,
    executions,
  }) => {
    if (outcome.ok !== (outcome.stopReason === 'final')) return `ok is ${outcome.ok} with ${outcome.stopReason}`;
    if (!outcome.ok) return null;
    if (outcome.answer.trim() === '') return 'the answer is empty';
    if (outcome.answer === fiction) return 'what stood behind an action was taken for the answer';
    const finished = executions.some(({ tool }) => 'endsRun' in simulatedTools[tool]);
    return readsAnything || finished || answers.includes(outcome.answer)
      ? null
      : `nobody said ${JSON.stringify(outcome.answer)}`;
  },

  'nothing is done twice': ({ executions }) => {
    const effects = executions.filter(({ tool }) => tool === 'send' || tool === 'poke');
    const twice = effects.find(({ callId }, index) => effects.findIndex((other) => other.callId === callId) !== index);
    return twice === undefined ? null : `the call ${twice.callId} of ${twice.tool} was started twice`;
  },

  'an effect of which nobody knows is told': ({ outcome, executions }) => {
    const silent = executions.find(
      ({ tool, callId, settled }) =>
        (tool === 'send' || tool === 'poke') &&
        !settled &&
        !outcome.unknown.some(({ toolCallId }) => toolCallId === callId),
    );
    return silent === undefined
      ? null
      : `nothing came of the call ${silent.callId} of ${silent.tool}, and it is not told`;
  },

  'what is told as unknown was started': ({ outcome, executions, processes }) => {
    if (processes > 1) return null; // the process may have died between saying so and doing it
    const made = outcome.unknown.find(({ toolCallId }) => !executions.some(({ callId }) => callId === toolCallId));
    return made === undefined ? null : `the call ${made.toolCallId} is unknown and never started`;
  },

  'every prompt is well formed': ({ requests }) => {
    for (const [index, messages] of requests.entries()) {
      const roles = messages.filter(({ role }) => role !== 'system').map(({ role }) => role);
      if (roles.some((role, at) => role !== (at % 2 === 0 ? 'user' : 'assistant')) || roles.at(-1) !== 'user')
        return `request ${index + 1} has the roles ${roles.join(', ')}`;
      if (messages.some(({ content }) => content.trim() === '')) return `request ${index + 1} has an empty message`;
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
} as const satisfies { readonly [name: string]: Promised };

export type PromiseName = keyof typeof promises;

/** What is broken: the promise and how. */
export function brokenPromises(played: Played): readonly string[] {
  return Object.entries(promises).flatMap(([name, promised]) => {
    const wrong = promised(played);
    return wrong === null ? [] : [`${name}: ${wrong}`];
  });
}

function differs({ outcome, trace }: Played, { stopReason, tokens, toolCalls }: ReactContext): string | null {
  const reason = stopReason ?? 'suspended';
  if (reason !== outcome.stopReason) return `it leads to ${reason}, and the outcome is ${outcome.stopReason}`;
  const { inputTokens, outputTokens } = outcome.usage;
  if (inputTokens !== tokens.inputTokens || outputTokens !== tokens.outputTokens) return 'the tokens differ';
  if (toolCalls !== outcome.usage.toolCalls) return 'the tool calls differ';
  const calls = trace.filter(({ type }) => type === 'prompt.sent').length;
  return calls === outcome.usage.steps ? null : 'the model calls differ';
}
