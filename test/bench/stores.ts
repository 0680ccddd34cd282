/**
 * `npx tsx test/bench/stores.ts [FOLDER]`: how many records of 2 kB a second are durable in a store of files: one run that
 * waits for each, one that adds without waiting, and 32 runs at once that each wait; then how long a list of 5,000 runs
 * takes. The folder decides what is measured: give one on the disk that is meant. Figures only, no bar.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JournalLine, Store } from '../../src/core/store.ts';
import { fileStore } from '../../src/store.ts';
import { ended, settled, started } from '../stores/lines.ts';

const folder = mkdtempSync(join(process.argv[2] ?? tmpdir(), 'fuseloop-bench-'));
const record = (sequence: number): JournalLine => settled(sequence, null, 'x'.repeat(1_800));
const seconds = async (work: () => Promise<unknown>) => {
  const from = performance.now();
  await work();
  return (performance.now() - from) / 1_000;
};

/** Records of so many runs, each of which adds as `add` does. */
async function rate(runs: number, records: number, isWaiting: boolean): Promise<number> {
  const store = fileStore(join(folder, `${runs}-${isWaiting}`));
  const took = await seconds(() =>
    Promise.all(Array.from({ length: runs }, (_, at) => write(store, `run-${at}`, records, isWaiting))),
  );
  await store.close();
  return (runs * records) / took;
}

async function write(store: Store, runId: string, records: number, isWaiting: boolean): Promise<void> {
  const held = await store.open(runId);
  await held.append([started(runId)]);
  const writes: Promise<void>[] = [];
  for (let sequence = 1; sequence <= records; sequence++) {
    const written = held.append([record(sequence)]);
    if (isWaiting) await written;
    else writes.push(written);
  }
  await Promise.all(writes);
  await held.release();
}

async function listed(runs: number): Promise<number> {
  const store = fileStore(join(folder, 'list'));
  for (let from = 0; from < runs; from += 50)
    await Promise.all(
      Array.from({ length: 50 }, async (_, at) => {
        const runId = `run-${from + at}`;
        const held = await store.open(runId);
        await held.append([started(runId), ...Array.from({ length: 20 }, (__, index) => record(index + 1)), ended(21)]);
        await held.release();
      }),
    );
  return await seconds(() => store.list());
}

try {
  const perSecond = (figure: number) => `${Math.round(figure).toLocaleString('en')} records a second`;
  console.log(`one run that waits for each    ${perSecond(await rate(1, 1_000, true))}`);
  console.log(`one run that does not wait     ${perSecond(await rate(1, 5_000, false))}`);
  console.log(`32 runs that wait for each     ${perSecond(await rate(32, 200, true))}`);
  console.log(`32 runs that do not wait       ${perSecond(await rate(32, 500, false))}`);
  console.log(`a list of 5,000 runs           ${Math.round((await listed(5_000)) * 1_000)} ms`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
