/** Why every path ends: a rank of whole numbers from 0 that falls on every edge, and so cannot fall for ever. Pure. */
import type { CallStatus } from '../src/core/snapshot.ts';
import { stepsLeft } from './budget.ts';
import { isEnd, type Phase, phaseOf, type Rest } from './edge.ts';

/**
 * Compared from the left: has it ended; steps left; tries left of this step's model call; how far the reply is; what the
 * calls still have to go through. `docs/verify.md` argues from it for every budget.
 */
export function rank({ state, context }: Rest): readonly number[] {
  const left = context.calls.reduce((sum, { status }) => sum + stillToGo[status], 0);
  const phase = phaseOf(state);
  const unasked = phase === 'awaitingApproval' && context.approvalUntilMs === null ? 1 : 0;
  const tries = context.limits.modelRetries - context.attempt + 1;
  return [isEnd(state) ? 0 : 1, Math.max(0, stepsLeft(context)), tries, phaseRank[phase], left + unasked];
}

export function isLess(left: readonly number[], right: readonly number[]): boolean {
  const first = left.findIndex((value, index) => value !== right[index]);
  return first !== -1 && (left[first] ?? 0) < (right[first] ?? 0);
}

/** Running and waiting take turns; what the calls still have to go through falls meanwhile. */
const phaseRank: { readonly [phase in Phase]: number } = {
  passing: 5,
  reasoning: 4,
  calling: 3,
  answering: 2,
  gating: 1,
  checkingAnswer: 1,
  running: 0,
  awaitingApproval: 0,
};

/** Falls by two with each status that a call goes on to, so that being asked, once a step, fits in between. */
const stillToGo: { readonly [status in CallStatus]: number } = {
  read: 8,
  asking: 6,
  ready: 4,
  started: 2,
  succeeded: 0,
  failed: 0,
  unknown: 0,
  refused: 0,
};
