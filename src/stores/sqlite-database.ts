/**
 * A connection to one database of SQLite. The only file that imports better-sqlite3, and not before a database is opened.
 * Its calls block this thread: they are kept short, and nobody waits for a lock inside of them.
 */
import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type BetterSqlite3 from 'better-sqlite3';
import { AgentError } from '../core/errors.ts';
import { messageOf } from '../core/message-of.ts';
import { ownersFile } from './disk.ts';
import { codeOf, isBusy, sqliteError } from './sqlite-errors.ts';
import { isOurs, schemaSql, schemaVersion } from './sqlite-schema.ts';
import { invalidJournal, storeFailed } from './store-errors.ts';

export type Value = string | number | null;
export type Row = { readonly [column: string]: unknown };

export interface Statement {
  run(...values: readonly Value[]): void;
  get(...values: readonly Value[]): Row | undefined;
  all(...values: readonly Value[]): readonly Row[];
}

export interface Connection {
  /** Prepared once; later calls with the same text give the same statement. */
  sql(text: string): Statement;
  /**
   * Runs `work` as one transaction that survives a power cut when this resolves. Where somebody else writes, it is tried
   * again until `busyMs` are over; this thread goes on meanwhile. Rejects with an AgentError, and then nothing was changed.
   */
  write<Result>(work: () => Result): Promise<Result>;
  /** The same for what only reads: what it sees is of one moment. */
  read<Result>(work: () => Result): Promise<Result>;
  close(): void;
}

export interface ConnectOptions {
  readonly file: string;
  /** For messages. */
  readonly name: string;
  /** Milliseconds for which a lock of somebody else is waited for. */
  readonly busyMs: number;
}

/** Rejects with an AgentError: `invalid_option` where better-sqlite3 is missing, else what `sqliteError` says. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const Database = await driver();
  const database = opened(Database, options);
  try {
    await patiently(options, () => prepare(database, options));
    return connectionOf(database, options);
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

async function driver(): Promise<typeof BetterSqlite3> {
  try {
    const { default: Database } = await import('better-sqlite3');
    return Database;
  } catch (thrown) {
    throw new AgentError('invalid_option', 'sqliteStore needs the package better-sqlite3, which cannot be loaded.', {
      hint: 'Install it beside fuseloop: npm install better-sqlite3@12. Or use fileStore, which needs nothing.',
      cause: thrown,
    });
  }
}

function opened(Database: typeof BetterSqlite3, { file, name }: ConnectOptions): BetterSqlite3.Database {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    closeSync(openSync(file, 'a', ownersFile)); // SQLite gives its other files the same permissions.
    return new Database(file, { timeout: 0 });
  } catch (thrown) {
    if (codeOf(thrown)?.startsWith('SQLITE_') || isOfFiles(thrown)) throw sqliteError(thrown, name);
    throw new AgentError('invalid_option', `better-sqlite3 does not work here: ${messageOf(thrown)}`, {
      hint: 'Build it for this version of Node: npm rebuild better-sqlite3.',
      cause: thrown,
    });
  }
}

function isOfFiles(thrown: unknown): boolean {
  return thrown instanceof Error && 'syscall' in thrown;
}

/** A new database gets its tables; one of another program, or of a later version, is left as it is. */
function prepare(database: BetterSqlite3.Database, { name }: ConnectOptions): void {
  const version = versionOf(database, name);
  const mode = database.pragma('journal_mode = WAL', { simple: true });
  if (mode !== 'wal') throw noWal(name, mode);
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  database.pragma(`journal_size_limit = ${64 * 2 ** 20}`);
  if (version === 0)
    database
      .transaction(() => {
        if (versionOf(database, name) === 0) database.exec(schemaSql);
      })
      .immediate();
}

/** 0 for one without tables. */
function versionOf(database: BetterSqlite3.Database, name: string): number {
  const version = Number(database.pragma('user_version', { simple: true }));
  const tables = database.prepare('SELECT name FROM sqlite_schema LIMIT 1').get();
  if (tables === undefined && version === 0) return 0;
  if (!isOurs(database.pragma('application_id', { simple: true })))
    throw invalidJournal(
      `${name} holds tables of another program. Nothing was changed.`,
      'Give sqliteStore a file of its own.',
    );
  if (version > schemaVersion)
    throw invalidJournal(
      `${name} has version ${version} of the tables; this version of fuseloop knows up to ${schemaVersion}. Nothing was changed.`,
      'Use the version of fuseloop that wrote it, or a later one.',
    );
  return version;
}

function noWal(name: string, mode: unknown): AgentError {
  return new AgentError('store_failed', `${name} cannot be written safely: its journal mode stays ${String(mode)}.`, {
    hint: 'Put the file on a disk of this machine; network file systems lack what SQLite needs.',
  });
}

function connectionOf(database: BetterSqlite3.Database, options: ConnectOptions): Connection {
  const statements = new Map<string, Statement>();
  const file = identityOf(options);
  /** Last in each transaction: SQLite itself would go on with a file that nobody else can see. */
  const whileThere =
    <Result>(work: () => Result) =>
    () => {
      const result = work();
      if (identityOf(options) !== file) throw removed(options);
      return result;
    };
  return {
    sql(text) {
      const known = statements.get(text);
      if (known !== undefined) return known;
      const statement = statementOf(database.prepare<Value[], Row>(text));
      statements.set(text, statement);
      return statement;
    },
    write: (work) => patiently(options, () => database.transaction(whileThere(work)).immediate()),
    read: (work) => patiently(options, () => database.transaction(whileThere(work)).deferred()),
    close: () => {
      database.close();
    },
  };
}

/** Null where the file is not there. */
function identityOf({ file }: ConnectOptions): string | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev} ${found.ino}`;
}

function removed({ name }: ConnectOptions): AgentError {
  return storeFailed(
    `${name} was removed or replaced while it was in use. Nothing more was written.`,
    'Close the store, put the file back, and open the store again.',
  );
}

function statementOf(statement: BetterSqlite3.Statement<Value[], Row>): Statement {
  return {
    run: (...values) => {
      statement.run(...values);
    },
    get: (...values) => statement.get(...values),
    all: (...values) => statement.all(...values),
  };
}

/** Waits longer from try to try, so that many processes come through. */
async function patiently<Result>({ name, busyMs }: ConnectOptions, work: () => Result): Promise<Result> {
  const until = performance.now() + busyMs;
  for (let pauseMs = 1; ; pauseMs = Math.min(50, pauseMs * 2)) {
    try {
      return work();
    } catch (thrown) {
      if (!isBusy(thrown) || performance.now() >= until) throw sqliteError(thrown, name);
    }
    await wait(pauseMs * (0.5 + Math.random()));
  }
}
