/**
 * `node --expose-gc --import tsx test/stores/ended-runs.ts <none|memory|file> [keep]`: stored runs that came to their ends, and
 * how many of their parts are still in memory when nobody holds them. Prints one line of JSON. `keep` holds them on purpose.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgent, tool } from '../../src/index.ts';
import { fileStore, memoryStore } from '../../src/store.ts';
import { scriptedModel } from '../../src/testing.ts';

const runs = 200;
const [kind = 'none', keep] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'fuseloop-ended-'));
const store = kind === 'none' ? null : kind === 'file' ? fileStore(folder) : memoryStore();
const kept: object[] = [];
const alive = new Map<string, number>();
const gone = new FinalizationRegistry<string>((part) => alive.set(part, (alive.get(part) ?? 0) - 1));

function follow(part: string, value: object): void {
  alive.set(part, 1 + (alive.get(part) ?? 0));
  gone.register(value, part);
  if (keep === 'keep') kept.push(value);
}

const save = tool({
  description: 'Saves.',
  inputSchema: { type: 'object', properties: {} },
  execute: (_, { context }) => (context === undefined ? 'lost' : 'saved'),
});

async function oneRun(at: number): Promise<void> {
  const model = scriptedModel([
    'Thought: Save it.\nAction: save\nAction Input: {}',
    'Thought: Done.\nFinal Answer: saved',
  ]);
  const context = { at };
  const agent = createAgent({ model, tools: { save }, ...(store === null ? {} : { store }) });
  const run = agent.start('Save it.', { runId: `run-${at}`, context });
  const outcome = await run.outcome;
  if (!outcome.ok) throw new Error(`Run ${at} ended with ${outcome.stopReason}.`);
  const parts = { run, outcome, context, steps: outcome.steps };
  for (const [part, value] of Object.entries(parts)) follow(part, value);
  await store?.delete(run.runId);
}

for (let at = 0; at < runs; at++) await oneRun(at);
for (let turn = 0; turn < 20; turn++) {
  globalThis.gc?.();
  await new Promise((resolve) => setImmediate(resolve));
}
console.log(JSON.stringify({ runs, alive: Object.fromEntries(alive), kept: kept.length }));
rmSync(folder, { recursive: true, force: true });
