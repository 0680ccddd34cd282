/**
 * What must hold on every edge of the machine, written once as named predicates. Explorer, simulator and tests check
 * them; a counterexample names its law. Pure.
 */
import type { ReactEvent } from '../src/core/events.ts';
import type { CallState, CallStatus, ReactContext, StatePath } from '../src/core/snapshot.ts';
import { totalTokens } from '../src/core/usage.ts';
import type { Command } from './commands.ts';

/** The machine at rest, as far as laws look at it. */
export interface Rest {
  readonly state: StatePath;
  readonly context: ReactContext;
}

/** One call of the port: what was, what happened, what is, and what is to be done. */
export interface Edge {
  readonly before: Rest;
  readonly event: ReactEvent;
  readonly after: Rest;
  readonly commands: readonly Command[];
}

type Law = (edge: Edge) => boolean;

export const laws = {
  /** Every path ends: a rank that cannot fall for ever falls on every edge. */
  'the rank falls': (edge) => sameRest(edge) || isLess(rank(edge.after), rank(edge.before)),

  'asking the model costs one step': ({ before, after, commands }) =>
    after.context.step - before.context.step === commands.filter(({ type }) => type === 'askModel').length,

  'a violation raises its fuse by one, and only a success resets it': ({ before, after }) => {
    const { violations } = before.context;
    if (after.context.violations > violations)
      return (
        after.context.violations === violations + 1 &&
        after.context.violationsInRow === before.context.violationsInRow + 1
      );
    return (
      after.context.violationsInRow === before.context.violationsInRow ||
      (after.context.violationsInRow === 0 && anySucceeded(after))
    );
  },

  'a failed tool step raises its fuse by one, and only a success resets it': ({ before, after }) => {
    const [earlier, later] = [before.context.toolErrorsInRow, after.context.toolErrorsInRow];
    return later === earlier || later === earlier + 1 || (later === 0 && anySucceeded(after));
  },

  'a fuse that is blown ends the run': ({ after }) =>
    isEnd(after.state) ||
    (after.context.violationsInRow < after.context.limits.maxViolations &&
      after.context.toolErrorsInRow < after.context.limits.maxToolErrors),

  'the model is not asked when a budget is spent': ({ after, commands }) =>
    !commands.some(({ type }) => type === 'askModel') ||
    (after.context.step <= after.context.limits.maxSteps &&
      totalTokens(after.context.tokens) < after.context.limits.maxTokens),

  'no tool starts when a budget is spent': ({ after, commands }) =>
    !commands.some(({ type }) => type === 'runCalls') ||
    (after.context.toolCalls <= after.context.limits.maxToolCalls &&
      totalTokens(after.context.tokens) <= after.context.limits.maxTokens &&
      (mayAskAgain(after.context) || endsRun(after.context))),

  'no tool starts that was not let through': ({ before, event, after }) =>
    after.context.calls.every((call) => call.status !== 'started' || wasLetThrough(call, before, event)),

  'what is started is settled or given up': ({ before, after, commands }) =>
    !inFlight(before.context) || inFlight(after.context) || commands.some(({ type }) => type === 'cancelCalls'),

  'an end leaves nothing in flight whose effect is not accounted for': ({ after }) =>
    !isEnd(after.state) ||
    after.context.calls.every(({ status, effect }) => status !== 'started' || effect === 'readOnly'),

  'a final answer was read, or comes from a tool that ends the run': ({ before, event, after }) => {
    if (after.state !== 'FINAL' || before.state === 'FINAL') return true;
    if (event.type === 'reply.ended' || event.type === 'answer.accepted') return event.answer === after.context.answer;
    return anySucceeded(after) && after.context.calls.some(({ endsRun, status }) => endsRun && status === 'succeeded');
  },

  'an end has its reason, and a reason is an end': ({ after }) =>
    isEnd(after.state) === (after.context.stopReason !== null) &&
    (after.state === 'FINAL') === (after.context.stopReason === 'final'),

  'after an end nothing happens': ({ before, after, commands }) =>
    !isEnd(before.state) || (commands.length === 0 && before.context === after.context),

  'counters never fall': ({ before, after }) =>
    after.context.step >= before.context.step &&
    after.context.toolCalls >= before.context.toolCalls &&
    after.context.violations >= before.context.violations &&
    totalTokens(after.context.tokens) >= totalTokens(before.context.tokens) &&
    after.context.effects.length >= before.context.effects.length,

  'an event of another step or call changes nothing': ({ before, event, after }) =>
    !('step' in event) || event.step === before.context.step || before.context === after.context,

  'what is kept is bounded': ({ after: { context } }) =>
    context.effects.length <= context.limits.maxToolCalls &&
    context.window.length <=
      (context.limits.loopGuard === null ? 0 : context.limits.loopGuard.endAt * context.limits.loopGuard.cycleMax),
} as const satisfies { readonly [name: string]: Law };

export type LawName = keyof typeof laws;

/** The names of the laws that an edge breaks. */
export function checkLaws(edge: Edge): readonly LawName[] {
  return lawNames.filter((name) => !laws[name](edge));
}

const lawNames = Object.keys(laws).filter((name): name is LawName => Object.hasOwn(laws, name));

/**
 * Falls, compared from the left, on every edge: has it ended; steps left; how far the reply is; what the calls still have
 * to go through. Every number is a whole number from 0, so that no run can go on for ever.
 */
export function rank({ state, context }: Rest): readonly number[] {
  const left = context.calls.reduce((sum, { status }) => sum + stillToGo[status], 0);
  const unasked = phaseOf(state) === 'awaitingApproval' && context.approvalUntilMs === null ? 1 : 0;
  return [isEnd(state) ? 0 : 1, context.limits.maxSteps - context.step, phaseRank[phaseOf(state)], left + unasked];
}

type Phase =
  | 'reasoning'
  | 'calling'
  | 'answering'
  | 'gating'
  | 'running'
  | 'awaitingApproval'
  | 'checkingAnswer'
  | 'end';

/** Running and waiting take turns; what the calls still have to go through falls meanwhile. */
const phaseRank: { readonly [phase in Phase]: number } = {
  reasoning: 4,
  calling: 3,
  answering: 2,
  gating: 1,
  checkingAnswer: 1,
  running: 0,
  awaitingApproval: 0,
  end: 0,
};

/** Twice the transitions that a call of each status may still cause, so that being asked fits in between. */
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

function phaseOf(state: StatePath): Phase {
  if (typeof state === 'string') return 'end';
  const inner = state.THOUGHT ?? state.ACTION ?? 'end';
  return isPhase(inner) ? inner : 'end';
}

function isPhase(name: string): name is Phase {
  return Object.hasOwn(phaseRank, name);
}

function isLess(left: readonly number[], right: readonly number[]): boolean {
  const first = left.findIndex((value, index) => value !== right[index]);
  return first !== -1 && (left[first] ?? 0) < (right[first] ?? 0);
}

/** An event that was dropped is not an edge. */
function sameRest({ before, after }: Edge): boolean {
  return before.context === after.context;
}

function isEnd(state: StatePath): boolean {
  return state === 'FINAL' || state === 'ERROR';
}

function anySucceeded({ context }: Rest): boolean {
  // A step that is done and not followed by another still stands in the context; the next one begins without calls.
  return context.calls.length === 0 || context.calls.some(({ status }) => status === 'succeeded');
}

function inFlight({ calls }: ReactContext): boolean {
  return calls.some(({ status }) => status === 'started');
}

function mayAskAgain({ step, limits, tokens }: ReactContext): boolean {
  return step < limits.maxSteps && totalTokens(tokens) < limits.maxTokens;
}

/** Without a reply left, a tool starts only where a success among the calls of this reply would be the answer. */
function endsRun({ calls }: ReactContext): boolean {
  return calls.some((call) => call.endsRun);
}

/** It was started before, or it was ready, or this very event let it through. */
function wasLetThrough({ callId }: CallState, before: Rest, event: ReactEvent): boolean {
  const earlier = before.context.calls.find((call) => call.callId === callId);
  if (earlier?.status === 'started' || earlier?.status === 'ready') return true;
  if (event.type === 'approval.granted') return event.callId === callId;
  return (
    event.type === 'calls.checked' &&
    event.verdicts.some((verdict) => verdict.callId === callId && verdict.pass === 'run')
  );
}
