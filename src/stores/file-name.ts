/** Where the files of a run are. A run id may be any text: its file name is one that every file system takes. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';

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

/**
 * As it is where that is safe: lower case, as some file systems see no other; no name of a device of Windows; no dot, as the
 * ends of our files begin with one. Every other id is told apart by its digest.
 */
export function nameOf(runId: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,99}$/.test(runId) && !/^(con|prn|aux|nul|com\d|lpt\d)$/.test(runId)) return runId;
  const digest = createHash('sha256').update(Buffer.from(runId, 'utf16le')).digest('hex').slice(0, 32);
  return `${readable(runId)}~${digest}`;
}

/** For people who look into the folder. */
function readable(runId: string): string {
  const words =
    runId
      .slice(0, 200)
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, 40) || 'run';
}
