/** The Model port: what an adapter promises to the loop. Types only. */
import type { TokenCount } from './usage.ts';

export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface ModelRequest {
  /** Roles alternate after the system message; the last message is the user's. Never changed afterwards. */
  readonly messages: readonly Message[];
  /** Texts at which the server should stop. An adapter drops them where the server refuses them. */
  readonly stop: readonly string[];
  /** The most tokens the reply may have. */
  readonly maxOutputTokens: number;
  readonly temperature: number;
  /** The number of the step, from 1. */
  readonly step: number;
  /** Aborted when the reply is no longer wanted. Made when it is first read: an adapter without I/O need not pay for it. */
  readonly signal: AbortSignal;
}

/**
 * `stop`: the reply ended well. `length`: it was cut by a limit. `content_filter`: it was withheld.
 * `cut` is ours: the reply was left as soon as a stop sequence was met and text followed it.
 */
export type FinishReason = 'stop' | 'length' | 'content_filter' | 'cut';

/** A deliberate short list; the provider's own words go into the message. */
export type ModelFailure =
  | 'connection'
  | 'timeout'
  | 'rate_limited'
  | 'refused'
  | 'unreadable'
  | 'broke_off'
  | 'aborted'
  | 'contract';

export type ModelEvent =
  /** A piece of the reply; may be empty. */
  | { readonly type: 'text'; readonly text: string }
  /** A piece of reasoning that the provider keeps apart; shown, never read as a step. */
  | { readonly type: 'reasoning'; readonly text: string }
  /** The reply is complete. `usage` null where the provider reported none. */
  | {
      readonly type: 'end';
      readonly finish: Exclude<FinishReason, 'cut'>;
      readonly usage: Omit<TokenCount, 'estimated'> | null;
    }
  | { readonly type: 'failed'; readonly failure: ModelFailure; readonly message: string; readonly hint: string };

/**
 * Contract. `generate` yields any number of `text` and `reasoning`, then exactly one `end` or one `failed`, then
 * stops. Once called it never throws. It settles soon after `signal` aborts or `return()` is called, and leaves no
 * socket, timer or listener. A stream that stops without an end mark is `failed` (`broke_off`), never a short reply.
 * The loop guards against breaches all the same and names the adapter.
 */
export interface Model {
  /** The provider's adapter, such as `openai`. */
  readonly provider: string;
  /** The model's own name, such as `gpt-4o-mini`. */
  readonly name: string;
  generate(request: ModelRequest): AsyncIterable<ModelEvent>;
}
