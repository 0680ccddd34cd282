/**
 * What a provider wants back with the message that its reply became, such as reasoning that it signed, the id of a text, or
 * the signature of a call. It travels as plain data, also through a snapshot, and is used for the same model alone. Pure.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import type { MessageCall } from '../../core/model.ts';

export interface KeptReasoning {
  readonly text: string;
  readonly metadata: JsonObject | null;
  /** In UTF-16 code units of the text, without the white space at its beginning. */
  readonly textBefore: number;
  readonly callsBefore: number;
}

export interface KeptCall {
  readonly tool: string;
  readonly metadata: JsonObject | null;
}

export interface Kept {
  readonly reasoning: readonly KeptReasoning[];
  /** All of the reply, in order. */
  readonly calls: readonly KeptCall[];
  /** Of the whole text of the reply, without the white space around it. */
  readonly textLength: number;
  readonly textMetadata: JsonObject | null;
}

const adapter = 'ai-sdk';

/**
 * Undefined where nothing is to be given back. Reasoning of which the provider says nothing goes back only with calls: some
 * ask for what led to a call, and no more.
 */
export function toData(origin: string, kept: Kept): JsonValue | undefined {
  const { calls, textLength, textMetadata } = kept;
  const reasoning = kept.reasoning.filter(({ metadata }) => metadata !== null || calls.length > 0);
  const isBare = reasoning.length === 0 && textMetadata === null && calls.every(({ metadata }) => metadata === null);
  if (isBare) return undefined;
  return {
    adapter,
    origin,
    reasoning: reasoning.map((one) => ({ ...one })),
    calls: calls.map((call) => ({ ...call })),
    textLength,
    textMetadata,
  };
}

/** Null for what is not ours, or came from another model: it may have come from anywhere. */
export function fromData(origin: string, data: JsonValue | undefined): Kept | null {
  if (!isJsonObject(data) || data.adapter !== adapter || data.origin !== origin) return null;
  const { reasoning, calls, textLength, textMetadata } = data;
  if (!isListOf(reasoning, isReasoning) || !isListOf(calls, isCall)) return null;
  return typeof textLength === 'number' && isMetadata(textMetadata)
    ? { reasoning, calls, textLength, textMetadata }
    : null;
}

/** By place, where the message holds the calls of the reply, all and in order; else none. */
export function metadataOfCalls(calls: readonly MessageCall[], kept: Kept | null): readonly (JsonObject | null)[] {
  const known = kept?.calls ?? [];
  if (known.length !== calls.length || known.some(({ tool }, index) => tool !== calls[index]?.tool)) return [];
  return known.map(({ metadata }) => metadata);
}

function isListOf<Item>(value: unknown, fits: (item: unknown) => item is Item): value is readonly Item[] {
  return Array.isArray(value) && value.every(fits);
}

function isReasoning(value: unknown): value is KeptReasoning {
  if (!isJsonObject(value) || typeof value.text !== 'string' || !isMetadata(value.metadata)) return false;
  return typeof value.textBefore === 'number' && typeof value.callsBefore === 'number';
}

function isCall(value: unknown): value is KeptCall {
  return isJsonObject(value) && typeof value.tool === 'string' && isMetadata(value.metadata);
}

function isMetadata(value: unknown): value is JsonObject | null {
  return value === null || isJsonObject(value);
}
