/**
 * Where the API may cache the prompt: behind the tools, behind the system text, and behind the conversation up to the
 * last message but the newest, which the next request will begin with. Pure.
 * Source: https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching
 */
import type { JsonObject } from '../../core/json.ts';
import { type Block, isThinking, type Turn } from './messages.ts';

const mark = Object.freeze({ cache_control: Object.freeze({ type: 'ephemeral' }) });

export type Marked<Value> = Value & { readonly cache_control?: { readonly type: string } };

/** Marks the last. */
export function markLast<Value extends Block | JsonObject>(values: readonly Value[]): readonly Marked<Value>[] {
  return values.map((value, at) => (at === values.length - 1 ? { ...value, ...mark } : value));
}

/**
 * Two of the four marks that the API allows. The second stands where the first stood one step before: the API looks for
 * what it has cached at most 20 blocks back from a mark, and a step with many calls is longer than that.
 */
export function markTurns(turns: readonly Turn[]): readonly Turn[] {
  const places = [turns.length - 2, turns.length - 4];
  return turns.map((turn, at) => (places.includes(at) ? { ...turn, content: markContent(turn.content) } : turn));
}

/** Thinking cannot be marked. */
function markContent(content: readonly Block[]): readonly Marked<Block>[] {
  const last = content.findLastIndex((block) => !isThinking(block));
  return content.map((block, at) => (at === last ? { ...block, ...mark } : block));
}
