/**
 * What agents that run as tools may spend of a run's budget, and what they have spent. While one runs, all that it was given
 * is kept for it, so that several at once cannot spend more than there is.
 */
import { addTokens, stepsLeft } from '../../machines/budget.ts';
import type { ReactContext, Snapshot } from '../core/snapshot.ts';
import type { Left, ParentRun } from '../core/tool.ts';
import { noTokens, type Spent, type TokenCount, totalTokens } from '../core/usage.ts';

export interface Lending extends Pick<ParentRun, 'left'> {
  lend(callId: string, budget: Partial<Left>, spent: () => Spent): () => void;
  /** What the call's agent spent, in all tries; null where no agent ran. Afterwards nothing is known of it. */
  settle(callId: string): Spent | null;
  /** The same so far, of a call that goes on. */
  spentBy(callId: string): Spent;
  /** The same for all calls. */
  settleAll(): Spent | null;
  /** Whether any agent runs, or has run in a call that has not settled. */
  isLent(): boolean;
  /** What they have spent so far. */
  soFar(): Spent;
  /** The run has ended: nothing is left. */
  close(): void;
}

interface Loan {
  readonly callId: string;
  readonly budget: Partial<Left>;
  readonly spent: () => Spent;
  isOver: boolean;
}

export function createLending(context: () => ReactContext, nowMs: () => number): Lending {
  let loans: readonly Loan[] = [];
  let isOpen = true;

  const take = (belongs: (loan: Loan) => boolean): Spent | null => {
    const taken = loans.filter(belongs);
    loans = loans.filter((loan) => !belongs(loan));
    return taken.length === 0 ? null : taken.map(({ spent }) => spent()).reduce(addSpent);
  };

  return {
    left() {
      if (!isOpen) return { maxSteps: 0, maxTokens: 0, maxToolCalls: 0, wallClockMs: 0 };
      const { limits, tokens, toolCalls, calls } = context();
      // They have passed the gates, and join the calls in flight as soon as there is room.
      const ready = calls.filter(({ status }) => status === 'ready').length;
      const lent = loans.map(keptFor).reduce(addSpent, nothing);
      return {
        maxSteps: stepsLeft(context()) - lent.steps,
        maxTokens: limits.maxTokens - totalTokens(tokens) - totalTokens(lent.tokens),
        maxToolCalls: limits.maxToolCalls - toolCalls - ready - lent.toolCalls,
        wallClockMs: limits.wallClockMs - nowMs(),
      };
    },
    lend(callId, budget, spent) {
      const loan: Loan = { callId, budget, spent, isOver: false };
      loans = [...loans, loan];
      return () => {
        loan.isOver = true;
      };
    },
    settle: (callId) => take((loan) => loan.callId === callId),
    spentBy: (callId) => spentOf(loans.filter((loan) => loan.callId === callId)),
    settleAll: () => take(() => true),
    isLent: () => loans.length > 0,
    soFar: () => spentOf(loans),
    close() {
      isOpen = false;
    },
  };
}

const nothing: Spent = Object.freeze({ steps: 0, toolCalls: 0, tokens: noTokens });

/** `open`: of the reply that is being read. */
export function unchargedIn(lending: Lending, open: TokenCount): Pick<Snapshot, 'uncharged'> {
  if (!lending.isLent() && totalTokens(open) === 0) return {};
  return { uncharged: addSpent(lending.soFar(), { ...nothing, tokens: open }) };
}

function spentOf(loans: readonly Loan[]): Spent {
  return loans.map(({ spent }) => spent()).reduce(addSpent, nothing);
}

function keptFor({ budget: { maxSteps = 0, maxToolCalls = 0, maxTokens = 0 }, spent, isOver }: Loan): Spent {
  if (isOver) return spent();
  return { steps: maxSteps, toolCalls: maxToolCalls, tokens: { ...noTokens, inputTokens: maxTokens } };
}

export function addSpent(one: Spent, other: Spent): Spent {
  return {
    steps: one.steps + other.steps,
    toolCalls: one.toolCalls + other.toolCalls,
    tokens: addTokens(one.tokens, other.tokens),
  };
}
