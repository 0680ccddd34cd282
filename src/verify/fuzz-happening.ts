/** What happens on a random walk of the machine, as data, and the event that it is. */
import type { ReactEvent } from '../core/events.ts';
import type { ReadCall, Stop } from '../core/reading.ts';
import type { Spent } from '../core/usage.ts';
import type { Effect, Verdict } from '../core/verdict.ts';

/** A letter for each call: run, ask, refuse, run and end the run, ask and end the run. */
export type Pass = 'r' | 'a' | 'x' | 'e' | 'q';

export type Act =
  | { readonly do: 'stop'; readonly stop: Stop; readonly calls: number }
  | { readonly do: 'calls'; readonly count: number; readonly tokens: number }
  | { readonly do: 'answer'; readonly text: string }
  | { readonly do: 'nothing' | 'truncate' | 'filter' | 'fail' | 'retry' | 'refuse_prompt' }
  | { readonly do: 'check'; readonly passes: readonly Pass[]; readonly effect: Effect }
  | {
      readonly do: 'settle';
      readonly call: number;
      readonly result: 'succeeded' | 'failed' | 'unknown';
      readonly spent?: number;
    }
  | { readonly do: 'ask' | 'accept' | 'reject' }
  | { readonly do: 'grant' | 'deny'; readonly call: number }
  | { readonly do: 'abort' | 'expire' | 'lose' | 'break' };

/** Where an event stands: of which step and try, and when. */
export interface Place {
  readonly attempt?: number;
  readonly step: number;
  readonly atMs: number;
}

export function happening(act: Act, place: Place): ReactEvent {
  const { atMs } = place;
  switch (act.do) {
    case 'stop':
      return { type: 'reply.stopped', ...place, stop: act.stop, thought: null, ...said(act.calls), tokens: tokens(2) };
    case 'calls':
      return { ...ended(place), calls: said(act.count).calls, tokens: tokens(act.tokens) };
    case 'answer':
      return { ...ended(place), answer: act.text };
    case 'nothing':
      return { ...ended(place), violation: 'no_step' };
    case 'check':
      return {
        type: 'calls.checked',
        ...place,
        verdicts: act.passes.map((pass, at) => verdict(pass, at, act.effect, place)),
      };
    case 'settle':
      return {
        type: 'call.settled',
        ...place,
        ...ofCall(act.call, place),
        result: act.result,
        ...result,
        ...spent(act),
      };
    case 'grant':
      return { type: 'approval.granted', ...place, ...ofCall(act.call, place), ...granted };
    case 'deny':
      return { type: 'approval.denied', ...place, ...ofCall(act.call, place), ...denied };
    case 'abort':
      return { type: 'run.aborted', atMs, why: '', tokens: tokens(2) };
    case 'expire':
      return { type: 'clock.expired', atMs: atMs * 100, tokens: tokens(2) };
    case 'lose':
      return { type: 'store.failed', atMs, message: 'no space', hint: '', tokens: tokens(2) };
    case 'break':
      return { type: 'machine.failed', atMs, message: 'a defect' };
    default:
      return plain[act.do](place);
  }
}

function spent({ spent: count = 0 }: { readonly spent?: number }): { readonly spent?: Spent } {
  return count === 0 ? {} : { spent: { steps: count, toolCalls: count, tokens: tokens(count) } };
}

const result = { observation: 'seen', output: 'seen', resultKey: 'seen', startedAtMs: 0 } as const;
const granted = { input: null, key: 'look {}', by: null, edited: false } as const;
const denied = { observation: 'no', cause: 'person', by: null, why: '' } as const;
const cut = { thought: null, partial: null, violation: 'truncated', hint: '', text: '' } as const;
const why = { failure: 'connection', message: 'no route', hint: 'look at the cable' } as const;

const plain = {
  truncate: (place) => ({ type: 'reply.truncated', ...place, ...cut, tokens: tokens(2) }),
  filter: (place) => ({ type: 'reply.filtered', ...place, tokens: tokens(2) }),
  fail: (place) => ({ type: 'reply.failed', ...place, ...why, tokens: tokens(2) }),
  retry: (place) => ({ type: 'reply.failed', ...place, ...why, tokens: tokens(2), retryAtMs: place.atMs + 1 }),
  refuse_prompt: (place) => ({ type: 'prompt.refused', ...place, promptTokens: 9 }),
  ask: (place) => ({ type: 'approval.asked', ...place, untilMs: 1e12 }),
  accept: (place) => ({ type: 'answer.accepted', ...place, answer: 'yes' }),
  reject: (place) => ({ type: 'answer.rejected', ...place, hint: 'no' }),
} as const satisfies { readonly [what: string]: (place: Place) => ReactEvent };

function said(count: number): { readonly calls: readonly ReadCall[]; readonly text: string } {
  return { calls: Array.from({ length: count }, () => ({ tool: 'look', input: {} })), text: '' };
}

function ended(place: Place): Extract<ReactEvent, { type: 'reply.ended' }> {
  const nothing = { thought: null, calls: [], answer: null, violation: null, hint: null, text: '', dropped: null };
  return { type: 'reply.ended', ...place, ...nothing, tokens: tokens(2) };
}

function tokens(total: number) {
  return { inputTokens: total - 1, outputTokens: 1, estimated: true };
}

function ofCall(call: number, { step }: Place) {
  return { callId: `${step}.${call}` };
}

function verdict(pass: Pass, index: number, effect: Effect, place: Place): Verdict {
  return {
    ...ofCall(index + 1, place),
    pass: pass === 'x' ? 'refuse' : pass === 'a' || pass === 'q' ? 'ask' : 'run',
    input: {},
    observation: pass === 'x' ? 'refused' : null,
    effect,
    endsRun: pass === 'e' || pass === 'q',
    key: 'look {}',
  };
}
