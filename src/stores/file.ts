/** Runs in the files of a folder: one a run, to which is only appended, until a checkpoint takes the place of all. */
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AgentError } from '../core/errors.ts';
import type { HeldRun, Store, StoredRun } from '../core/store.ts';
import { ifThere, makeFolder, onDisk, readIfThere, removeIfThere, syncFolder } from './disk.ts';
import { readRun } from './file-format.ts';
import { storedRunIn } from './file-list.ts';
import { type FileLock, holderAmong, removeDrafts, takeLock } from './file-lock.ts';
import { filesOf, type RunFiles, readName } from './file-name.ts';
import { openWriter } from './file-writer.ts';
import { createHolds } from './holds.ts';
import { checkRunId } from './store-errors.ts';
import { listed } from './summary.ts';

/**
 * A store in a folder, which is made when it is first needed, for its owner alone. For one machine: its lock sees whether a
 * process of this machine is alive, and of any other it must believe so. What was appended survives a power cut as far as
 * the disk keeps what it said it has written.
 *
 * `folder` is a path or a URL of the kind `file:`. Throws AgentError (`invalid_option`) for anything else.
 */
export function fileStore(folder: string | URL): Store {
  const root = folderOf(folder);
  const name = `the files in ${typeof folder === 'string' ? folder : root}`;
  const holds = createHolds();
  let isTidy = false;

  const prepare = async () => {
    await makeFolder(root);
    if (!isTidy) await removeDrafts(root);
    isTidy = true;
  };

  return {
    name,
    async open(runId) {
      checkRunId(runId);
      return await holds.take(() =>
        onDisk(`open the run in ${root}`, async () => {
          await prepare();
          return await holdRun(filesOf(root, runId));
        }),
      );
    },
    async read(runId) {
      checkRunId(runId);
      const { journal } = filesOf(root, runId);
      return await onDisk(`read ${journal}`, async () => {
        const lines = readRun(await readIfThere(journal), runId, journal)?.lines ?? [];
        return lines.length === 0 ? null : lines;
      });
    },
    async list(filter) {
      return await onDisk(`list the runs in ${root}`, async () => listed(await storedRuns(root), filter));
    },
    async delete(runId) {
      checkRunId(runId);
      return await onDisk(`delete a run in ${root}`, async () => {
        if ((await ifThere(stat(root))) === null) return false;
        return await deleteRun(filesOf(root, runId));
      });
    },
    close: holds.close,
  };
}

function folderOf(folder: unknown): string {
  if (typeof folder === 'string' && folder !== '' && !folder.includes('\0')) return resolve(folder);
  if (folder instanceof URL && folder.protocol === 'file:') return fileURLToPath(folder);
  throw new AgentError('invalid_option', 'fileStore was given something that is no folder.', {
    hint: "A folder is a path, such as './runs', or a URL, such as new URL('runs', import.meta.url).",
  });
}

async function holdRun(files: RunFiles): Promise<HeldRun> {
  const { lock, bytes } = await takeLock(files);
  try {
    const stored = readRun(bytes, files.runId, files.journal);
    const { append, replace, close, isBare } = await openWriter(files, { lock, bytes }, stored);
    // What is left of the dead is in nobody's way.
    if (stored !== null) await lock.removeDead().catch(() => {});
    const release = async () => {
      try {
        await close();
        if (isBare() && (await isHeld(lock))) await removeJournal(files, lock);
      } finally {
        await lock.remove();
      }
    };
    return {
      epoch: lock.epoch,
      lines: stored?.lines ?? [],
      append,
      replace,
      release: () => onDisk(`let go of ${files.journal}`, release),
    };
  } catch (thrown) {
    await lock.remove().catch(() => {});
    throw thrown;
  }
}

function isHeld(lock: FileLock): Promise<boolean> {
  return lock.check().then(
    () => true,
    () => false,
  );
}

async function deleteRun(files: RunFiles): Promise<boolean> {
  const { lock, bytes } = await takeLock(files);
  try {
    return (await removeJournal(files, lock)) && isAnythingIn(files, bytes);
  } finally {
    await lock.remove();
  }
}

/** While the run is held. Whether it was there. */
async function removeJournal(files: RunFiles, lock: FileLock): Promise<boolean> {
  await removeIfThere(files.next);
  // Whoever finds no journal begins with the first epoch anew, and its lock must not be taken for one of the dead.
  await lock.removePassed();
  if (!(await removeIfThere(files.journal))) return false;
  await syncFolder(files.folder);
  return true;
}

/** Also what is damaged was something. */
function isAnythingIn(files: RunFiles, bytes: Buffer | null): boolean {
  try {
    return (readRun(bytes, files.runId, files.journal)?.lines.length ?? 0) > 0;
  } catch {
    return true;
  }
}

/** Files that are open at once while runs are listed. */
const mostOpen = 32;

async function storedRuns(root: string): Promise<readonly StoredRun[]> {
  const locks = new Map<string, string[]>();
  const names: string[] = [];
  for (const file of (await ifThere(readdir(root))) ?? []) {
    const read = readName(file);
    if (read === null) continue;
    if (read.lockOf === null) names.push(read.name);
    else locks.set(read.name, [...(locks.get(read.name) ?? []), join(root, file)]);
  }
  const runs: StoredRun[] = [];
  const next = names.values();
  const work = async () => {
    for (const name of next) {
      const heldBy = await holderAmong(locks.get(name) ?? []);
      const run = await storedRunIn(join(root, `${name}.jsonl`), name, heldBy);
      if (run !== null) runs.push(run);
    }
  };
  await Promise.all(Array.from({ length: mostOpen }, work));
  return runs;
}
