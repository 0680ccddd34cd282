/** `sqliteStore`: the contract of all stores, and what is true of a database alone. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { Store } from '../../src/core/store.ts';
import { sqliteStore } from '../../src/store.ts';
import { ended, runOf, settled, started } from './lines.ts';
import { storeContract } from './store-contract.ts';

storeContract('sqliteStore', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fuseloop-sqlite-'));
  const path = join(folder, '运行', 'runs.db');
  return {
    store: sqliteStore(path),
    other: () => sqliteStore(path),
    elsewhere: { kind: 'sqlite', path },
    rewrite: async (_, change) => {
      const database = new Database(path);
      const texts = database.prepare('SELECT line FROM lines ORDER BY number').pluck().all().map(String);
      database.exec('DELETE FROM lines');
      change(texts).forEach((text, index) => {
        database.prepare('INSERT INTO lines (run, number, line) SELECT id, ?, ? FROM runs').run(index + 1, text);
      });
      database.close();
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
});

async function file(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fuseloop-sqlite-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'runs.db');
}

async function stored(store: Store, runId: string): Promise<void> {
  const held = await store.open(runId);
  await held.append([started(runId), ended(1)]);
  await held.release();
}

const withDatabase = (path: string, change: (database: Database.Database) => void) => {
  const database = new Database(path);
  change(database);
  database.close();
};

type Damage = (path: string) => Promise<void> | void;
const unusable: readonly (readonly [string, Damage, string, RegExp])[] = [
  ['is no database', (path) => writeFile(path, 'some text\n'.repeat(1_000)), 'invalid_journal', /no database/],
  [
    'is of another program',
    (path) => withDatabase(path, (database) => database.exec('CREATE TABLE runs (a)')),
    'invalid_journal',
    /another program/,
  ],
  [
    'is of a later version',
    async (path) => {
      await sqliteStoreWith(path);
      withDatabase(path, (database) => database.pragma('user_version = 2'));
    },
    'invalid_journal',
    /version 2/,
  ],
  [
    'is damaged',
    async (path) => {
      await sqliteStoreWith(path);
      const bytes = await readFile(path);
      await writeFile(path, bytes.fill(0x5a, 100));
    },
    'invalid_journal',
    /is damaged/,
  ],
  ['is a folder', async (path) => void (await mkdir(path)), 'store_failed', /runs\.db/],
  [
    'is in a file',
    async (path) => {
      await rm(dirname(path), { recursive: true });
      await writeFile(dirname(path), '');
    },
    'store_failed',
    /runs\.db/,
  ],
];

async function sqliteStoreWith(path: string): Promise<void> {
  const store = sqliteStore(path);
  await stored(store, 'run');
  await store.close();
}

test.each(unusable)('a file that %s is refused by every method, and left as it is', async (_, damage, code, words) => {
  const path = await file();
  await damage(path);
  const bytes = await readFile(path).catch(() => null);
  const store = sqliteStore(path);
  for (const attempt of [store.open('run'), store.read('run'), store.list(), store.delete('run')])
    await expect(attempt).rejects.toMatchObject({
      ...{ name: 'AgentError', code, message: expect.stringMatching(words), hint: expect.stringMatching(/\w+ \w+/) },
    });
  await store.close();
  expect(await readFile(path).catch(() => null)).toEqual(bytes);
});

test('a database that somebody locks is waited for, and then given up', async () => {
  const path = await file();
  const store = sqliteStore(path, { busyMs: 20 });
  onTestFinished(() => store.close());
  await stored(store, 'run');
  const held = await store.open('run');
  const other = new Database(path);
  other.exec('BEGIN IMMEDIATE');
  await expect(store.open('another')).rejects.toMatchObject({
    code: 'store_failed',
    message: expect.stringContaining('locked'),
  });
  expect(await store.read('run')).toHaveLength(2);
  const patient = sqliteStore(path);
  const waits = patient.open('another');
  setImmediate(() => other.exec('COMMIT'));
  expect((await waits).lines).toEqual([]);
  await patient.close();
  await held.append([settled(2)]);
  other.close();
});

test('a hold that somebody took over writes nothing more', async () => {
  const path = await file();
  const store = sqliteStore(path);
  const held = await store.open('run');
  await held.append([started('run')]);
  withDatabase(path, (database) => database.exec('UPDATE runs SET owner = NULL, hold = NULL'));
  const other = sqliteStore(path);
  const taken = await other.open('run');
  const refused = { code: 'run_held', message: expect.stringContaining('no longer held here') };
  await expect(held.append([settled(1)])).rejects.toMatchObject(refused);
  await expect(held.replace([started('run')])).rejects.toMatchObject(refused);
  await held.release();
  await taken.append([settled(1, 1)]);
  await store.close();
  expect(await other.list()).toMatchObject([{ status: 'running' }]);
  expect(await other.read('run')).toEqual(runOf('run', 2));
  await other.close();
});

test('what is appended in one turn is one transaction', async () => {
  const path = await file();
  const store = sqliteStore(path);
  const holds = await Promise.all(['a', 'b', 'c', 'd'].map((runId) => store.open(runId)));
  const wal = () => stat(`${path}-wal`).then(({ size }) => size);
  const before = await wal();
  await Promise.all(holds.map((held, index) => held.append([started('abcd'.charAt(index))])));
  const together = (await wal()) - before;
  const alone = await wal();
  for (const held of holds) await held.append([settled(1)]);
  // Each transaction writes the pages that it changed anew, and the pages are the same.
  expect((await wal()) - alone).toBeGreaterThan(together);
  await store.close();
});

test('a process that may not write as much as it wants to is told so, and what was stored stays', async () => {
  const path = await file();
  await sqliteStoreWith(path);
  const program = `
    process.on('SIGXFSZ', () => {});
    const { sqliteStore } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, '../../src/store.ts')).href)});
    const held = await sqliteStore(${JSON.stringify(path)}).open('run');
    const line = { ...held.lines[1], type: 'loop.warned', step: 1, atMs: 1, sequence: 2, note: 'x'.repeat(3e6) };
    const failed = await held.append([line]).catch(({ code, message, hint }) => ({ code, message, hint }));
    const behind = await held.append([line]).catch(({ code }) => code);
    console.log(JSON.stringify({ failed, behind }));
    process.exit();`;
  const shell = `ulimit -f 2000; exec "$0" --import tsx --input-type=module --eval "$1"`;
  const { stdout } = await promisify(execFile)('bash', ['-c', shell, process.execPath, program]);
  expect(JSON.parse(stdout)).toMatchObject({ failed: { code: 'store_failed' }, behind: 'store_failed' });
  const store = sqliteStore(path);
  expect((await store.open('run')).lines).toEqual([started('run'), ended(1)]);
  await store.close();
});

test.each(['', ':memory:', 'a\0b', null, new URL('https://example.com/runs.db')])('%j is no file', (given) => {
  expect(() => Reflect.apply(sqliteStore, undefined, [given])).toThrow(
    expect.objectContaining({ code: 'invalid_option' }),
  );
});

test('a URL is a file, for its owner alone', async () => {
  const path = await file();
  await stored(sqliteStore(pathToFileURL(path)), 'run');
  const store = sqliteStore(path);
  expect(await store.list()).toHaveLength(1);
  expect((await stat(path)).mode & 0o077).toBe(0);
  await store.close();
});

test.each([-1, 0.5, Number.NaN])('busyMs %j is refused', (busyMs) => {
  expect(() => sqliteStore('runs.db', { busyMs })).toThrow(/busyMs/);
});

test('a list of many runs is answered by an index', async () => {
  const path = await file();
  await sqliteStoreWith(path);
  withDatabase(path, (database) => {
    const plan = (sql: string) => JSON.stringify(database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all());
    const ordered = 'ORDER BY changed_at_ms DESC, run_id LIMIT 5';
    const rest = plan(`SELECT run_id FROM runs WHERE lines > 0 AND status = 'ended' AND problem IS NULL ${ordered}`);
    expect(rest).toContain('runs_by_status');
    expect(rest).not.toContain('TEMP B-TREE');
    expect(plan('SELECT DISTINCT owner FROM runs WHERE owner IS NOT NULL')).toContain('runs_held');
  });
});
