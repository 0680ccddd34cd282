/** What SQLite reports, as errors of a store. Pure. */
import { AgentError } from '../core/errors.ts';
import { messageOf } from '../core/message-of.ts';
import { invalidJournal, storeFailed } from './store-errors.ts';

/** Source: https://www.sqlite.org/rescode.html; the beginning of a code names its kind. */
const kinds: readonly (readonly [code: string, damaged: boolean, what: string, hint: string])[] = [
  [
    'SQLITE_BUSY',
    false,
    'is locked by somebody else',
    'End what writes to it for so long, or give sqliteStore a larger busyMs.',
  ],
  [
    'SQLITE_LOCKED',
    false,
    'is locked by somebody else',
    'End what writes to it for so long, or give sqliteStore a larger busyMs.',
  ],
  [
    'SQLITE_CORRUPT',
    true,
    'is damaged',
    'Put it back from a copy, or save what can be read with the program sqlite3: .recover.',
  ],
  ['SQLITE_NOTADB', true, 'is no database of SQLite', 'Name another file, or put the database back from a copy.'],
  ['SQLITE_READONLY', false, 'can only be read', 'Allow this process to write the file and its folder.'],
  ['SQLITE_CANTOPEN', false, 'cannot be opened', 'Name a file in a folder that this process may write.'],
  ['SQLITE_PERM', false, 'cannot be opened', 'Allow this process to write the file and its folder.'],
  ['SQLITE_FULL', false, 'is full', 'Make room on its disk.'],
  ['SQLITE_TOOBIG', false, 'takes no line of this length', 'Keep large contents apart: spilled.'],
];

/** `invalid_journal` where the database is damaged or none, else `store_failed`; an AgentError stays as it is. */
export function sqliteError(thrown: unknown, name: string): AgentError {
  if (thrown instanceof AgentError) return thrown;
  const code = codeOf(thrown) ?? '';
  const kind = kinds.find(([start]) => code.startsWith(start));
  if (kind === undefined)
    return storeFailed(`${name} failed: ${messageOf(thrown)}.`, 'Look at its disk and its permissions.', thrown);
  const [, damaged, what, hint] = kind;
  const message = `${name} ${what} (${code}: ${messageOf(thrown)}).`;
  return damaged ? invalidJournal(`${message} Nothing was changed.`, hint, thrown) : storeFailed(message, hint, thrown);
}

export function isBusy(thrown: unknown): boolean {
  const code = codeOf(thrown) ?? '';
  return code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED');
}

export function codeOf(thrown: unknown): string | null {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : null;
}
