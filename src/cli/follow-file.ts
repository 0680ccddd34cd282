/** The bytes of a file as they are, and, where it is followed, those that are written behind them. */
import { open, stat } from 'node:fs/promises';
import { setTimeout as after } from 'node:timers/promises';

export interface Following {
  /** Whether to wait for more at the end of the file. */
  readonly follows: boolean;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Called whenever all that stands there is read. */
  readonly onCaughtUp: () => void;
}

/** In milliseconds: how often the file is looked at. Looking works on every file system; being told of changes does not. */
const lookMs = 300;
const pieceBytes = 256 * 1_024;

/** Throws what the system says where it cannot be read. Ends, too, where the file became shorter: it is another one then. */
export async function* followFile(
  path: string,
  { follows, signal, onCaughtUp }: Following,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  while (!signal.aborted) {
    const { size } = await stat(path);
    if (size < at) return;
    if (size > at || at === 0)
      for await (const piece of bytesFrom(path, at, signal)) {
        at += piece.length;
        yield piece;
      }
    onCaughtUp();
    if (!follows) return;
    await after(lookMs, undefined, { signal }).catch(() => {});
  }
}

async function* bytesFrom(path: string, from: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  try {
    for (let at = from; !signal.aborted; ) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(pieceBytes), 0, pieceBytes, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
