/** Token counts. */

/** Tokens of one model call, or of a whole run. */
export interface TokenCount {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** True where at least one figure was counted by us, not reported by the provider. */
  readonly estimated: boolean;
}

/** Tokens of a run against its budget. */
export interface Usage extends TokenCount {
  readonly totalTokens: number;
  /** Tokens above `maxTokens`: more than zero only where a provider counted more than we did. */
  readonly overrun: number;
  /** Model calls charged. */
  readonly steps: number;
  /** Tool calls started. */
  readonly toolCalls: number;
}

export const noTokens: TokenCount = Object.freeze({ inputTokens: 0, outputTokens: 0, estimated: false });

export function totalTokens({ inputTokens, outputTokens }: TokenCount): number {
  return inputTokens + outputTokens;
}
