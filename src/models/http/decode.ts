/**
 * Undoes `content-encoding`. We ask for `identity`, but not every proxy heeds that. Bytes are handed on as they come, so that a
 * stream stays one, and only as fast as they are read, so that a bomb is bounded by whoever reads.
 * Source: RFC 9110, 8.4
 */
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

/** More layers than this are nobody's honest reply. */
const mostLayers = 3;

/** Null where it is encoded in a way that we cannot undo. Damaged bytes throw while they are read. */
export function decoded(body: Readable, encoding: string): AsyncIterable<Uint8Array> | null {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > mostLayers) return null;
  // Encodings are listed in the order in which they were applied.
  return names.reduceRight<AsyncIterable<Uint8Array> | null>((bytes, name) => bytes && layer(bytes, name), body);
}

function layer(bytes: AsyncIterable<Uint8Array>, name: string): AsyncIterable<Uint8Array> | null {
  if (name === 'gzip' || name === 'x-gzip') return through(bytes, () => createGunzip());
  if (name === 'br') return through(bytes, () => createBrotliDecompress());
  return name === 'deflate' ? through(bytes, createAnyInflate) : null;
}

/** Some servers leave the wrapper of zlib out. Its first byte ends in 8; that of raw data can not, as servers write it. */
function createAnyInflate(first: number): Transform {
  return (first & 0x0f) === 8 ? createInflate() : createInflateRaw();
}

/** An empty body decodes to nothing, whatever its head says. */
async function* through(
  bytes: AsyncIterable<Uint8Array>,
  create: (first: number) => Transform,
): AsyncGenerator<Uint8Array> {
  const iterator = bytes[Symbol.asyncIterator]();
  let first = await iterator.next();
  while (!first.done && first.value.byteLength === 0) first = await iterator.next();
  if (first.done) return;
  const start = first.value;
  async function* all() {
    try {
      yield start;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  // The error arrives through the iterator, too.
  yield* pipeline(all, create(start[0] ?? 0), () => {});
}
