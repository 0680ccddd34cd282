/** The body of a request, bounded. */
import type { IncomingMessage } from 'node:http';

/** In bytes. An edited input may be long; nothing that a person types is longer. */
const mostBytes = 1_000_000;

/** Null where it is too long, or breaks off. */
export function readBody(request: IncomingMessage): Promise<string | null> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    request.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > mostBytes) return resolve(null);
      pieces.push(piece);
    });
    request.on('end', () => resolve(Buffer.concat(pieces).toString('utf8')));
    request.on('close', () => resolve(null));
    request.on('error', () => resolve(null));
  });
}
