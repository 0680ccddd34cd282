/**
 * Reasoning that a server wants back with the calls it led to: DeepSeek refuses the next request without its
 * `reasoning_content`, even where that was empty, and models behind OpenRouter go on from their `reasoning_details`. It goes
 * back to the same server and model only. Pure.
 * Sources: https://api-docs.deepseek.com/guides/thinking_mode, https://openrouter.ai/docs/use-cases/reasoning-tokens
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import type { Chunk } from './chunk.ts';

/** Whose data it is: of another adapter, server or model it means nothing here. */
export interface Mark {
  readonly adapter: 'openai';
  /** Without a query, which may hold a key. */
  readonly server: string;
  readonly model: string;
}

export function markOf({ url, model }: { readonly url: URL; readonly model: string }): Mark {
  return { adapter: 'openai', server: `${url.origin}${url.pathname}`, model };
}

/** The most that is kept of one reply, in UTF-16 code units; text has limits of its own in the loop. */
const mostKept = 4 * 1024 * 1024;

export interface Reasoning {
  /** False where that is more than is kept of one reply. */
  take(chunk: Pick<Chunk, 'calls' | 'reasoningContent' | 'reasoningDetails'>): boolean;
  /** For `end.providerData`; undefined where there is nothing to give back. */
  data(): JsonValue | undefined;
}

export function collectReasoning(mark: Mark): Reasoning {
  const texts: string[] = [];
  const details = createDetails();
  let hasText = false;
  let hasCalls = false;
  let kept = 0;
  return {
    take({ calls, reasoningContent, reasoningDetails }) {
      hasCalls ||= calls.length > 0;
      hasText ||= reasoningContent !== null;
      kept += reasoningContent?.length ?? 0;
      if (reasoningDetails.length > 0) kept += JSON.stringify(reasoningDetails).length;
      if (kept > mostKept) return false;
      if (reasoningContent !== null) texts.push(reasoningContent);
      for (const detail of reasoningDetails) details.take(detail);
      return true;
    },
    data() {
      const reasoning_details = details.all();
      if (!hasCalls || (!hasText && reasoning_details.length === 0)) return undefined;
      const members = {
        ...(hasText ? { reasoning_content: texts.join('') } : {}),
        ...(reasoning_details.length === 0 ? {} : { reasoning_details }),
      };
      return { ...mark, members };
    },
  };
}

/** What goes back with the message: nothing where the data is not ours. */
export function membersFrom(data: JsonValue | undefined, mark: Mark): JsonObject {
  if (!isJsonObject(data) || !isJsonObject(data.members)) return {};
  const ours = data.adapter === mark.adapter && data.server === mark.server && data.model === mark.model;
  if (!ours) return {};
  const { reasoning_content, reasoning_details } = data.members;
  return {
    ...(typeof reasoning_content === 'string' ? { reasoning_content } : {}),
    ...(Array.isArray(reasoning_details) ? { reasoning_details } : {}),
  };
}

/** A detail comes in pieces, too: those of one kind and index follow each other, and their texts belong together. */
function createDetails() {
  const whole: { members: JsonObject; readonly texts: Map<'text' | 'summary', string[]> }[] = [];
  return {
    take(piece: JsonObject): void {
      let last = whole.at(-1);
      const goesOn =
        last !== undefined &&
        piece.type !== 'reasoning.encrypted' &&
        last.members.type === piece.type &&
        last.members.index === piece.index;
      if (last === undefined || !goesOn) {
        last = { members: {}, texts: new Map() };
        whole.push(last);
      }
      // Null says nothing: a signature comes with the last piece only.
      const said = Object.entries(piece).filter(([, value]) => value !== null);
      last.members = { ...last.members, ...Object.fromEntries(said) };
      for (const name of ['text', 'summary'] as const) {
        const text = piece[name];
        if (typeof text !== 'string') continue;
        const texts = last.texts.get(name) ?? [];
        texts.push(text);
        last.texts.set(name, texts);
      }
    },
    all(): readonly JsonObject[] {
      return whole.map(({ members, texts }) => ({
        ...members,
        ...Object.fromEntries([...texts].map(([name, pieces]) => [name, pieces.join('')])),
      }));
    },
  };
}
