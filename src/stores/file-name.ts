/** Where the files of a run are. A run id may be any text: its file name is one that every file system takes. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileNameOf } from '../core/file-name.ts';

export interface RunFiles {
  readonly runId: string;
  readonly folder: string;
  /** The journal. */
  readonly journal: string;
  /** What is to take the place of the journal. */
  readonly next: string;
  lock(epoch: number): string;
}

export function filesOf(folder: string, runId: string): RunFiles {
  const path = join(folder, nameOf(runId));
  return {
    runId,
    folder,
    journal: path + journalEnding,
    next: `${path}.next`,
    lock: (epoch) => `${path}.lock-${epoch}`,
  };
}

const journalEnding = '.jsonl';

/** What the name of a file in the folder says; null for a file that is none of ours. */
export function readName(file: string): { readonly name: string; readonly lockOf: number | null } | null {
  if (file.endsWith(journalEnding)) return { name: file.slice(0, -journalEnding.length), lockOf: null };
  const [, name, epoch] = file.match(/^([^.]+)\.lock-(\d{1,15})$/) ?? [];
  return name === undefined ? null : { name, lockOf: Number(epoch) };
}

export function nameOf(runId: string): string {
  return fileNameOf(runId, (id) => createHash('sha256').update(Buffer.from(id, 'utf16le')).digest('hex'));
}
