/**
 * Lines behind each other in a file, each whole at its end, so that many may write at once. What waits for the disk may be
 * bounded. What goes wrong is kept and told; nothing is thrown.
 */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { messageOf } from '../core/message-of.ts';

export interface AppendLines {
  /**
   * `line` has no line end; `counts` is what it adds to `written`. False where there is no room for it, after a failure and
   * behind `close`: it is not written. For `urgent` ones, few and short, there is always some room.
   */
  write(line: string, how?: { readonly counts?: number; readonly urgent?: boolean }): boolean;
  /** Settles when the file is open, with what went wrong first. */
  ready(): Promise<Error | null>;
  /** Settles when all is written, with what went wrong first; the file is closed. In milliseconds; without, it may take for ever. */
  close(withinMs?: number): Promise<Error | null>;
  /** So far. */
  written(): { readonly counted: number; readonly bytes: number };
}

/** What is left for lines that wait; several files may share it. */
export interface Room {
  lines: number;
  bytes: number;
  readonly mostBytes: number;
}

export interface AppendOptions {
  /** Of a file that is there. */
  readonly existing: 'continue' | 'replace';
  /** Asked of the first line of a file that goes on, or its beginning: what is foreign is not written to. */
  readonly isOurs: (firstLine: string) => boolean;
  readonly failed: (error: Error) => void;
  /** Without it everything may wait. */
  readonly room?: Room;
  /** Awaited before the file is opened. Never rejects. */
  readonly before?: Promise<unknown>;
}

interface Waiting {
  readonly bytes: Buffer;
  readonly counts: number;
}

export function appendLines(path: string, options: AppendOptions): AppendLines {
  const { room, failed } = options;
  const written = { counted: 0, bytes: 0 };
  const waiting: Waiting[] = [];
  let failure: Error | null = null;
  let file: FileHandle | null = null;
  let isClosed = false;
  let busy: Promise<void> | null = null;

  const fail = (thrown: unknown) => {
    if (failure !== null) return;
    failure = thrown instanceof Error ? thrown : new Error(messageOf(thrown));
    leave(room, waiting.splice(0));
    failed(failure);
  };
  const pump = async () => {
    try {
      await options.before;
      file ??= await opened(path, options);
      while (waiting.length > 0 && failure === null) {
        const batch = waiting.splice(0, mostInBatch);
        await writeWhole(file, Buffer.concat(batch.map(({ bytes }) => bytes))).finally(() => leave(room, batch));
        for (const line of batch) note(line, written);
      }
    } catch (thrown) {
      fail(thrown);
      await file?.close().catch(() => {}); // Nothing more is written, and whoever has it may never close it.
    }
    busy = null;
  };
  const finish = async () => {
    await busy;
    if (file !== null && failure === null && (await isGone(path, file)))
      fail(new Error('it was removed, or another file took its place, while it was written'));
    await file?.close().catch(() => {});
    file = null;
  };

  return {
    write(line, { counts = 1, urgent = false } = {}) {
      if (isClosed || failure !== null) return false;
      const bytes = Buffer.from(`${line}\n`);
      if (room !== undefined && !enter(room, bytes.length, urgent)) return false;
      waiting.push({ bytes, counts });
      busy ??= pump();
      return true;
    },
    async ready() {
      if (file === null && failure === null && !isClosed) busy ??= pump();
      await busy;
      return failure;
    },
    async close(withinMs) {
      isClosed = true;
      if (!(await settles(finish(), withinMs))) fail(`the disk did not take all of it within ${withinMs} ms`);
      return failure;
    },
    written: () => ({ ...written }),
  };
}

function note({ bytes, counts }: Waiting, written: { counted: number; bytes: number }): void {
  written.bytes += bytes.length;
  written.counted += counts;
}

/** Lines in one write. */
const mostInBatch = 256;

/** Where there is no room for others. */
const mostUrgent = 10_000;

/** One line that is larger than all the room goes where nothing else waits. */
function enter(room: Room, bytes: number, urgent: boolean): boolean {
  const isFull = room.lines < 1 || (room.bytes < bytes && room.bytes < room.mostBytes);
  if (isFull && (!urgent || room.lines <= -mostUrgent)) return false;
  room.lines--;
  room.bytes -= bytes;
  return true;
}

function leave(room: Room | undefined, lines: readonly Waiting[]): void {
  if (room === undefined) return;
  room.lines += lines.length;
  for (const { bytes } of lines) room.bytes += bytes.length;
}

async function writeWhole(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at);
    if (bytesWritten === 0) throw new Error(`only ${at} of ${bytes.length} bytes were written`);
    at += bytesWritten;
  }
}

/** Whether it settles in time. */
function settles(work: Promise<void>, withinMs: number | undefined): Promise<boolean> {
  if (withinMs === undefined) return work.then(() => true);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), withinMs);
    void work.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

/** What was written into a file that has no name any more is lost. */
async function isGone(path: string, file: FileHandle): Promise<boolean> {
  try {
    const ours = await file.stat();
    if (!ours.isFile()) return false;
    const there = await stat(path);
    return there.ino !== ours.ino || there.dev !== ours.dev;
  } catch {
    return true;
  }
}

async function opened(path: string, { existing, isOurs }: AppendOptions): Promise<FileHandle> {
  return existing === 'replace' ? await open(path, 'w') : await openAtEnd(path, isOurs);
}

/** A line that a program left torn is of no use, and what is written behind it would be none either: it is taken off. */
async function openAtEnd(path: string, isOurs: (firstLine: string) => boolean): Promise<FileHandle> {
  const file = await open(path, 'a+');
  try {
    const { size } = await file.stat();
    if (size === 0) return file;
    if (!isOurs(await firstLine(file))) throw new Error('it holds something else');
    const end = await lastLineEnd(file, size);
    if (end < size) await file.truncate(end);
    return file;
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
}

const blockBytes = 65_536;

/** Its beginning, where it is long. */
async function firstLine(file: FileHandle): Promise<string> {
  const block = Buffer.alloc(blockBytes);
  const { bytesRead } = await file.read(block, 0, blockBytes, 0);
  const end = block.subarray(0, bytesRead).indexOf(10);
  return block.toString('utf8', 0, end === -1 ? bytesRead : end);
}

/** Behind the last line end. */
async function lastLineEnd(file: FileHandle, size: number): Promise<number> {
  const block = Buffer.alloc(blockBytes);
  for (let to = size; to > 0; ) {
    const from = Math.max(0, to - blockBytes);
    const { bytesRead } = await file.read(block, 0, to - from, from);
    const at = block.subarray(0, bytesRead).lastIndexOf(10);
    if (at !== -1) return from + at + 1;
    to = from;
  }
  return 0;
}
