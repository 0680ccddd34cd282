/** The store that `--store` names: the files of a folder, or a database of SQLite. */
import { statSync } from 'node:fs';
import { messageOf } from '../core/message-of.ts';
import type { Store } from '../core/store.ts';
import { fileStore } from '../stores/file.ts';
import { sqliteStore } from '../stores/sqlite-store.ts';
import { flagTable } from './flag-table.ts';
import { misuse } from './misuse.ts';

/** Nothing is made before a run is stored. Throws misuse for a file of another kind, and for what cannot be looked at. */
export function openStore(path: string): Store {
  const found = lookAt(path);
  if (found === 'folder') return fileStore(path);
  if (/\.(?:db|sqlite3?)$/i.test(path)) return sqliteStore(path);
  if (found === 'nothing') return fileStore(path);
  throw misuse(`--store ${path} is a file, and no store of runs.`, `${flagTable.store.allowed} Correct it.`);
}

/** Whether there can be runs: a store that is only read is not made. */
export function isStoreThere(path: string): boolean {
  return lookAt(path) !== 'nothing';
}

function lookAt(path: string): 'folder' | 'file' | 'nothing' {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return 'nothing';
    return found.isDirectory() ? 'folder' : 'file';
  } catch (thrown) {
    throw misuse(`--store ${path} cannot be used: ${messageOf(thrown)}.`, flagTable.store.allowed, thrown);
  }
}
