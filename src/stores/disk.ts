/** What is done with files: so that it survives a power cut, and with errors that say what to do. */
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AgentError } from '../core/errors.ts';
import { messageOf } from '../core/message-of.ts';
import { storeFailed } from './store-errors.ts';

/** For its owner alone: a journal holds what a trace hides. */
export const ownersFile = 0o600;

/** Appends wherever the end is, and makes no file. */
export const appending = constants.O_WRONLY | constants.O_APPEND;

/** The error code of the system, such as `ENOSPC`; empty where there is none. */
export function systemCode(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null;
  return typeof code === 'string' ? code : '';
}

/** Does the work; what it throws becomes an AgentError. `what` ends the sentence: The store could not … */
export async function onDisk<Value>(what: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof AgentError) throw thrown;
    throw storeFailed(`The store could not ${what}: ${messageOf(thrown)}.`, hintOf(systemCode(thrown)), thrown);
  }
}

function hintOf(code: string): string {
  const hint = hints.get(code);
  return hint ?? 'Look at the disk and at the permissions of the folder, then go on with the run.';
}

const folderHint = 'Give the store the path of a folder, or one where a folder can be made.';

const hints: ReadonlyMap<string, string> = new Map([
  ...['ENOSPC', 'EDQUOT'].map(
    (code) => [code, 'Make room on the disk, then go on with the run: what it stored before is kept.'] as const,
  ),
  ...['EACCES', 'EPERM', 'EROFS'].map((code) => [code, 'Give the store a folder that it may write to.'] as const),
  ...['ENOTDIR', 'EEXIST', 'ENOENT'].map((code) => [code, folderHint] as const),
  ...['EMFILE', 'ENFILE'].map(
    (code) => [code, 'Each run that is held has one open file: raise the limit, or hold fewer at once.'] as const,
  ),
]);

/** Null where the file is not there. */
export async function readIfThere(path: string): Promise<Buffer | null> {
  return ifThere(readFile(path));
}

/** Whether it was there. */
export async function removeIfThere(path: string): Promise<boolean> {
  return (await ifThere(unlink(path).then(() => true))) ?? false;
}

/** Null where what it is about is not there. */
export async function ifThere<Value>(work: Promise<Value>): Promise<Value | null> {
  try {
    return await work;
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return null;
    throw thrown;
  }
}

/** All of it: a write may take only a part, as on a disk that is nearly full. */
export async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let from = 0; from < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, from, bytes.length - from);
    if (bytesWritten === 0) throw new Error(`only ${from} of ${bytes.length} bytes were written`);
    from += bytesWritten;
  }
}

/**
 * A new file, whole or not at all, as far as this process lives on. Its name is durable only after `syncFolder`.
 */
export async function writeNew(path: string, flags: 'w' | 'wx', pieces: Iterable<Uint8Array>): Promise<void> {
  const file = await open(path, flags, ownersFile);
  try {
    try {
      for (const piece of pieces) await writeAll(file, piece);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (thrown) {
    await unlink(path).catch(() => {});
    throw thrown;
  }
}

/** Makes the names in a folder durable. Windows has nothing like it, and keeps them itself. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * Makes the folder and those above it that are not there, durably. Not with `recursive` of mkdir: that never comes back from
 * where no folder can be made, such as in `/proc`.
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isMade(path)) return;
  const above = dirname(path);
  await makeFolder(above);
  await mkdir(path, { mode: 0o700 }).catch(ifNotThere);
  await syncFolder(above);
}

/** Whether the folder is there. Throws where it is something else. */
async function isMade(path: string): Promise<boolean> {
  const found = await ifThere(stat(path));
  if (found === null) return false;
  if (!found.isDirectory()) throw storeFailed(`${path} is no folder.`, folderHint);
  return true;
}

/** Somebody else may make it at the same time. */
function ifNotThere(thrown: unknown): void {
  if (systemCode(thrown) !== 'EEXIST') throw thrown;
}
