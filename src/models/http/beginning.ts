/** What the first sign of a reply tells of its form, without taking it away. */

export interface Beginning {
  readonly sign: 'stream' | 'document' | 'unclear';
  /** All of the reply. It throws where the reply did. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** White space is looked through up to here; what goes on with it is unclear. */
const longestBytes = 16 * 1024;

export async function beginningOf(bytes: AsyncIterable<Uint8Array>): Promise<Beginning> {
  const iterator = bytes[Symbol.asyncIterator]();
  const begun: Uint8Array[] = [];
  let failed: { readonly thrown: unknown } | null = null;
  let sign: Beginning['sign'] | null = null;
  try {
    for (let length = 0; sign === null; ) {
      const next = await iterator.next();
      if (next.done) break;
      begun.push(next.value);
      length += next.value.byteLength;
      sign = signIn(next.value) ?? (length > longestBytes ? 'unclear' : null);
    }
  } catch (thrown) {
    failed = { thrown };
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      yield* begun;
      if (failed !== null) throw failed.thrown;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { sign: sign ?? 'unclear', bytes: all() };
}

/** White space, and the mark of the order of bytes, which may come before anything. */
const skipped: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/** Null where the bytes tell nothing. */
function signIn(bytes: Uint8Array): Beginning['sign'] | null {
  const first = bytes.find((byte) => !skipped.has(byte));
  if (first === undefined) return null;
  const sign = String.fromCharCode(first);
  // The fields of an event begin with their names, and a comment with a colon.
  if (/[{[<]/.test(sign)) return 'document';
  return /[deir:]/.test(sign) ? 'stream' : 'unclear';
}
