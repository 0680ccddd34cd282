/**
 * Reads what a model adapter yields: it is foreign code, perhaps without types. One reader for the loop and for all that stands
 * between it and a model, so that they agree. Pure.
 */
import { isJsonObject, type JsonObject } from './json.ts';
import type { CallPiece, ModelEnd, ModelEvent, ModelFailed, ModelFailure, ModelName } from './model.ts';
import { plainJson } from './plain-json.ts';

/** A copy, which is the adapter's no more; null where it is no event. Total: what throws when it is read is none. */
export function readModelEvent(value: unknown): ModelEvent | null {
  try {
    return isJsonObject(value) ? eventIn(value) : null;
  } catch {
    return null;
  }
}

function eventIn(given: JsonObject): ModelEvent | null {
  const { type } = given;
  switch (type) {
    case 'text':
    case 'reasoning': {
      const { text } = given;
      return typeof text === 'string' ? { type, text } : null;
    }
    case 'call':
      return callIn(given);
    case 'model':
      return modelIn(given);
    case 'end':
      return endIn(given);
    case 'failed':
      return failedIn(given);
    default:
      return null;
  }
}

function callIn({ index, id, tool, input }: JsonObject): CallPiece | null {
  if (typeof tool !== 'string' || typeof input !== 'string' || !(id === null || typeof id === 'string')) return null;
  if (index === null) return { type: 'call', index, id, tool, input };
  return isCount(index) ? { type: 'call', index, id, tool, input } : null;
}

function modelIn(given: JsonObject): ModelEvent | null {
  const name = nameIn(given);
  const { insteadOf } = given;
  if (name === null || insteadOf === undefined) return name && { type: 'model', ...name };
  if (!isJsonObject(insteadOf)) return null;
  const [before, why] = [nameIn(insteadOf), wordsIn(insteadOf)];
  return before && why && { type: 'model', ...name, insteadOf: { ...before, ...why } };
}

/** Only the three words: a reply that ended in some other way may be half a call. */
function endIn({ finish, usage, providerData }: JsonObject): ModelEnd | null {
  if (finish !== 'stop' && finish !== 'length' && finish !== 'content_filter') return null;
  const data = providerData === undefined ? {} : { providerData: plainJson(providerData, { mostValues: 100_000 }) };
  return { type: 'end', finish, usage: usageIn(usage), ...data };
}

/** Null where a figure is missing or none: then we count. */
function usageIn(usage: unknown): ModelEnd['usage'] {
  if (!isJsonObject(usage)) return null;
  const { inputTokens, outputTokens, cachedInputTokens: cached } = usage;
  if (!isCount(inputTokens) || !isCount(outputTokens)) return null;
  // More than there are would be nonsense.
  const read = isCount(cached) && cached <= inputTokens ? { cachedInputTokens: cached } : {};
  return { inputTokens, outputTokens, ...read };
}

function failedIn(given: JsonObject): ModelFailed | null {
  const why = wordsIn(given);
  const { retry } = given;
  if (why === null || retry === undefined) return why && { type: 'failed', ...why };
  if (!isJsonObject(retry)) return null;
  const { afterMs } = retry;
  // What is no wait says nothing.
  const isWait = typeof afterMs === 'number' && Number.isFinite(afterMs) && afterMs >= 0;
  return { type: 'failed', ...why, retry: { afterMs: isWait ? afterMs : null } };
}

function nameIn({ provider, name }: JsonObject): ModelName | null {
  return typeof provider === 'string' && typeof name === 'string' ? { provider, name } : null;
}

function wordsIn({ failure, message, hint }: JsonObject): Omit<ModelFailed, 'type' | 'retry'> | null {
  if (typeof message !== 'string' || typeof hint !== 'string' || !isFailure(failure)) return null;
  return { failure, message, hint };
}

const failures: ReadonlySet<unknown> = new Set<ModelFailure>([
  'connection',
  'timeout',
  'rate_limited',
  'refused',
  'unreadable',
  'broke_off',
  'aborted',
  'contract',
]);

function isFailure(word: unknown): word is ModelFailure {
  return failures.has(word);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
