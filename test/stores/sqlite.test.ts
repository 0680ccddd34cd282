/** `sqliteStore`: the contract of all stores, and what is true of a database alone. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { sqliteStore } from '../../src/store.ts';
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
