/** What a list says of the file of one run, from its header and its end alone: between them may be megabytes. */
import { type FileHandle, open } from 'node:fs/promises';
import { AgentError } from '../core/errors.ts';
import { messageOf } from '../core/message-of.ts';
import type { StoredRun } from '../core/store.ts';
import { ifThere } from './disk.ts';
import {
  behindFirst,
  checkRun,
  damaged,
  type FileHeader,
  isPartOfHeader,
  lineEnd,
  readHeader,
  readLine,
} from './file-format.ts';
import { nameOf } from './file-name.ts';
import { invalidJournal } from './store-errors.ts';
import { type RunBeginning, type RunRest, restOf, storedRun, unreadableRun } from './summary.ts';

/** Of a file, what is read of it at once. */
const blockBytes = 8_192;

/** `name` is that of the file without its ending. Null where nothing is stored, or not any more. */
export async function storedRunIn(path: string, name: string, heldBy: string | null): Promise<StoredRun | null> {
  const known = { runId: name, heldBy, bytes: 0 };
  try {
    const file = await ifThere(open(path, 'r'));
    if (file === null) return null;
    try {
      known.bytes = (await file.stat()).size;
      const { header, end } = readHeader(await beginning(file, known.bytes), path);
      if (nameOf(header.runId) !== name) checkRun(header, name, path);
      known.runId = header.runId;
      const ends = await endsOf(file, header, behindFirst(header, end, known.bytes, path), known.bytes, path);
      return ends === null ? null : storedRun(ends.beginning, ends.rest, known);
    } finally {
      await file.close();
    }
  } catch (thrown) {
    return unreadableRun(known, thrown instanceof AgentError ? thrown.message : `${path}: ${messageOf(thrown)}.`);
  }
}

/** The file up to the end of its header at least, where it has one. */
async function beginning(file: FileHandle, size: number): Promise<Buffer> {
  for (let bytes = blockBytes; ; bytes *= 4) {
    const block = await readBlock(file, 0, Math.min(bytes, size));
    if (bytes >= size || !isPartOfHeader(block)) return block;
  }
}

/** What the first and the last line of the journal say, where there is one. */
async function endsOf(
  file: FileHandle,
  { first }: FileHeader,
  behind: number,
  size: number,
  path: string,
): Promise<{ readonly beginning: RunBeginning; readonly rest: RunRest } | null> {
  if (first === null) return null;
  // Of the first line, the header says it all.
  if ((await readBlock(file, behind - 1, 1))[0] !== lineEnd)
    throw invalidJournal(`${path} was changed: its first line is not as long as its header says.`, damaged);
  for (let end = size; end > behind; ) {
    const { bytes, start, isWhole } = await lineBefore(file, behind, end);
    const read = isWhole ? readLine(bytes) : 'torn';
    if (read === 'foreign' || (read === 'torn' && end !== size))
      throw invalidJournal(`${path} is damaged in its last lines.`, damaged);
    if (typeof read === 'object') return { beginning: first.beginning, rest: restOf(read) };
    end = start;
  }
  return first;
}

interface LineBefore {
  readonly bytes: Buffer;
  readonly start: number;
  /** Whether it has its line end. */
  readonly isWhole: boolean;
}

/** The last line of what is between the two places. */
async function lineBefore(file: FileHandle, from: number, end: number): Promise<LineBefore> {
  for (let length = blockBytes; ; length *= 4) {
    const start = Math.max(from, end - length);
    const block = await readBlock(file, start, end - start);
    const isWhole = block.at(-1) === lineEnd;
    const before = block.length < 2 ? -1 : block.lastIndexOf(lineEnd, block.length - 2);
    if (before === -1 && start > from) continue;
    const bytes = block.subarray(before + 1, isWhole ? block.length - 1 : block.length);
    return { bytes, start: start + before + 1, isWhole };
  }
}

async function readBlock(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const block = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(block, done, length - done, from + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return block.subarray(0, done);
}
