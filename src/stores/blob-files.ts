/** Contents of runs in files: a folder for each run, and in it a file for each content, named by its digest. */
import { randomUUID } from 'node:crypto';
import { readdir, rename, rmdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AgentError } from '../core/errors.ts';
import type { Blobs } from './blobs.ts';
import { ifThere, makeFolder, onDisk, readIfThere, removeIfThere, syncFolder, writeNew } from './disk.ts';
import { nameOf } from './file-name.ts';

const ending = '.json';

/**
 * `folder` is a path or a URL of the kind `file:`; it is made when it is first needed, for its owner alone. Throws AgentError
 * (`invalid_option`) for anything else.
 */
export function blobFiles(folder: string | URL): Blobs {
  const root = folderOf(folder);
  const folderOfRun = (runId: string) => join(root, nameOf(runId));
  return {
    put: (runId, sha256, text) =>
      onDisk(`keep contents of a run in ${root}`, async () => {
        const path = folderOfRun(runId);
        await makeFolder(path);
        await writeWhole(path, sha256 + ending, Buffer.from(text, 'utf8'));
      }),
    get: (runId, sha256) =>
      onDisk(`read contents of a run in ${root}`, async () => {
        const bytes = await readIfThere(join(folderOfRun(runId), sha256 + ending));
        return bytes === null ? null : bytes.toString('utf8');
      }),
    keep: (runId, digests) =>
      onDisk(`remove contents of a run in ${root}`, async () => {
        const path = folderOfRun(runId);
        const kept = new Set(digests.map((sha256) => sha256 + ending));
        for (const file of (await ifThere(readdir(path))) ?? [])
          if (!kept.has(file)) await removeIfThere(join(path, file));
        if (kept.size === 0) await ifThere(rmdir(path));
      }),
  };
}

/** A file under its name is whole; the same one again says the same. */
async function writeWhole(folder: string, file: string, bytes: Uint8Array): Promise<void> {
  const draft = join(folder, `${file}.${randomUUID()}.tmp`);
  try {
    await writeNew(draft, 'wx', [bytes]);
    await rename(draft, join(folder, file));
  } catch (thrown) {
    await removeIfThere(draft);
    throw thrown;
  }
  await syncFolder(folder);
}

function folderOf(folder: unknown): string {
  if (typeof folder === 'string' && folder !== '' && !folder.includes('\0')) return resolve(folder);
  if (folder instanceof URL && folder.protocol === 'file:') return fileURLToPath(folder);
  throw new AgentError('invalid_option', 'blobFiles was given something that is no folder.', {
    hint: "A folder is a path, such as './contents', or a URL, such as new URL('contents', import.meta.url).",
  });
}
