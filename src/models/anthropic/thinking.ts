/**
 * The blocks of thinking that the API signed, as they travel with the message that the reply became. Pure.
 * Source: https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking
 */
import { isJsonObject, type JsonValue } from '../../core/json.ts';

/** What the API wants back unchanged. */
export type ThinkingBlock =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string };

/** A block, and what stood before it: blocks that the API finds in another order count as changed. */
export interface PlacedThinking {
  readonly block: ThinkingBlock;
  /** In UTF-16 code units of the text, without the white space at its beginning. */
  readonly textBefore: number;
  readonly callsBefore: number;
}

export interface SignedThinking {
  readonly blocks: readonly PlacedThinking[];
  /** Of the whole text of the reply, without the white space around it. */
  readonly textLength: number;
}

const adapter = 'anthropic';

/** Undefined where there is nothing to give back. */
export function thinkingToData(model: string, thinking: SignedThinking): JsonValue | undefined {
  if (thinking.blocks.length === 0) return undefined;
  const blocks = thinking.blocks.map(({ block, textBefore, callsBefore }) => ({
    block: { ...block },
    textBefore,
    callsBefore,
  }));
  return { adapter, model, blocks, textLength: thinking.textLength };
}

/** Null for what is not ours, or was signed for another model: it may have come from anywhere. */
export function thinkingFromData(model: string, data: JsonValue | undefined): SignedThinking | null {
  if (!isJsonObject(data) || data.adapter !== adapter || data.model !== model) return null;
  const { blocks: given, textLength } = data;
  if (!Array.isArray(given) || typeof textLength !== 'number') return null;
  const blocks = given.map(placedFrom);
  return blocks.length > 0 && blocks.every((placed) => placed !== null) ? { blocks, textLength } : null;
}

function placedFrom(given: JsonValue): PlacedThinking | null {
  if (!isJsonObject(given)) return null;
  const { textBefore, callsBefore } = given;
  const block = blockFrom(given.block);
  if (block === null || typeof textBefore !== 'number' || typeof callsBefore !== 'number') return null;
  return { block, textBefore, callsBefore };
}

function blockFrom(given: JsonValue | undefined): ThinkingBlock | null {
  if (!isJsonObject(given)) return null;
  const { type, thinking, signature, data } = given;
  if (type === 'thinking' && typeof thinking === 'string' && typeof signature === 'string')
    return { type, thinking, signature };
  return type === 'redacted_thinking' && typeof data === 'string' ? { type, data } : null;
}
