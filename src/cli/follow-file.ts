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
const lineEnd = 10;
/** In bytes: a line that is longer is given as far as it goes, and whoever reads refuses it. */
const mostHeld = 300_000_000;
/** At the beginning and of what was read last: by these a file is known again. A run's first line has its id, its last the time. */
const knownBytes = 512;

/**
 * Throws what the system says where it cannot be read. Of a file that is followed only whole lines are given: a piece of one may be
 * taken off again by whoever goes on with the file. Ends, too, where another file stands there by now: it is shorter, or what was
 * read does not stand there.
 */
export async function* followFile(
  path: string,
  { follows, signal, onCaughtUp }: Following,
): AsyncGenerator<Uint8Array> {
  let read: Read = { at: 0, first: Buffer.alloc(0), last: Buffer.alloc(0) };
  while (!signal.aborted) {
    if (!(await standsThere(path, read))) return;
    const pieces = bytesFrom(path, read.at, signal);
    for await (const piece of follows ? wholeLines(pieces) : pieces) {
      read = readOn(read, piece);
      yield piece;
    }
    onCaughtUp();
    if (!follows) return;
    await after(lookMs, undefined, { signal }).catch(() => {});
  }
}

/** What does not end with a line is held back. */
async function* wholeLines(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  for await (const piece of pieces) {
    const end = heldBytes > mostHeld ? piece.length : piece.lastIndexOf(lineEnd) + 1;
    if (end > 0) {
      yield Buffer.concat([...held, piece.subarray(0, end)]);
      held = [];
      heldBytes = 0;
    }
    held.push(piece.subarray(end));
    heldBytes += piece.length - end;
  }
}

interface Read {
  /** Behind it. */
  readonly at: number;
  readonly first: Buffer;
  readonly last: Buffer;
}

/** Copies, as what is given belongs to others. */
function readOn({ at, first }: Read, piece: Buffer): Read {
  return {
    at: at + piece.length,
    first: at === 0 ? Buffer.from(piece.subarray(0, knownBytes)) : first,
    last: Buffer.from(piece.subarray(-knownBytes)),
  };
}

export interface Beginning {
  readonly bytes: Buffer;
  readonly size: number;
}

/** Null for a file that cannot be read. */
export async function beginningOf(path: string): Promise<Beginning | null> {
  try {
    const { size } = await stat(path);
    return { bytes: await bytesAt(path, 0, Math.min(size, knownBytes)), size };
  } catch {
    return null;
  }
}

/** Settles when a file stands there that begins in another way, or became shorter; or with the signal. */
export async function untilAnother(path: string, before: Beginning | null, signal: AbortSignal): Promise<void> {
  let known = before;
  while (!signal.aborted) {
    const there = await beginningOf(path);
    if (there !== null) {
      if (known === null || there.size < known.size) return;
      if (!there.bytes.subarray(0, known.bytes.length).equals(known.bytes)) return;
      known = { bytes: known.bytes, size: there.size };
    }
    await after(lookMs, undefined, { signal }).catch(() => {});
  }
}

/** Whether what was read still stands there. */
async function standsThere(path: string, { at, first, last }: Read): Promise<boolean> {
  const { size } = await stat(path);
  if (size < at) return false;
  if (at === 0) return true;
  const [begins, ends] = [await bytesAt(path, 0, first.length), await bytesAt(path, at - last.length, last.length)];
  return first.equals(begins) && last.equals(ends);
}

/** Fewer where the file ends before. */
async function bytesAt(path: string, at: number, length: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
    return buffer.subarray(0, bytesRead);
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
