/** What many runs have in common, as data: the shape of `fuseloop report --json`. Types only. */
import type { Spread } from './spread.ts';

export const reportFormat = 'fuseloop.report/1';

export interface Metrics {
  readonly format: typeof reportFormat;
  readonly runs: RunCounts;
  /** Answered, of those that ended. Null where none has. */
  readonly successRate: number | null;
  /** The most frequent first. */
  readonly endings: readonly { readonly stopReason: string; readonly runs: number }[];
  /** Milliseconds since 1970: of the first and of the last event. Null where there is none. */
  readonly fromWallMs: number | null;
  readonly toWallMs: number | null;
  readonly aRun: RunSpreads;
  /** Of all tokens of model calls, those that we counted since the provider did not say: 0 to 1. Null without any. */
  readonly estimatedShare: number | null;
  readonly cost: CostMetrics | null;
  /** What runs took that was not the tools'. */
  readonly costShares: CostShares;
  readonly modelCalls: number;
  /**
   * Runs of agents that ran as tools, at any depth; of several tries of a call, the last. `runs`, `successRate`, `endings` and
   * `failures` are of the runs alone that were asked for. All else is with these: what is said of steps and calls counts each as a
   * run of its own.
   */
  readonly nestedRuns: number;
  readonly tools: readonly ToolMetrics[];
  /** Calls of tools that do not exist. */
  readonly unknownToolCalls: number;
  readonly violations: ViolationMetrics;
  /** By the number of the step in its run: its calls, and those of them that failed. */
  readonly callsByStep: readonly { readonly step: number; readonly calls: number; readonly errors: number }[];
  /** Calls of a tool with an input that the same run had called it with before. */
  readonly repeatedCalls: number;
  /**
   * Output tokens that were not written since the reply was left behind its first complete step. An upper bound: what the server was
   * asked for, less what had come.
   */
  readonly savedTokens: number;
  readonly prompt: PromptMetrics;
  readonly retries: { readonly model: number; readonly tools: number };
  readonly waiting: WaitingMetrics;
  /** Runs that failed, by what is alike; the largest first. */
  readonly failures: readonly FailureCluster[];
}

export interface RunCounts {
  readonly total: number;
  readonly answered: number;
  readonly failed: number;
  /** They wait for a person, and can go on. */
  readonly suspended: number;
  /** Their traces have no end: they still go on, or their process died. */
  readonly unfinished: number;
  /** Of all: events are missing in their traces. What is told of them is too little. */
  readonly incomplete: number;
}

/** Null where no run had any. */
export interface RunSpreads {
  /** Model calls, with those of agents that ran as tools. So are tokens. */
  readonly steps: Spread | null;
  readonly tokens: Spread | null;
  readonly inputTokens: Spread | null;
  readonly outputTokens: Spread | null;
  /** Milliseconds of running time: waiting for a person is left out. */
  readonly runningMs: Spread | null;
  /** Milliseconds from the first event to the last, with all waiting. */
  readonly wallMs: Spread | null;
}

/** In the unit of the prices. */
export interface CostMetrics {
  readonly total: number;
  /** Of the runs all of whose models have a price. */
  readonly aRun: Spread | null;
  /** Models without a price, and how many runs asked them: those are in no sum. */
  readonly unpriced: readonly string[];
  readonly unpricedRuns: number;
}

/**
 * Of what runs took, each 0 to 1; with `costShare` of all tools they sum up to 1, or all are null, since of no run it is known. A
 * prompt is shared by the length of the texts in it, which is an estimate.
 */
export interface CostShares {
  /** What is shared: `money` where there are prices. */
  readonly of: 'tokens' | 'money';
  /** Of all runs whose cost could be shared, in tokens, or in the unit of the prices. */
  readonly total: number;
  /** Instructions, descriptions of tools, the task, and what the loop told of faults, in every prompt. */
  readonly instructions: number | null;
  /** Replies as they were written, and in every later prompt. */
  readonly replies: number | null;
  /** In no share: their traces do not tell all that was sent, or a model has no price. */
  readonly leftOutRuns: number;
}

/** Counts and latency are of all calls; shares are of the runs alone that were asked for, and what an agent in them did is its tool's. */
export interface ToolMetrics {
  readonly tool: string;
  /** That were given to the tool. */
  readonly calls: number;
  /** Of these, those by agents that ran as tools. */
  readonly nestedCalls: number;
  /** Failed, time-outs left out. */
  readonly errors: number;
  readonly timeouts: number;
  /** Begun, and nobody knows whether it happened; time-outs of what is no read are among them, and among those. */
  readonly unknown: number;
  /** By a gate, the policy or a person: never begun. */
  readonly refused: number;
  /** Milliseconds from the beginning of the first try to the result. */
  readonly latencyMs: Spread | null;
  /** Of the time of all tools: 0 to 1. Null, as is `textShare`, where only agents that ran as tools called it. */
  readonly timeShare: number | null;
  /** Of the text that tools gave the model, by characters: 0 to 1. */
  readonly textShare: number | null;
  /**
   * Of what runs took (`costShares`): what agents that ran as this tool spent, and its observations in every later prompt. Null where
   * that is not known, and where only agents that ran as tools called it.
   */
  readonly costShare: number | null;
}

export interface ViolationMetrics {
  readonly total: number;
  readonly byCode: readonly { readonly code: string; readonly count: number }[];
  /** By the number of the step in its run: how many there were, and how many of them broke the form. */
  readonly byStep: readonly { readonly step: number; readonly steps: number; readonly violations: number }[];
}

export interface PromptMetrics {
  /** Of all requests, by our own count. */
  readonly tokens: number;
  /** Of these, the beginnings that are equal to the request before of the same run: what a cache can hold. */
  readonly reusedTokens: number;
  /** What providers say that they read from their caches, and the input tokens of the calls where they say so. */
  readonly cachedTokens: number;
  readonly cacheReportedTokens: number;
}

export interface WaitingMetrics {
  /** Calls about which a person was asked. */
  readonly asked: number;
  readonly granted: number;
  readonly denied: number;
  /** Nobody answered in time. */
  readonly expired: number;
  /** Milliseconds of the wall clock until the decision. */
  readonly ms: Spread | null;
}

export interface FailureCluster {
  readonly stopReason: string;
  /** What is alike, with numbers, ids and quotes taken out. */
  readonly what: string;
  readonly runs: number;
  /** The first of them. */
  readonly example: FailureExample;
}

export interface FailureExample {
  readonly runId: string;
  readonly file: string | null;
  /** The number of the step in which it ended; null before the first. */
  readonly step: number | null;
  readonly message: string;
}

/** Of one model, for a million tokens. */
export interface Price {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  /** Of input that the provider read from its cache; default: `inputPerMillion`. */
  readonly cachedPerMillion?: number | undefined;
}

/** By the name of the model, such as `gpt-4o-mini`, or `openai/gpt-4o-mini` where two providers have one of the name. */
export type Prices = { readonly [model: string]: Price };
