/** The tables of `sqliteStore`. Pure. */

export const schemaVersion = 1;

/** `fuse` in ASCII: which program the file belongs to. */
const applicationId = 0x66757365;

export function isOurs(id: unknown): boolean {
  return id === applicationId;
}

/**
 * `owner` is the process that holds the run, and `hold` that one hold of it; a write counts only while `hold` is the
 * writer's. `status` and what follows it are of the run at rest, so that a list reads no lines; times are milliseconds
 * since 1970. `run_id` is written as in JSON, without the quotes.
 */
export const schemaSql = `
CREATE TABLE runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id TEXT NOT NULL UNIQUE,
  epoch INTEGER NOT NULL,
  owner TEXT,
  hold TEXT,
  status TEXT,
  stop_reason TEXT,
  waiting TEXT NOT NULL DEFAULT '[]',
  task TEXT NOT NULL DEFAULT '',
  started_at_ms REAL,
  changed_at_ms REAL,
  lines INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  problem TEXT
) STRICT;
CREATE TABLE lines (
  run INTEGER NOT NULL REFERENCES runs (id),
  number INTEGER NOT NULL,
  line TEXT NOT NULL,
  PRIMARY KEY (run, number)
) STRICT;
CREATE INDEX runs_by_status ON runs (status, changed_at_ms DESC, run_id) WHERE problem IS NULL;
CREATE INDEX runs_unreadable ON runs (changed_at_ms DESC, run_id) WHERE problem IS NOT NULL;
CREATE INDEX runs_held ON runs (owner) WHERE owner IS NOT NULL;
PRAGMA application_id = ${applicationId};
PRAGMA user_version = ${schemaVersion};
`;
