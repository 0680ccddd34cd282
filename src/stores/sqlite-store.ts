/** Runs in a database of SQLite: one file for all of them, which can be listed and asked with SQL. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AgentError } from '../core/errors.ts';
import { type HeldRun, type RunFilter, runStatuses, type Store, type StoredRun } from '../core/store.ts';
import { beginHold, createHolds, endHold, type Holds, isLiving } from './holds.ts';
import { type Holder, holderOf, ownerHere, readOwner } from './lock-owner.ts';
import { readJournal } from './read-journal.ts';
import { type Connection, connect } from './sqlite-database.ts';
import { createWriter, type Hold, type Writer } from './sqlite-hold.ts';
import {
  findRun,
  holdsOf,
  letRunGo,
  noteNoProblem,
  noteProblem,
  ownersIn,
  type RunRow,
  removeRun,
  runsOf,
  takeRun,
  textsOf,
} from './sqlite-runs.ts';
import { checkRunId, runHeld, shown } from './store-errors.ts';
import { listed } from './summary.ts';

export interface SqliteStoreOptions {
  /** Milliseconds for which a lock of another process on the database is waited for; default 5,000. */
  readonly busyMs?: number;
}

interface Open {
  readonly connection: Connection;
  readonly writer: Writer;
}

/**
 * `file` is a path or a URL of the kind `file:`; it is made where it is not there, with its folder, when it is first used.
 * Throws AgentError (`invalid_option`) for anything else. Needs better-sqlite3 12, an optional peer: where that is missing,
 * every method rejects with AgentError (`invalid_option`).
 */
export function sqliteStore(file: string | URL, options: SqliteStoreOptions = {}): Store {
  const path = pathOf(file);
  const busyMs = checkedBusyMs(options);
  const name = `the database ${path}`;
  let current: { readonly open: Promise<Open>; readonly holds: Holds } | null = null;

  const inUse = () => {
    if (current !== null) return current;
    const open = connect({ file: path, name, busyMs }).then((connection) => ({
      connection,
      writer: createWriter(connection),
    }));
    const mine = { open, holds: createHolds() };
    open.catch(() => {
      if (current === mine) current = null;
    });
    current = mine;
    return mine;
  };

  return {
    name,
    async open(runId) {
      checkRunId(runId);
      const { open, holds } = inUse();
      return holds.take(async () => openRun(await open, runId, name));
    },
    async read(runId) {
      checkRunId(runId);
      const { connection } = await inUse().open;
      const texts = await connection.read(() => {
        const row = findRun(connection, runId);
        return row === null ? [] : textsOf(connection, row.id);
      });
      return texts.length === 0 ? null : readJournal(texts, { runId, store: name });
    },
    async list(filter) {
      return listRuns((await inUse().open).connection, filter);
    },
    async delete(runId) {
      checkRunId(runId);
      return deleteRun((await inUse().open).connection, runId);
    },
    async close() {
      const closing = current;
      current = null;
      if (closing === null) return;
      const { connection } = await closing.open;
      await closing.holds.close().finally(connection.close);
    },
  };
}

const defaultBusyMs = 5_000;

function pathOf(file: unknown): string {
  if (file instanceof URL && file.protocol === 'file:') return fileURLToPath(file);
  if (typeof file === 'string' && !['', ':memory:'].includes(file) && !file.includes('\0')) return resolve(file);
  throw new AgentError('invalid_option', 'sqliteStore was given something that is no file.', {
    hint: "A file is a path, such as './runs.db', or a URL of the kind file:. For runs that need not outlast the process there is memoryStore.",
  });
}

function checkedBusyMs({ busyMs = defaultBusyMs }: SqliteStoreOptions): number {
  if (Number.isSafeInteger(busyMs) && busyMs >= 0) return busyMs;
  throw new AgentError('invalid_option', `busyMs of sqliteStore is ${String(busyMs)}.`, {
    hint: 'Give milliseconds: a whole number from 0.',
  });
}

async function openRun(open: Open, runId: string, store: string): Promise<HeldRun> {
  const token = beginHold();
  try {
    return await takenRun(open, { runId, token, store });
  } catch (thrown) {
    endHold(token);
    throw thrown;
  }
}

async function takenRun(
  { connection, writer }: Open,
  { runId, token, store }: { readonly runId: string; readonly token: string; readonly store: string },
): Promise<HeldRun> {
  const owner = JSON.stringify(await ownerHere());
  const { row, texts } = await whileFree(connection, runId, () => {
    takeRun(connection, runId, owner, token);
    const row = findRun(connection, runId);
    return { row, texts: row === null ? [] : textsOf(connection, row.id) };
  });
  if (row === null)
    throw new AgentError('internal', 'A run that was just stored is not there.', { hint: 'Report it.' });
  const { id, epoch } = row;
  try {
    const lines = readJournal(texts, { runId, store });
    await connection.write(() => noteNoProblem(connection, id));
    return heldRun({ runId, id, token, failure: null }, { epoch, lines }, writer);
  } catch (thrown) {
    const noted = connection.write(() => {
      if (thrown instanceof AgentError) noteProblem(connection, id, thrown.message);
      letRunGo(connection, id, token);
    });
    await noted.catch(() => {}); // What is wrong with the run is said in any case.
    throw thrown;
  }
}

function heldRun(hold: Hold, { epoch, lines }: Pick<HeldRun, 'epoch' | 'lines'>, writer: Writer): HeldRun {
  return {
    epoch,
    lines,
    append: (more) => writer.append(hold, more),
    replace: (others) => writer.replace(hold, others),
    release: () => writer.release(hold),
  };
}

/** In one transaction in which nobody alive holds the run. Throws AgentError (`run_held`). */
async function whileFree<Result>(
  connection: Connection,
  runId: string,
  work: (row: RunRow | null) => Result,
): Promise<Result> {
  for (;;) {
    // Whether somebody is alive is asked outside of the transaction, in which nothing may wait.
    const seen = await connection.read(() => findRun(connection, runId));
    const holder = seen?.owner == null ? null : await holderOf(readOwner(seen.owner), seen.hold);
    if (holder !== null) throw heldBy(runId, holder);
    const done = await connection.write(() => {
      const row = findRun(connection, runId);
      return row?.hold === seen?.hold && row?.id === seen?.id ? { result: work(row) } : null;
    });
    if (done !== null) return done.result;
  }
}

function heldBy(runId: string, { words, isSeen }: Holder): AgentError {
  const hint = isSeen
    ? 'Wait until it is done with the run, or end it.'
    : 'Whether it is alive cannot be told from here. If it is surely gone, set owner and hold of the run to NULL in the table runs.';
  return runHeld(`The run ${shown(runId)} is held by ${words}.`, hint);
}

async function deleteRun(connection: Connection, runId: string): Promise<boolean> {
  return whileFree(connection, runId, (row) => {
    if (row === null) return false;
    removeRun(connection, row.id);
    return row.lines > 0;
  });
}

async function listRuns(connection: Connection, filter: RunFilter = {}): Promise<readonly StoredRun[]> {
  const here = JSON.stringify(await ownerHere());
  const owners = await connection.read(() => ownersIn(connection));
  const words = await Promise.all(
    owners.map(async (owner) => (owner === here ? 'this process' : (await holderOf(readOwner(owner), null))?.words)),
  );
  const alive = new Map(owners.flatMap((owner, index) => (words[index] === undefined ? [] : [[owner, words[index]]])));
  const wanted = runStatuses.filter((status) => filter.status?.includes(status) ?? true);
  const limit = filter.limit === undefined ? -1 : Math.max(0, Math.floor(filter.limit));
  const runs = await connection.read(() => {
    const over = holdsOf(connection, here).filter((hold) => !isLiving(hold));
    return wanted.flatMap((status) => runsOf(connection, status, limit, { alive, over }));
  });
  return listed(runs, filter);
}
