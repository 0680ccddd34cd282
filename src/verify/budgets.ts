/** Every budget up to a bound: what an exploration covers. Pure. */
import { AgentError } from '../core/errors.ts';
import { readCount } from '../core/limits.ts';
import type { RunLimits } from '../core/snapshot.ts';

/** All budgets from 0 up to these are explored, each with every other. */
export interface Bounds {
  readonly maxSteps: number;
  readonly maxToolCalls: number;
  readonly maxViolations: number;
  readonly maxToolErrors: number;
  /** The most calls that one reply holds; 1 to 3. */
  readonly callsPerReply: number;
}

export const defaultBounds: Bounds = Object.freeze({
  maxSteps: 3,
  maxToolCalls: 2,
  maxViolations: 2,
  maxToolErrors: 2,
  callsPerReply: 2,
});

/** Throws AgentError (`invalid_option`) that names the bound and what is allowed. */
export function readBounds(given: Partial<Bounds> = {}): Bounds {
  const bounds = { ...defaultBounds };
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(defaultBounds, name))
      throw new AgentError('invalid_option', `bounds.${name} is not a bound.`, {
        hint: `Known: ${Object.keys(defaultBounds).join(', ')}.`,
      });
    if (value !== undefined) Object.assign(bounds, { [name]: readCount(`bounds.${name}`, value) });
  }
  if (bounds.callsPerReply < 1 || bounds.callsPerReply > 3)
    throw new AgentError('invalid_option', `bounds.callsPerReply is ${bounds.callsPerReply}.`, {
      hint: 'It is 1, 2 or 3: the verdicts on the calls of one reply grow eightfold with each.',
    });
  return bounds;
}

/** Running time that no explored path uses up unless the deadline comes. */
const plentyMs = 1_000;
/** Tokens that no explored path uses up unless a reply is made to. */
const plenty = 1_000_000;

/** A small guard, so that short paths meet it: the second equal step is the last. */
const smallGuard = Object.freeze({ warnAt: 2, endAt: 2, cycleMax: 2 });

/** One exploration: a budget, and how many calls a reply may hold in it. */
export interface Explored {
  readonly limits: RunLimits;
  readonly callsPerReply: number;
  /** Whether calls beside one another differ only in how they run, and not also in whether they end the run. */
  readonly plainCalls?: boolean;
  /** Whether agents run as tools, so that a result may tell what they spent. */
  readonly nested?: boolean;
  /** Whether runs go on from their ends, once each, and are explored on from there. Elsewhere only that one edge is. */
  readonly reopens?: boolean;
}

/**
 * Every combination of the counted budgets with one call a reply: with tokens plenty, exact and none, with the loop guard
 * and the check of answers off and on. Then more calls a reply, which meet within one step: two steps, the fuses at their
 * bounds, every number of tool calls. Then reads of which fewer may run at once than there are; replies that are asked for
 * again; agents as tools. Then runs that go on
 * from their ends with one more of everything. Last, no running time.
 */
export function* budgetsUpTo(bounds: Bounds): Generator<Explored, void> {
  const plain = {
    wallClockMs: plentyMs,
    maxTokens: plenty,
    loopGuard: null,
    maxParallel: 2,
    maxEmptyResults: null,
    modelRetries: 0,
    checksAnswer: false,
  };
  const variants = [
    plain,
    { ...plain, loopGuard: smallGuard, maxEmptyResults: 2, checksAnswer: true },
    { ...plain, maxTokens: 2 },
    { ...plain, maxTokens: 0 },
  ];
  for (const variant of variants)
    for (const counted of countedUpTo(bounds)) yield { limits: { ...variant, ...counted }, callsPerReply: 1 };
  const largest = countedIn(bounds);
  const maxSteps = Math.min(largest.maxSteps, 2);
  if (bounds.callsPerReply > 1)
    for (let maxToolCalls = 0; maxToolCalls <= bounds.maxToolCalls; maxToolCalls++)
      yield { limits: { ...plain, ...largest, maxSteps, maxToolCalls }, callsPerReply: bounds.callsPerReply };
  const together = { ...plain, ...largest, maxSteps: Math.min(maxSteps, 1) };
  for (const [callsPerReply, maxParallel] of [
    [2, 1],
    [3, 2],
  ] as const)
    yield { limits: { ...together, maxToolCalls: callsPerReply, maxParallel }, callsPerReply, plainCalls: true };
  for (const limits of [
    { ...plain, ...largest, maxSteps, modelRetries: 2 },
    { ...plain, ...largest, maxTokens: 3, modelRetries: 1 },
  ])
    yield { limits, callsPerReply: 1 };
  for (const callsPerReply of [1, 2])
    yield {
      limits: { ...plain, ...largest, maxSteps, maxToolCalls: 4 },
      callsPerReply,
      plainCalls: true,
      nested: true,
    };
  const few = { maxSteps: 1, maxToolCalls: 1, maxViolations: 1, maxToolErrors: 1 };
  yield { limits: { ...plain, ...few, checksAnswer: true }, callsPerReply: 1, reopens: true };
  yield { limits: { ...plain, ...few, maxTokens: 2, maxToolCalls: 0 }, callsPerReply: 1, reopens: true };
  yield { limits: { ...plain, ...largest, wallClockMs: 0 }, callsPerReply: 1 };
}

export function countBudgets(bounds: Bounds): number {
  let count = 0;
  for (const _ of budgetsUpTo(bounds)) count++;
  return count;
}

type Counted = Pick<RunLimits, 'maxSteps' | 'maxToolCalls' | 'maxViolations' | 'maxToolErrors'>;

function countedIn({ maxSteps, maxToolCalls, maxViolations, maxToolErrors }: Bounds): Counted {
  return { maxSteps, maxToolCalls, maxViolations, maxToolErrors };
}

function* countedUpTo(bounds: Bounds): Generator<Counted, void> {
  for (let maxSteps = 0; maxSteps <= bounds.maxSteps; maxSteps++)
    for (let maxToolCalls = 0; maxToolCalls <= bounds.maxToolCalls; maxToolCalls++)
      for (let maxViolations = 0; maxViolations <= bounds.maxViolations; maxViolations++)
        for (let maxToolErrors = 0; maxToolErrors <= bounds.maxToolErrors; maxToolErrors++)
          yield { maxSteps, maxToolCalls, maxViolations, maxToolErrors };
}
