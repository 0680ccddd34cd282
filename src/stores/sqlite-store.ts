/** Runs in a database of SQLite: one file for all of them, which can be listed and asked with SQL. */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AgentError } from '../core/errors.ts';
import { type HeldRun, type RunFilter, runStatuses, type Store, type StoredRun } from '../core/store.ts';
import { type Holder, holderOf, ownerHere, readOwner } from './lock-owner.ts';
import { readJournal } from './read-journal.ts';
import { type Connection, connect } from './sqlite-database.ts';
import { createWriter, type Hold, type Writer } from './sqlite-hold.ts';
import {
  findRun,
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
  readonly held: Set<HeldRun>;
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
  let opening: Promise<Open> | null = null;

  const open = () => {
    opening ??= connect({ file: path, name, busyMs }).then((connection) => ({
      connection,
      writer: createWriter(connection),
      held: new Set<HeldRun>(),
    }));
    const mine = opening;
    mine.catch(() => {
      if (opening === mine) opening = null;
    });
    return mine;
  };

  return {
    name,
    async open(runId) {
      checkRunId(runId);
      return openRun(await open(), runId, name);
    },
    async read(runId) {
      checkRunId(runId);
      const { connection } = await open();
      const texts = await connection.read(() => {
        const row = findRun(connection, runId);
        return row === null ? [] : textsOf(connection, row.id);
      });
      return texts.length === 0 ? null : readJournal(texts, { runId, store: name });
    },
    async list(filter) {
      return listRuns((await open()).connection, filter);
    },
    async delete(runId) {
      checkRunId(runId);
      return deleteRun((await open()).connection, runId);
    },
    async close() {
      const current = opening;
      opening = null;
      if (current === null) return;
      const { connection, held } = await current;
      await Promise.all([...held].map((run) => run.release()));
      connection.close();
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

async function openRun({ connection, writer, held }: Open, runId: string, store: string): Promise<HeldRun> {
  const owner = JSON.stringify(await ownerHere());
  const token = randomUUID();
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
    return heldRun({ runId, id, token, failure: null }, { epoch, lines }, writer, held);
  } catch (thrown) {
    await connection.write(() => {
      if (thrown instanceof AgentError) noteProblem(connection, id, thrown.message);
      letRunGo(connection, id, token);
    });
    throw thrown;
  }
}

function heldRun(
  hold: Hold,
  { epoch, lines }: Pick<HeldRun, 'epoch' | 'lines'>,
  writer: Writer,
  held: Set<HeldRun>,
): HeldRun {
  let releasing: Promise<void> | null = null;
  const run: HeldRun = {
    epoch,
    lines,
    append: (more) => writer.append(hold, more),
    replace: (others) => writer.replace(hold, others),
    release() {
      releasing ??= writer.release(hold).finally(() => held.delete(run));
      return releasing;
    },
  };
  held.add(run);
  return run;
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
    const holder = seen?.owner == null ? null : await holderOf(readOwner(seen.owner));
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
  const owners = await connection.read(() => ownersIn(connection));
  const holders = await Promise.all(owners.map(async (owner) => [owner, await holderOf(readOwner(owner))] as const));
  const alive = new Map(holders.flatMap(([owner, holder]) => (holder === null ? [] : [[owner, holder.words]])));
  const wanted = runStatuses.filter((status) => filter.status?.includes(status) ?? true);
  const limit = filter.limit === undefined ? -1 : Math.max(0, Math.floor(filter.limit));
  const runs = await connection.read(() => wanted.flatMap((status) => runsOf(connection, status, limit, alive)));
  return listed(runs, filter);
}
