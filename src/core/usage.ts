/** Token counts. */

/** Tokens of one model call, or of a whole run. */
export interface TokenCount {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the input tokens, those that the provider read from its cache. Only where it says so, and only of one model call. */
  readonly cachedInputTokens?: number;
  /** True where at least one figure was counted by us, not reported by the provider. */
  readonly estimated: boolean;
}

/** What an agent that ran as a tool took from the budget of the run that called it. */
export interface Spent {
  /** Model calls. */
  readonly steps: number;
  readonly toolCalls: number;
  readonly tokens: TokenCount;
}

/** Tokens of a run against its budget. */
export interface Usage extends TokenCount {
  readonly totalTokens: number;
  /** Tokens above `maxTokens`: more than zero only where a provider counted more than we did. */
  readonly overrun: number;
  /** Model calls charged, with those of agents that ran as tools. */
  readonly steps: number;
  /** Tool calls started, with those of agents that ran as tools. */
  readonly toolCalls: number;
}

export const noTokens: TokenCount = Object.freeze({ inputTokens: 0, outputTokens: 0, estimated: false });

export function totalTokens({ inputTokens, outputTokens }: TokenCount): number {
  return inputTokens + outputTokens;
}
