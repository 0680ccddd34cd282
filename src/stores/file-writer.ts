/**
 * Writes to the file of one run, one thing after the other: what is to be appended while earlier lines are on their way to
 * the disk goes with the next write. The first error stays, so that there are no gaps.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rename } from 'node:fs/promises';
import type { JournalLine } from '../core/store.ts';
import { appending, onDisk, removeIfThere, syncFolder, writeAll, writeNew } from './disk.ts';
import { type FirstLine, firstLineOf, headerText, holdText, type ReadFile } from './file-format.ts';
import type { FileLock } from './file-lock.ts';
import type { RunFiles } from './file-name.ts';
import { textOfLine } from './journal-line.ts';
import { letGo, shown, storeFailed } from './store-errors.ts';

export interface FileWriter {
  append(lines: readonly JournalLine[]): Promise<void>;
  replace(lines: readonly JournalLine[]): Promise<void>;
  /** Behind what is being written; nothing can be written any more. */
  close(): Promise<void>;
}

interface Job {
  readonly kind: 'append' | 'replace';
  readonly texts: readonly string[];
  /** Its lines are the first of the file, which is written whole. */
  readonly isWhole: boolean;
  readonly first: FirstLine | null;
  readonly characters: number;
  done(): void;
  failed(error: unknown): void;
}

/** Of one write, in code units. */
const mostAtOnce = 4_000_000;

/** `stored` is what the file holds; what a crash left torn is cut off first, and the epoch is written. */
export async function openWriter(files: RunFiles, lock: FileLock, stored: ReadFile | null): Promise<FileWriter> {
  const what = `write to ${files.journal}`;
  await removeIfThere(files.next);
  let file = stored === null ? null : await openStored(files, lock, stored);
  let isEmpty = stored === null || stored.lines.length === 0;
  let failure: unknown = null;
  let isClosed = false;
  let writing: Promise<void> | null = null;
  const jobs: Job[] = [];

  const write = async (batch: readonly Job[]) => {
    if (!batch.some(({ isWhole }) => isWhole)) {
      if (file !== null) await appendTo(file, batch);
      return;
    }
    await writeNext(files, lock.epoch, batch);
    // Some systems do not put a file in the place of one that is open.
    await file?.close();
    file = null;
    await rename(files.next, files.journal);
    file = await open(files.journal, appending);
    await syncFolder(files.folder);
  };

  const writeAllJobs = async () => {
    while (jobs.length > 0) {
      let batch: readonly Job[] = [];
      try {
        if (failure !== null) throw failure;
        await onDisk(what, async () => {
          await check(files, lock, file);
          batch = nextBatch(jobs);
          await write(batch);
        });
        for (const job of batch) job.done();
      } catch (thrown) {
        failure ??= thrown;
        for (const job of [...batch, ...jobs.splice(0)]) job.failed(failure);
      }
    }
    writing = null;
  };

  const add = (kind: Job['kind'], lines: readonly JournalLine[]) =>
    new Promise<void>((done, failed) => {
      if (failure !== null || isClosed) throw failure ?? letGo(files.runId);
      try {
        const job = jobOf(kind, lines, kind === 'replace' || (isEmpty && lines.length > 0));
        jobs.push({ ...job, done, failed });
        if (job.isWhole) isEmpty = lines.length === 0;
      } catch (thrown) {
        failure = thrown;
        throw thrown;
      }
      writing ??= writeAllJobs();
    });

  return {
    append: (lines) => add('append', lines),
    replace: (lines) => add('replace', lines),
    async close() {
      isClosed = true;
      await writing;
      await file?.close();
      file = null;
    },
  };
}

async function openStored(files: RunFiles, lock: FileLock, { wholeBytes }: ReadFile): Promise<FileHandle> {
  const file = await open(files.journal, appending);
  try {
    if (lock.bytes !== null && wholeBytes < lock.bytes.length) await file.truncate(wholeBytes);
    await writeAll(file, Buffer.from(`${holdText(lock.epoch)}\n`));
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

/** What goes with one write; at least one. */
function nextBatch(jobs: Job[]): readonly Job[] {
  let count = 1;
  let characters = jobs[0]?.characters ?? 0;
  if (jobs[0]?.kind === 'append')
    for (const { kind, ...job } of jobs.slice(1)) {
      characters += job.characters;
      if (kind !== 'append' || characters > mostAtOnce) break;
      count++;
    }
  return jobs.splice(0, count);
}

async function appendTo(file: FileHandle, batch: readonly Job[]): Promise<void> {
  const texts = batch.flatMap((job) => job.texts);
  if (texts.length === 0) return;
  for (const piece of pieces(texts)) await writeAll(file, piece);
  await file.datasync();
}

/** The whole file anew, beside the one that is there. */
async function writeNext(files: RunFiles, epoch: number, batch: readonly Job[]): Promise<void> {
  const first = batch.find(({ isWhole }) => isWhole)?.first ?? null;
  const header = headerText({ runId: files.runId, epoch, stamp: randomUUID(), first });
  try {
    await writeNew(files.next, 'w', pieces([header, ...batch.flatMap(({ texts }) => texts)]));
  } catch (thrown) {
    await removeIfThere(files.next).catch(() => false);
    throw thrown;
  }
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

function jobOf(kind: Job['kind'], lines: readonly JournalLine[], isWhole: boolean): Omit<Job, 'done' | 'failed'> {
  const texts = lines.map(textOfLine);
  const [line] = lines;
  const [text] = texts;
  const first = isWhole && line !== undefined && text !== undefined ? firstLineOf(line, text) : null;
  return { kind, texts, isWhole, first, characters: texts.reduce((sum, { length }) => sum + length, 0) };
}
