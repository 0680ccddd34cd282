/** What is known of a call: how far it is, and what it leaves in the world. Pure. */
import type { CallState, CallStatus, EffectRecord, ReactContext } from '../src/core/snapshot.ts';
import type { Rest } from './edge.ts';

/** A call only goes up. */
export const order: { readonly [status in CallStatus]: number } = {
  read: 0,
  asking: 1,
  ready: 2,
  started: 3,
  succeeded: 4,
  failed: 4,
  unknown: 4,
  refused: 4,
};

/** A limit keeps calls from starting, and the run has no answer: the step is not over. It is judged once they have run. */
export function isHeldBack({ calls, answer }: Pick<ReactContext, 'calls' | 'answer'>): boolean {
  return answer === null && calls.some(({ status }) => status === 'ready' || status === 'asking');
}

/** It was given to its tool, or will never be. */
export const wasGiven: ReadonlySet<CallStatus> = new Set(['started', 'succeeded', 'failed', 'unknown', 'refused']);

/** Its repetition would do something twice. */
export function leavesEffect({ status, effect }: CallState): boolean {
  return status === 'unknown' ? effect !== 'readOnly' : status === 'succeeded' && effect === 'sideEffect';
}

export function isKept({ callId }: CallState, { context }: Rest): boolean {
  return context.effects.some((effect) => effect.callId === callId);
}

export function isSame(one: EffectRecord, other: EffectRecord | undefined): boolean {
  return one.callId === other?.callId && one.status === other.status && one.key === other.key;
}
