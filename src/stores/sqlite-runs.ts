/** The tables as functions: each is one or two statements, and runs inside a transaction of whoever calls it. */
import type { CallRef } from '../core/outcome.ts';
import { stopReasons } from '../core/stop-reasons.ts';
import { type RunStatus, runStatuses, type StoredRun } from '../core/store.ts';
import { parsedJson } from './journal-line.ts';
import type { Connection, Row } from './sqlite-database.ts';
import { type RunBeginning, type RunRest, storedRun, unreadableRun } from './summary.ts';

export interface RunRow {
  readonly id: number;
  readonly epoch: number;
  readonly owner: string | null;
  /** Differs for each hold that was ever taken. */
  readonly hold: string | null;
  readonly lines: number;
}

/** As in JSON, without the quotes: SQLite keeps neither half characters nor texts behind a zero. */
const escaped = (text: string) => JSON.stringify(text).slice(1, -1);
const unescaped = (text: string) => textIn(parsedJson(`"${text}"`)) ?? text;

/** Lines to be stored, as they were when they were given. */
export interface NewLines {
  readonly texts: readonly string[];
  readonly beginning: RunBeginning;
  readonly rest: RunRest;
}

export function findRun({ sql }: Connection, runId: string): RunRow | null {
  const row = sql('SELECT id, epoch, owner, hold, lines FROM runs WHERE run_id = ?').get(escaped(runId));
  if (row === undefined) return null;
  const { id, epoch, lines } = row;
  return {
    id: Number(id),
    epoch: Number(epoch),
    owner: textIn(row.owner),
    hold: textIn(row.hold),
    lines: Number(lines),
  };
}

export function takeRun({ sql }: Connection, runId: string, owner: string, hold: string): void {
  sql(`INSERT INTO runs (run_id, epoch, owner, hold) VALUES (?, 1, ?, ?)
    ON CONFLICT (run_id) DO UPDATE SET epoch = epoch + 1, owner = excluded.owner, hold = excluded.hold`).run(
    escaped(runId),
    owner,
    hold,
  );
}

/** The lines of a run as texts of JSON. */
export function textsOf({ sql }: Connection, id: number): readonly string[] {
  return sql('SELECT line FROM lines WHERE run = ? ORDER BY number')
    .all(id)
    .map(({ line }) => textIn(line) ?? '');
}

export function isHeldBy({ sql }: Connection, id: number, hold: string): boolean {
  return sql('SELECT id FROM runs WHERE id = ? AND hold = ?').get(id, hold) !== undefined;
}

/** Behind those that are there. */
export function addLines({ sql }: Connection, id: number, { texts, beginning, rest }: NewLines): void {
  const before = Number(sql('SELECT lines FROM runs WHERE id = ?').get(id)?.lines ?? 0);
  const add = sql('INSERT INTO lines (run, number, line) VALUES (?, ?, ?)');
  texts.forEach((text, index) => {
    add.run(id, before + index + 1, text);
  });
  if (before === 0)
    sql('UPDATE runs SET task = ?, started_at_ms = ? WHERE id = ?').run(
      escaped(beginning.task),
      beginning.startedAtMs,
      id,
    );
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  sql(`UPDATE runs SET status = ?, stop_reason = ?, waiting = ?, changed_at_ms = ?, problem = NULL,
    lines = lines + ?, bytes = bytes + ? WHERE id = ?`).run(
    ...[rest.status, rest.stopReason, JSON.stringify(rest.waiting), rest.changedAtMs],
    ...[texts.length, bytes, id],
  );
}

export function dropLines({ sql }: Connection, id: number): void {
  sql('DELETE FROM lines WHERE run = ?').run(id);
  sql('UPDATE runs SET lines = 0, bytes = 0, status = NULL WHERE id = ?').run(id);
}

/** A run of which nothing is stored is forgotten. Without effect where somebody else holds it by now. */
export function letRunGo({ sql }: Connection, id: number, hold: string): void {
  sql('DELETE FROM runs WHERE id = ? AND hold = ? AND lines = 0').run(id, hold);
  sql('UPDATE runs SET owner = NULL, hold = NULL WHERE id = ? AND hold = ?').run(id, hold);
}

export function noteProblem({ sql }: Connection, id: number, problem: string): void {
  sql('UPDATE runs SET problem = ? WHERE id = ?').run(problem, id);
}

export function noteNoProblem({ sql }: Connection, id: number): void {
  sql('UPDATE runs SET problem = NULL WHERE id = ? AND problem IS NOT NULL').run(id);
}

export function removeRun(connection: Connection, id: number): void {
  dropLines(connection, id);
  connection.sql('DELETE FROM runs WHERE id = ?').run(id);
}

/** All that hold a run, each once. */
export function ownersIn({ sql }: Connection): readonly string[] {
  return sql('SELECT DISTINCT owner FROM runs WHERE owner IS NOT NULL')
    .all()
    .map(({ owner }) => textIn(owner) ?? '');
}

const isHeld = `owner IS NOT NULL AND owner IN (SELECT value FROM json_each(?))
  AND coalesce(hold, '') NOT IN (SELECT value FROM json_each(?))`;
const isFree = `NOT (${isHeld})`;
const conditions: { readonly [Status in RunStatus]: string } = {
  running: isHeld,
  suspended: `status = 'suspended' AND problem IS NULL AND ${isFree}`,
  interrupted: `status = 'interrupted' AND problem IS NULL AND ${isFree}`,
  ended: `status = 'ended' AND problem IS NULL AND ${isFree}`,
  unreadable: `problem IS NOT NULL AND ${isFree}`,
};

/** The holds of an owner. */
export function holdsOf({ sql }: Connection, owner: string): readonly string[] {
  return sql('SELECT hold FROM runs WHERE owner = ? AND hold IS NOT NULL')
    .all(owner)
    .map(({ hold }) => textIn(hold) ?? '');
}

/** Who holds runs. */
export interface Holders {
  /** The owners that are alive, with words for each. */
  readonly alive: ReadonlyMap<string, string>;
  /** Holds of theirs that were let go all the same. */
  readonly over: readonly string[];
}

/** Runs of one status, those that changed last first. */
export function runsOf(
  { sql }: Connection,
  status: RunStatus,
  limit: number,
  { alive, over }: Holders,
): readonly StoredRun[] {
  const rows =
    sql(`SELECT run_id, owner, task, started_at_ms, changed_at_ms, status, stop_reason, waiting, bytes, problem
    FROM runs WHERE lines > 0 AND ${conditions[status]} ORDER BY changed_at_ms DESC, run_id LIMIT ?`).all(
      ...[JSON.stringify([...alive.keys()]), JSON.stringify(over)],
      limit,
    );
  return rows.map((row) => runIn(row, status === 'running' ? (alive.get(textIn(row.owner) ?? '') ?? null) : null));
}

function runIn(row: Row, heldBy: string | null): StoredRun {
  const known = {
    runId: unescaped(textIn(row.run_id) ?? ''),
    heldBy,
    bytes: Number(row.bytes),
  };
  const problem = textIn(row.problem);
  if (problem !== null) return unreadableRun(known, problem);
  const beginning = { task: unescaped(textIn(row.task) ?? ''), startedAtMs: numberIn(row.started_at_ms) };
  const rest = {
    status: runStatuses.find((status) => status === row.status) ?? 'interrupted',
    stopReason: stopReasons.filter((reason) => reason !== 'suspended').find((one) => one === row.stop_reason) ?? null,
    waiting: waitingIn(row.waiting),
    changedAtMs: numberIn(row.changed_at_ms),
  };
  return storedRun(beginning, rest, known);
}

function waitingIn(value: unknown): readonly CallRef[] {
  const calls = parsedJson(textIn(value) ?? '');
  return Array.isArray(calls) ? calls : [];
}

const textIn = (value: unknown) => (typeof value === 'string' ? value : null);
const numberIn = (value: unknown) => (typeof value === 'number' ? value : null);
