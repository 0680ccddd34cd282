/** Bytes, or pieces of text, as lines, one after the other: nothing is held but the line that is not complete. Pure. */

export interface Line {
  /** From 1. */
  readonly number: number;
  /** Without its end, `\n` or `\r\n`, and without a byte order mark. */
  readonly text: string;
  /** False for a last line that has no end. */
  readonly ended: boolean;
}

/** `most` is the length of a line, in code units; a longer one is cut there, and is the last. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array | string>, most: number): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let number = 0;
  let pieces: string[] = [];
  let length = 0;
  const line = (ended: boolean): Line => {
    const text = pieces.join('');
    pieces = [];
    length = 0;
    return { number: ++number, text: bare(text), ended };
  };
  for await (const chunk of chunks) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      pieces.push(text.slice(from, end));
      from = end + 1;
      yield line(true);
    }
    pieces.push(text.slice(from));
    length += text.length - from;
    if (length > most) return yield line(false);
  }
  pieces.push(decoder.decode());
  if (pieces.some((piece) => piece !== '')) yield line(false);
}

/** Files that were put together may each begin with a mark. */
function bare(text: string): string {
  const from = text.startsWith('\ufeff') ? 1 : 0;
  return text.slice(from, text.endsWith('\r') ? -1 : undefined);
}
