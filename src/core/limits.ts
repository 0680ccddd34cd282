/** Every limit, its default and what is allowed: one frozen table. Pure. Units are last in the names. */
import { AgentError } from './errors.ts';

/** Counted over the whole run. 0 is legal and ends the run at once; it never means "no limit". */
export interface Budget {
  /** Model calls. */
  readonly maxSteps: number;
  /** Tokens of all prompts and replies together. */
  readonly maxTokens: number;
  /** Running time. Waiting for a person and time while suspended do not count. */
  readonly wallClockMs: number;
  /** Tool calls that are really started. */
  readonly maxToolCalls: number;
  /** Violations of the form in a row; the run ends on this one. */
  readonly maxViolations: number;
  /** Steps in a row in which every tool call failed; the run ends on this one. */
  readonly maxToolErrors: number;
}

/** The most that one thing may take. */
export interface Timeouts {
  /** One tool call, where the tool has no `timeoutMs` of its own. */
  readonly toolMs: number;
  /** One model reply as a whole. */
  readonly modelCallMs: number;
  /** From asking to the first piece of the reply. */
  readonly firstTokenMs: number;
  /** Between two pieces of a reply. */
  readonly betweenTokensMs: number;
  /** One asynchronous schema or hook of the user. */
  readonly hookMs: number;
  /** A person's decision; after it the call is refused. A wall-clock time, it goes on while nothing runs. */
  readonly approvalMs: number;
}

export interface Sizes {
  readonly maxReplyTokens: number;
  readonly maxObservationTokens: number;
  /** In characters (UTF-16 code units), beside the tokens: the smaller limit holds. */
  readonly maxObservationChars: number;
}

/** Equal steps in a row, or equal cycles of up to `cycleMax` steps: warn on the `warnAt`-th, end on the `endAt`-th. */
export interface LoopGuard {
  readonly warnAt: number;
  readonly endAt: number;
  readonly cycleMax: number;
}

export const defaults = Object.freeze({
  budget: Object.freeze<Budget>({
    maxSteps: 12,
    maxTokens: 300_000,
    wallClockMs: 180_000,
    maxToolCalls: 100,
    maxViolations: 3,
    maxToolErrors: 3,
  }),
  timeouts: Object.freeze<Timeouts>({
    toolMs: 15_000,
    modelCallMs: 120_000,
    firstTokenMs: 60_000,
    betweenTokensMs: 30_000,
    hookMs: 10_000,
    approvalMs: 600_000,
  }),
  sizes: Object.freeze<Sizes>({
    maxReplyTokens: 4_096,
    maxObservationTokens: 1_200,
    maxObservationChars: 1_000_000,
  }),
  loopGuard: Object.freeze<LoopGuard>({ warnAt: 2, endAt: 4, cycleMax: 4 }),
  maxParallel: 8,
  modelRetries: 2,
  temperature: 0,
});

/** The largest count or time that is accepted: every sum of a few of them is still an exact integer. */
export const largestLimit = 2 ** 50;

export function readBudget(given: Partial<Budget> | undefined, base: Budget = defaults.budget): Budget {
  const { maxSteps, maxTokens, wallClockMs, maxToolCalls, maxViolations, maxToolErrors } = base;
  return readCounts('budget', given, { maxSteps, maxTokens, wallClockMs, maxToolCalls, maxViolations, maxToolErrors });
}

export function readTimeouts(given: Partial<Timeouts> | undefined): Timeouts {
  return readCounts('timeouts', given, defaults.timeouts);
}

export function readSizes(given: Partial<Sizes> | undefined): Sizes {
  return readCounts('sizes', given, defaults.sizes);
}

export function readLoopGuard(given: Partial<LoopGuard> | 'off' | undefined): LoopGuard | null {
  if (given === 'off') return null;
  const guard = readCounts('loopGuard', given, defaults.loopGuard);
  if (guard.endAt < 2 || guard.warnAt < 2 || guard.cycleMax < 1 || guard.cycleMax * guard.endAt > 1_000)
    throw new AgentError('invalid_option', `loopGuard ${JSON.stringify(guard)} cannot be used.`, {
      hint: "warnAt and endAt are at least 2, cycleMax at least 1, cycleMax × endAt at most 1,000. Use loopGuard: 'off' to switch it off.",
    });
  return guard;
}

/** A whole number from 1 to 2^50, or an AgentError that names the field and what is allowed. */
export function readCountFromOne(field: string, value: unknown): number {
  if (value !== 0) return readCount(field, value);
  throw new AgentError('invalid_option', `${field} is 0.`, { hint: `${field} is a whole number from 1 to 2^50.` });
}

/** A whole number from 0 to 2^50, or an AgentError that names the field and what is allowed. */
export function readCount(field: string, value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= largestLimit) return value;
  throw new AgentError('invalid_option', `${field} is ${describe(value)}.`, {
    hint: `${field} is a whole number from 0 to 2^50. 0 allows nothing; there is no value for "no limit".`,
  });
}

function readCounts<Table extends object>(group: string, given: Partial<Table> | undefined, base: Table): Table {
  if (given === undefined) return base;
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new AgentError('invalid_option', `${group} is ${describe(given)}.`, {
      hint: `${group} is an object with any of ${Object.keys(base).join(', ')}.`,
    });
  const table = { ...base };
  for (const [key, value] of Object.entries(given)) {
    if (!Object.hasOwn(base, key))
      throw new AgentError('invalid_option', `${group}.${key} is not a limit.`, {
        hint: `Known: ${Object.keys(base).join(', ')}.`,
      });
    if (value !== undefined) Object.assign(table, { [key]: readCount(`${group}.${key}`, value) });
  }
  return Object.freeze(table);
}

function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'object' && value !== null
    ? Array.isArray(value)
      ? 'an array'
      : 'an object'
    : String(value);
}
