/**
 * Writes to the file of one run, one thing after the other: what is to be appended while earlier lines are on their way to
 * the disk goes with the next write. The first error stays, so that there are no gaps.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rename } from 'node:fs/promises';
import type { JournalLine } from '../core/store.ts';
import { appending, onDisk, removeIfThere, syncFolder, writeAll, writeNew } from './disk.ts';
import { type FirstLine, firstLineOf, headerText, holdText, type ReadFile } from './file-format.ts';
import type { FileLock, Taken } from './file-lock.ts';
import type { RunFiles } from './file-name.ts';
import { textOfLine } from './journal-line.ts';
import { letGo, shown, storeFailed } from './store-errors.ts';
import { writeQueue } from './write-queue.ts';

export interface FileWriter {
  append(lines: readonly JournalLine[]): Promise<void>;
  replace(lines: readonly JournalLine[]): Promise<void>;
  /** Behind what is being written; nothing can be written any more. */
  close(): Promise<void>;
  /** Whether there is a file, and surely no line of the journal in it. */
  isBare(): boolean;
}

/** Lines that are to be written together. */
interface Work {
  readonly kind: 'append' | 'replace';
  readonly texts: readonly string[];
  /** They are the first of the file, which is written whole. */
  readonly isWhole: boolean;
  readonly first: FirstLine | null;
  /** In code units. */
  readonly length: number;
}

/** Of one write, in code units. */
const mostAtOnce = 4_000_000;

/** `stored` is what the file holds; what a crash left torn is cut off first, and the epoch is written. */
export async function openWriter(
  files: RunFiles,
  { lock, bytes }: Taken,
  stored: ReadFile | null,
): Promise<FileWriter> {
  await removeIfThere(files.next);
  const isTorn = stored !== null && stored.wholeBytes < (bytes?.length ?? 0);
  let file = stored === null ? null : await openStored(files, lock.epoch, isTorn ? stored.wholeBytes : null);
  /** Once all is written that was given. */
  let isEmpty = stored === null || stored.lines.length === 0;
  let isBare = stored !== null && isEmpty;

  const write = async (group: readonly Work[]) => {
    if (!group.some(({ isWhole }) => isWhole)) {
      if (file !== null) await appendTo(file, group);
      return;
    }
    await writeNext(files, lock.epoch, group);
    isBare = false;
    await closeFile(); // Some systems do not put a file in the place of one that is open.
    await rename(files.next, files.journal);
    file = await open(files.journal, appending);
    await syncFolder(files.folder);
    isBare = group.every(({ texts }) => texts.length === 0);
  };

  const closeFile = async () => {
    const open = file;
    file = null;
    await open?.close();
  };

  const queue = writeQueue<Work>({
    check: () => onDisk(`look at ${files.journal}`, () => check(files, lock, file)),
    together,
    write: (group) => onDisk(`write to ${files.journal}`, () => write(group)),
    closed: () => letGo(files.runId),
  });

  return {
    append: (lines) =>
      queue.add(() => {
        const work = workOf('append', lines, isEmpty && lines.length > 0);
        isEmpty &&= lines.length === 0;
        return work;
      }),
    replace: (lines) =>
      queue.add(() => {
        const work = workOf('replace', lines, true);
        isEmpty = lines.length === 0;
        return work;
      }),
    async close() {
      await queue.close();
      await closeFile();
    },
    isBare: () => isBare,
  };
}

/** `wholeBytes` is where what a crash left begins, where it left something. */
async function openStored(files: RunFiles, epoch: number, wholeBytes: number | null): Promise<FileHandle> {
  const file = await open(files.journal, appending);
  try {
    if (wholeBytes !== null) await file.truncate(wholeBytes);
    await writeAll(file, Buffer.from(`${holdText(epoch)}\n`));
    await file.datasync();
    return file;
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
}

/** Asked before each write: whether the run is still held, and the file is still the one that others read. */
async function check(files: RunFiles, lock: FileLock, file: FileHandle | null): Promise<void> {
  const [stat] = await Promise.all([file?.stat(), lock.check()]);
  if (stat?.nlink === 0)
    throw storeFailed(
      `${files.journal} was removed while the run ${shown(files.runId)} was held. Nothing more was written.`,
      'Leave the files of runs that are held alone; delete of the store removes a run.',
    );
}

/** How many go with one write: those that are appended, up to what is put in the place of all. */
function together(waiting: readonly Work[]): number {
  let length = 0;
  const end = waiting.findIndex((work, index) => {
    length += work.length;
    return index > 0 && (waiting[0]?.kind === 'replace' || work.kind === 'replace' || length > mostAtOnce);
  });
  return end === -1 ? waiting.length : end;
}

async function appendTo(file: FileHandle, group: readonly Work[]): Promise<void> {
  const texts = group.flatMap((work) => work.texts);
  if (texts.length === 0) return;
  for (const piece of pieces(texts)) await writeAll(file, piece);
  await file.datasync();
}

/** The whole file anew, beside the one that is there. */
async function writeNext(files: RunFiles, epoch: number, group: readonly Work[]): Promise<void> {
  const first = group.find(({ isWhole }) => isWhole)?.first ?? null;
  const header = headerText({ runId: files.runId, epoch, stamp: randomUUID(), first });
  await writeNew(files.next, 'w', pieces([header, ...group.flatMap(({ texts }) => texts)]));
}

/** The lines as bytes, many of them at once. */
function* pieces(texts: readonly string[]): Iterable<Uint8Array> {
  let some: string[] = [];
  let characters = 0;
  for (const text of texts) {
    some.push(text, '\n');
    characters += text.length;
    if (characters < mostAtOnce) continue;
    yield Buffer.from(some.join(''));
    some = [];
    characters = 0;
  }
  if (some.length > 0) yield Buffer.from(some.join(''));
}

function workOf(kind: Work['kind'], lines: readonly JournalLine[], isWhole: boolean): Work {
  const texts = lines.map(textOfLine);
  const [line] = lines;
  const [text] = texts;
  const first = isWhole && line !== undefined && text !== undefined ? firstLineOf(line, text) : null;
  return { kind, texts, isWhole, first, length: texts.reduce((sum, one) => sum + one.length, 0) };
}
