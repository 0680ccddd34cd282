/**
 * The parts of one reply as events. Pure; what is malformed or of no use here counts as nothing. What the provider runs by
 * itself is no call of ours: neither it nor its result is told.
 * Source: https://ai-sdk.dev/providers/community-providers/custom-providers
 */
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { ModelEvent } from '../../core/model.ts';
import { plainJson } from '../../core/plain-json.ts';
import { createCalls } from './calls.ts';
import { endMark, failureOf } from './failures.ts';
import { finishWord, usageOf } from './finish.ts';
import { createKeeper } from './keeper.ts';

export interface Progress {
  /** The events of one part; after `end` or `failed` none is wanted any more. */
  take(part: unknown): readonly ModelEvent[];
}

export interface ProgressOptions {
  /** The model in words. */
  readonly place: string;
  /** The model as it marks what it gives back. */
  readonly origin: string;
  /** Whether a reply is whole even where its end does not say how it ended. */
  readonly isWhole: boolean;
}

const nothing: readonly ModelEvent[] = Object.freeze([]);

export function createProgress({ place, origin, isWhole }: ProgressOptions): Progress {
  const keeper = createKeeper(origin);
  const calls = createCalls(keeper, place);

  function takeBlock(kind: 'text' | 'reasoning', starts: boolean, part: JsonObject): readonly ModelEvent[] {
    const text = typeof part.delta === 'string' ? part.delta : '';
    keeper[kind]({ id: part.id, starts, delta: text, metadata: metadataOf(part.providerMetadata) });
    return text === '' ? nothing : [{ type: kind, text }];
  }

  function finish({ finishReason, usage }: JsonObject): ModelEvent {
    const { finish: ended, word } = finishWord(finishReason, isWhole);
    if (ended === null) return endMark(place, word);
    const providerData = keeper.data();
    return {
      type: 'end',
      finish: ended,
      usage: usageOf(usage),
      ...(providerData === undefined ? {} : { providerData }),
    };
  }

  return {
    take(part) {
      if (!isJsonObject(part)) return nothing;
      const { type } = part;
      switch (type) {
        case 'text-start':
        case 'text-delta':
        case 'text-end':
          return takeBlock('text', type === 'text-start', part);
        case 'reasoning-start':
        case 'reasoning-delta':
        case 'reasoning-end':
          return takeBlock('reasoning', type === 'reasoning-start', part);
        case 'tool-input-start':
          return calls.start(part);
        case 'tool-input-delta':
          return calls.input(part);
        case 'tool-call':
          return calls.whole(part, metadataOf(part.providerMetadata));
        case 'error':
          return [failureOf(place, part.error, { begun: true })];
        case 'finish':
          return [finish(part)];
        default:
          return nothing;
      }
    },
  };
}

/** A copy that is JSON for sure: it goes into snapshots. */
function metadataOf(value: unknown): JsonObject | null {
  if (!isJsonObject(value)) return null;
  const copy = plainJson(value, { mostValues: 10_000 });
  return isJsonObject(copy) && Object.keys(copy).length > 0 ? copy : null;
}
