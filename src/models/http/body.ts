/** The bytes of a reply in one piece, as text, up to a limit. */

const refusalLength = 64 * 1024;

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

/** The beginning of the body of a refusal; what was read before an error still tells more than the error. Never throws. */
export async function readRefusal(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let length = 0;
  try {
    for await (const part of bytes) {
      const text = decoder.decode(part, { stream: true });
      parts.push(text);
      length += text.length;
      if (length > refusalLength) break;
    }
  } catch {
    // The status alone is answer enough.
  }
  return parts.join('');
}
