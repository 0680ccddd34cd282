/**
 * Lines behind each other in a file: each in one write at its end, one after the other, so that many may write at once. What
 * goes wrong is kept and told; nothing is thrown.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { messageOf } from '../core/message-of.ts';

export interface AppendLines {
  /** `line` has no line end. What comes after `close` is left out. */
  write(line: string): void;
  /** Settles when all is written, with what went wrong first; the file is closed. */
  close(): Promise<Error | null>;
}

/** `isOurs` is asked of the first line of a file that is there, or its beginning: what is foreign is not written to. */
export function appendLines(
  path: string,
  isOurs: (firstLine: string) => boolean,
  failed: (error: Error) => void,
): AppendLines {
  let failure: Error | null = null;
  let file: FileHandle | null = null;
  let isClosed = false;
  const attempt = async (work: () => Promise<void>) => {
    if (failure !== null) return;
    try {
      await work();
    } catch (thrown) {
      failure = thrown instanceof Error ? thrown : new Error(messageOf(thrown));
      failed(failure);
    }
  };
  let last = Promise.resolve();
  const next = (work: () => Promise<void>) => {
    last = last.then(() => attempt(work));
    return last;
  };
  return {
    write(line) {
      if (isClosed) return;
      void next(async () => {
        file ??= await openAtEnd(path, isOurs);
        const bytes = Buffer.from(`${line}\n`);
        const { bytesWritten } = await file.write(bytes);
        if (bytesWritten < bytes.length) throw new Error(`only ${bytesWritten} of ${bytes.length} bytes were written`);
      });
    },
    async close() {
      isClosed = true;
      await next(async () => {});
      const opened = file;
      file = null;
      await opened?.close().catch(() => {});
      return failure;
    },
  };
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
