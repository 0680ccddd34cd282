/** Where the parts of a reply come from: a stream, or a reply in one piece, told as the stream would have told it. */
import { isJsonObject } from '../../core/json.ts';

export interface PartSource {
  /** The next step of an iteration over the parts. May throw, reject, or never settle. */
  readonly next: () => unknown;
  /** Leaves the stream. May do the same. */
  readonly close: () => unknown;
}

/** Of what `doStream` gave; null where there is no stream in it that can be read. Never throws. */
export function sourceOf(result: unknown): PartSource | null {
  return orNull(() => streamOf(result));
}

/** Of what `doGenerate` gave; null where it has no content. Never throws. */
export function partsOfResult(result: unknown): PartSource | null {
  return orNull(() => contentOf(result));
}

/** It is foreign code that is read: getters may throw, and a stream that somebody reads already. */
function orNull<Value>(work: () => Value | null): Value | null {
  try {
    return work();
  } catch {
    return null;
  }
}

function streamOf(result: unknown): PartSource | null {
  const stream: unknown = isJsonObject(result) ? result.stream : null;
  if (!isStream(stream)) return null;
  const reader = stream.getReader();
  return { next: () => reader.read(), close: () => reader.cancel() };
}

function contentOf(result: unknown): PartSource | null {
  if (!isJsonObject(result)) return null;
  const { content, finishReason, usage } = result;
  if (!Array.isArray(content)) return null;
  const parts = content.flatMap(partsOf);
  parts.push({ type: 'finish', finishReason, usage });
  const iterator = parts.values();
  return { next: () => iterator.next(), close: () => {} };
}

function partsOf(content: unknown, index: number): readonly object[] {
  if (!isJsonObject(content)) return [];
  const { type, text, providerMetadata } = content;
  if (type !== 'text' && type !== 'reasoning') return [content];
  return [
    { type: `${type}-start`, id: index },
    { type: `${type}-delta`, id: index, delta: text, providerMetadata },
  ];
}

interface Stream {
  getReader(): { read(): unknown; cancel(): unknown };
}

function isStream(value: unknown): value is Stream {
  return typeof value === 'object' && value !== null && 'getReader' in value && typeof value.getReader === 'function';
}
