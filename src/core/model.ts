/** The Model port: what an adapter promises to the loop. Types only. */
import type { JsonObject, JsonValue } from './json.ts';
import type { TokenCount } from './usage.ts';

export type Message =
  | { readonly role: 'system' | 'user'; readonly content: string }
  /** `calls` only in the dialect `native`; each has its result in one of the messages that follow. */
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly calls?: readonly MessageCall[];
      /** What the adapter gave at the end of this reply, for itself alone. */
      readonly providerData?: JsonValue;
    }
  /** The result of one call of the assistant's message before it. `isError`: it did not succeed, and the text says why. */
  | { readonly role: 'tool'; readonly content: string; readonly toolCallId: string; readonly isError?: true };

/** A call as the provider's own form carries it. */
export interface MessageCall {
  /** Nine letters and digits, unique in the conversation: what every provider accepts. */
  readonly toolCallId: string;
  /** Letters, digits, `_` and `-`, at most 64. */
  readonly tool: string;
  readonly input: JsonValue | null;
}

/** A tool as the model is told of it. */
export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of the input, or null where the tool's schema has no JSON Schema form. */
  readonly inputSchema: JsonObject | null;
}

export interface ModelRequest {
  /**
   * Roles alternate after the system message, the results of calls counting as the user's; the last is the user's or a
   * result. Never changed afterwards.
   */
  readonly messages: readonly Message[];
  /** Only in the dialect `native`: the tools that the provider's own calls may name. */
  readonly tools?: readonly ToolDescription[];
  /** The reply is to be one JSON object: the dialect `json`. An adapter may switch the server's own JSON mode on. */
  readonly json?: true;
  /** Texts at which the server should stop. An adapter drops them where the server refuses them. */
  readonly stop: readonly string[];
  /** The most tokens the reply may have. */
  readonly maxOutputTokens: number;
  readonly temperature: number;
  /** The number of the step, from 1. */
  readonly step: number;
  /** The number of the try of this step, from 1. */
  readonly attempt: number;
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

/** One of several models that stand behind one. */
export type ModelName = Pick<Model, 'provider' | 'name'>;

export type ModelEvent =
  /** A piece of the reply; may be empty. */
  | { readonly type: 'text'; readonly text: string }
  /** A piece of reasoning that the provider keeps apart; shown, never read as a step. */
  | { readonly type: 'reasoning'; readonly text: string }
  | CallPiece
  /** From a model that passes requests on: which one is asked now, and which failed before it. Before any other piece. */
  | (ModelName & { readonly type: 'model'; readonly insteadOf?: ModelName & Omit<ModelFailed, 'type' | 'retry'> })
  | ModelEnd
  | ModelFailed;

/** The reply is complete. */
export interface ModelEnd {
  readonly type: 'end';
  readonly finish: Exclude<FinishReason, 'cut'>;
  /** Null where the provider reported none. */
  readonly usage: Omit<TokenCount, 'estimated'> | null;
  /** Given back with the message that this reply becomes, such as reasoning that the provider signed. */
  readonly providerData?: JsonValue;
}

export interface ModelFailed {
  readonly type: 'failed';
  readonly failure: ModelFailure;
  readonly message: string;
  readonly hint: string;
  /** Where another try may succeed: how long the server asks to wait, null where it does not say. */
  readonly retry?: { readonly afterMs: number | null };
}

/**
 * A piece of one of the provider's own tool calls, as it came; nothing of it is put together or mended by the adapter.
 * Pieces of one call share `index`, or follow each other where the provider gives none.
 */
export interface CallPiece {
  readonly type: 'call';
  readonly index: number | null;
  /** The provider's; null where this piece has none. */
  readonly id: string | null;
  /** The name, or a piece of it; empty where this piece has none. */
  readonly tool: string;
  /** A piece of the input as JSON text. */
  readonly input: string;
}

/**
 * Contract. `generate` yields any number of `text`, `reasoning`, `call` and `model`, then exactly one `end` or one `failed`, then
 * stops. Once called it never throws. It settles soon after `signal` aborts or `return()` is called, and leaves no
 * socket, timer or listener. A stream that stops without an end mark is `failed` (`broke_off`), never a short reply.
 * It tries nothing again: it says in `failed` whether another try may succeed, and the loop asks again while nothing of
 * the reply was acted on. The loop guards against breaches all the same and names the adapter.
 */
export interface Model {
  /** The provider's adapter, such as `openai`. */
  readonly provider: string;
  /** The model's own name, such as `gpt-4o-mini`. */
  readonly name: string;
  generate(request: ModelRequest): AsyncIterable<ModelEvent>;
}
