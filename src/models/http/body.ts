/** Bodies in one piece: of a request, and of a reply as text, up to a limit. */
import { isJsonObject } from '../../core/json.ts';

/** Of the body of a refusal, which says what it has to say at the beginning and at once. */
const refusal = Object.freeze({ length: 64 * 1024, waitMs: 1_000 });

/** The JSON of a request. Half a character is JSON, but none that servers read: a sign for it takes its place. */
export function wireText(body: object): string {
  const json = JSON.stringify(body);
  return /\\ud[89a-f]/i.test(json) ? JSON.stringify(body, (_key, value: unknown) => wellFormed(value)) : json;
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\p{Surrogate}/gu, '\ufffd');
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [String(wellFormed(key)), item]));
}

/** Null above the limit; what came until then is let go, and leaving the loop closes the connection. */
export async function textOf(bytes: AsyncIterable<Uint8Array>, limitBytes: number): Promise<string | null> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let lengthBytes = 0;
  for await (const part of bytes) {
    lengthBytes += part.byteLength;
    if (lengthBytes > limitBytes) return null;
    parts.push(decoder.decode(part, { stream: true }));
  }
  return parts.join('') + decoder.decode();
}

/**
 * The beginning of the body of a refusal; what was read before an error, or within a second, still tells more than that. Never
 * throws. What is not read is closed with the connection, when `signal` aborts.
 */
export async function readRefusal(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  const iterator = bytes[Symbol.asyncIterator]();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), refusal.waitMs);
  });
  try {
    for (let length = 0; length <= refusal.length; ) {
      const next = await Promise.race([iterator.next(), late]);
      if (next === null || next.done) break;
      const text = decoder.decode(next.value, { stream: true });
      parts.push(text);
      length += text.length;
    }
  } catch {
    // The status alone is answer enough.
  }
  clearTimeout(timer);
  // Not waited for: it may come after what is still under way.
  iterator.return?.().catch(() => {});
  return parts.join('');
}
