/**
 * What retries and agents as tools promise, as it must hold of every simulated run. Each gives what is wrong, or null.
 * What the model really saw and the agent really did counts, beside the trace.
 */
import type { TraceEvent } from '../core/trace.ts';
import { type Asked, tornMark } from './simulation-model.ts';
import type { Played } from './simulation-play.ts';

type Promised = (played: Played) => string | null;

export const promisesOfTries = {
  'a step is tried no more often than it may be': ({ trace, modelRetries, processes }) => {
    const most = modelRetries + 1;
    for (const { step, attempt = 1 } of promptsIn(trace)) {
      if (attempt > most) return `step ${step} was tried ${attempt} times, and may be ${most} times`;
      const same = promptsIn(trace).filter((prompt) => prompt.step === step && (prompt.attempt ?? 1) === attempt);
      // A reply that was lost with its process is asked for again.
      if (same.length > processes) return `try ${attempt} of step ${step} was made ${same.length} times`;
    }
    return null;
  },

  'a try is no step, and a step no try': (played) => {
    for (const [one, next] of pairs(requestsOf(played))) {
      const wrong = wrongAfter(one, next);
      if (wrong !== null) return wrong;
    }
    return null;
  },

  'a wait is waited out': (played) => {
    const failed = played.trace.filter((event) => event.type === 'reply.failed');
    for (const { step, attempt = 1, atMs } of promptsIn(played.trace)) {
      const before = failed.findLast((event) => event.step === step && (event.attempt ?? 1) === attempt - 1);
      if (before?.retryAtMs !== undefined && atMs < before.retryAtMs)
        return `try ${attempt} of step ${step} was made at ${atMs} ms, and its wait ended at ${before.retryAtMs}`;
    }
    for (const [one, next] of pairs(requestsOf(played)))
      if (one.ended === 'failed' && next.attempt > one.attempt && next.atMs < (one.againAtMs ?? 0))
        return `the model was asked ${(one.againAtMs ?? 0) - next.atMs} ms before it wanted to be`;
    return null;
  },

  'nothing is asked after the deadline': (played) => {
    const { trace, processes, budget } = played;
    const late = promptsIn(trace).find(({ atMs }) => atMs >= budget.wallClockMs);
    if (late !== undefined) return `step ${late.step} was asked for at ${late.atMs} ms`;
    // The running time stands still while a person decides, and between processes.
    if (processes > 1 || trace.some(({ type }) => type === 'approval.asked')) return null;
    const tooLate = requestsOf(played).find(({ atMs }) => atMs >= budget.wallClockMs);
    return tooLate === undefined ? null : `the model was asked at ${tooLate.atMs} ms`;
  },

  'nothing of a reply that failed is used': (played) => {
    const { outcome, executions } = played;
    const requests = requestsOf(played);
    const used = JSON.stringify([outcome.steps, outcome.ok ? outcome.answer : null, executions]);
    for (const [number, { ended, messages }] of requests.entries()) {
      if (ended !== 'failed') continue;
      const mark = tornMark(number);
      if (used.includes(mark)) return `what request ${number + 1} was given before its reply failed is in the run`;
      if (requests.slice(number).some((later) => JSON.stringify(later.messages).includes(mark)))
        return `the model is shown its reply to request ${number + 1}, which failed (${messages.length} messages)`;
    }
    return null;
  },

  'what an agent spends as a tool is spent': ({ nested, outcome: { usage }, budget, trace, processes }) => {
    // A reply that was lost with its process is asked for again, and what the agent spent in one is lost with it.
    if (usage.steps > budget.maxSteps + processes - 1)
      return `${usage.steps} steps, with the agent's, and ${budget.maxSteps} may be`;
    if (nested === null || processes > 1) return null;
    const own = promptsIn(trace).filter(({ attempt }) => attempt === undefined).length;
    if (usage.steps !== own + nested.steps) return `${own} and ${nested.steps} steps are told as ${usage.steps}`;
    return usage.toolCalls < nested.toolCalls ? `the agent made ${nested.toolCalls} calls of ${usage.toolCalls}` : null;
  },
} as const satisfies { readonly [name: string]: Promised };

/** Of the run itself. */
export function promptsIn(trace: readonly TraceEvent[]) {
  return trace.filter((event) => event.type === 'prompt.sent');
}

/** None where the agent is not ours: it may pass a request on to several models, or lend the model to another agent. */
function requestsOf({ requests, executions }: Played): readonly Asked[] {
  return executions === null ? [] : requests;
}

function pairs<Value>(values: readonly Value[]): readonly (readonly [Value, Value])[] {
  return values.slice(1).flatMap((next, index) => {
    const one = values[index];
    return one === undefined ? [] : [[one, next] as const];
  });
}

function wrongAfter(one: Asked, next: Asked): string | null {
  const isAgain = next.step === one.step && next.attempt === one.attempt;
  if (isAgain && next.life !== one.life) return null; // its end was lost with the process
  const isTry = next.step === one.step && next.attempt === one.attempt + 1;
  const isStep = next.step === one.step + 1 && next.attempt === 1;
  const told = `step ${one.step}, try ${one.attempt} ended ${one.ended}, and step ${next.step}, try ${next.attempt} followed`;
  switch (one.ended) {
    case 'well':
      return isStep ? null : told;
    case 'failed':
      return isTry && one.againAtMs !== null ? null : told;
    case 'not': // left before its end, or too late
      return isTry || isStep ? null : told;
  }
}
