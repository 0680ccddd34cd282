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

/**
 * Throws what the system says where it cannot be read. Of a file that is followed only whole lines are given: a piece of one may be
 * taken off again by whoever goes on with the file. Ends, too, where another file stands there by now: it is shorter, or what was
 * read last is not what stands there.
 */
export async function* followFile(
  path: string,
  { follows, signal, onCaughtUp }: Following,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  let last = Buffer.alloc(0);
  while (!signal.aborted) {
    if (!(await standsAt(path, at, last))) return;
    let held: Buffer[] = [];
    for await (const piece of bytesFrom(path, at, signal)) {
      const end = follows ? piece.lastIndexOf(lineEnd) + 1 : piece.length;
      if (end === 0) {
        held.push(piece);
        continue;
      }
      const whole = Buffer.concat([...held, piece.subarray(0, end)]);
      held = [piece.subarray(end)];
      at += whole.length;
      last = Buffer.from(whole.subarray(-knownBytes));
      yield whole;
    }
    onCaughtUp();
    if (!follows) return;
    await after(lookMs, undefined, { signal }).catch(() => {});
  }
}

const lineEnd = 10;
/** Of what was read last, by which a file is known again. The last line has the time in it. */
const knownBytes = 512;

/** Whether these bytes still stand before that place. */
async function standsAt(path: string, at: number, last: Buffer): Promise<boolean> {
  const { size } = await stat(path);
  if (size < at) return false;
  if (last.length === 0) return true;
  const file = await open(path);
  try {
    const there = Buffer.alloc(last.length);
    await file.read(there, 0, last.length, at - last.length);
    return there.equals(last);
  } finally {
    await file.close();
  }
}

async function* bytesFrom(path: string, from: number, signal: AbortSignal): AsyncGenerator<Buffer> {
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
