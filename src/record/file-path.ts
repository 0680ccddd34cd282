/** Where a file is: a path, or a URL of the kind `file:`. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../core/message-of.ts';
import { kindOf } from '../models/common/given-model.ts';
import { unusable } from './read-jsonl.ts';

/** `where` is what was given the file, such as `replay`. Throws AgentError (`invalid_option`) for what names none. */
export function pathOf(where: string, file: unknown): string {
  if (typeof file === 'string' && file !== '') return file;
  if (!(file instanceof URL)) throw noFile(where, file === '' ? 'an empty text' : kindOf(file));
  try {
    return fileURLToPath(file);
  } catch (thrown) {
    throw noFile(where, `a URL of the kind ${file.protocol}`, thrown);
  }
}

/** As `pathOf`, and throws where no file could be made. */
export function pathToWrite(where: string, file: unknown): string {
  const path = pathOf(where, file);
  const folder = dirname(path);
  if (!isFolder(folder))
    throw unusable(`The folder of ${path}, for ${where}, is not there.`, `Make it first: ${folder}.`);
  if (isFolder(path)) throw unusable(`${path}, for ${where}, is a folder.`, 'Name a file in it.');
  return path;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (thrown) {
    throw unusable(
      `${path} cannot be looked at: ${messageOf(thrown)}.`,
      'Name a file that you may read and write.',
      thrown,
    );
  }
}

function noFile(where: string, given: string, cause?: unknown): Error {
  return unusable(
    `${where} was given ${given} in place of a file.`,
    "A file is a path, such as 'runs/sum.jsonl', or a URL, such as new URL('sum.jsonl', import.meta.url).",
    cause,
  );
}
