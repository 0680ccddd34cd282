import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'fuseloop-sqlite-'));
process.chdir(folder);

// #region sqlite
import { createAgent } from 'fuseloop';
import { prune, sqliteStore } from 'fuseloop/store';
import { scriptedModel } from 'fuseloop/testing';

const store = sqliteStore('runs.db'); // npm install better-sqlite3@12
const model = scriptedModel(['Thought: I know it.\nFinal Answer: Two days.']);
const agent = createAgent({ model, store });
await agent.run('How long does delivery take?', { runId: 'question-1' });

for (const { runId, status, task } of await store.list({ status: ['ended'], limit: 20 }))
  console.log(runId, status, task);
console.log(await prune(store, { endedBeforeMs: Date.now() - 7 * 86_400_000 })); // older than a week
console.log(await prune(store, { endedBeforeMs: Date.now() + 1_000 }));
await store.close();
// #endregion

process.chdir(tmpdir());
rmSync(folder, { recursive: true });
