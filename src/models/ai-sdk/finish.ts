/**
 * The end of a reply: how it ended, and what it cost. Version 2 has a word and numbers; 3 and 4 have
 * `{ unified, raw }` and `{ inputTokens: { total, … }, outputTokens: { total, … } }`. Any number may be undefined. Pure.
 * Source: https://ai-sdk.dev/docs/migration-guides/migration-guide-6-0
 */
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { FinishReason, ModelEnd } from '../../core/model.ts';
import type { TokenCount } from '../../core/usage.ts';
import { finishOf } from '../openai/chunk.ts';

/**
 * `finish` is null where we do not know that the reply is whole: guessing could run half a call. `word` is the provider's
 * own where there is one. `isWhole`: a reply in one piece, which needs no reason to be whole.
 */
export function finishWord(
  reason: unknown,
  isWhole: boolean,
): { readonly finish: Finish | null; readonly word: string } {
  const word = isJsonObject(reason) ? reason.unified : reason;
  const raw = isJsonObject(reason) && typeof reason.raw === 'string' ? reason.raw : null;
  const known = typeof word === 'string' ? finishes.get(word) : undefined;
  const shown = raw ?? (typeof word === 'string' ? word : 'none');
  if (known !== undefined) return { finish: known, word: shown };
  if (word === 'error' || word === 'interrupted') return { finish: null, word: shown };
  if (raw !== null) return { finish: finishOf(raw), word: shown };
  // `other` of version 2 stands for a reason that the provider gave, and we cannot see.
  return { finish: isWhole && reason !== 'other' ? 'stop' : null, word: shown };
}

/** Null where the provider did not say enough. */
export function usageOf(usage: unknown): ModelEnd['usage'] {
  if (!isJsonObject(usage)) return null;
  const inputTokens = countOf(usage.inputTokens);
  const outputTokens = countOf(usage.outputTokens);
  if (inputTokens !== null && outputTokens !== null) return { inputTokens, outputTokens, ...cachedIn(usage) };
  const total = countOf(usage.totalTokens);
  if (total === null) return null;
  if (inputTokens !== null) return { inputTokens, outputTokens: Math.max(0, total - inputTokens) };
  const answered = Math.min(outputTokens ?? 0, total);
  return { inputTokens: total - answered, outputTokens: answered };
}

/** What the provider read from its cache: beside the input tokens in version 2, within them in 3 and 4. */
function cachedIn({ inputTokens, cachedInputTokens }: JsonObject): Pick<TokenCount, 'cachedInputTokens'> {
  const cached = countOf(isJsonObject(inputTokens) ? inputTokens.cacheRead : cachedInputTokens);
  return cached === null ? {} : { cachedInputTokens: cached };
}

type Finish = Exclude<FinishReason, 'cut'>;

const finishes: ReadonlyMap<string, Finish> = new Map([
  ['stop', 'stop'],
  ['tool-calls', 'stop'],
  ['length', 'length'],
  ['content-filter', 'content_filter'],
]);

function countOf(value: unknown): number | null {
  const count = isJsonObject(value) ? value.total : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null;
}
