/** Whole runs on real stores: on a disk that gets full, and what is left of runs that have ended. */
import { appendFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { createAgent } from '../../src/agent.ts';
import type { HeldRun, Store } from '../../src/core/store.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { fileStore, memoryStore, sqliteStore } from '../../src/store.ts';
import { mounted, newFolder } from '../stores/file-folder.ts';
import { act, answer, returns } from './setup.ts';

const storeIn: { readonly [kind: string]: (folder: string) => Store } = {
  file: (folder) => fileStore(join(folder, 'runs')),
  sqlite: (folder) => sqliteStore(join(folder, 'runs.db')),
};

/** Eight steps of an effect each, told by the conversation. */
function agentOn(store: Store, done: string[]) {
  const steps = Array.from({ length: 8 }, (_, n) => act('send', { n }));
  return createAgent({
    model: scriptedModel(
      Array.from({ length: 40 }, () => ({ messages }) => {
        const before = messages.filter(({ role }) => role === 'assistant').length;
        return steps[before] ?? answer('ok');
      }),
    ),
    tools: {
      send: returns('sent', {
        sideEffect: true,
        needsApproval: false,
        execute: (_input, { idempotencyKey }) => {
          done.push(idempotencyKey);
          return 'sent '.repeat(200);
        },
      }),
    },
    store,
  });
}

function fill(file: string): void {
  for (const size of [4_096, 512, 1])
    try {
      for (;;) appendFileSync(file, Buffer.alloc(size));
    } catch {
      // It is full.
    }
}

test.each(Object.keys(storeIn))('%s: a disk that gets full in a run', async (kind) => {
  const disk = mounted('size=2m');
  if (disk === null) return console.log('left out: no file system can be mounted here');
  const filling = join(disk.folder, 'filling');
  const store = storeIn[kind]?.(disk.folder) ?? memoryStore();
  onTestFinished(() => store.close().catch(() => {}));
  const done: string[] = [];
  const push = done.push.bind(done);
  done.push = (...keys) => {
    // In the middle of the run, before the third effect is told.
    if (done.length === 2) fill(filling);
    return push(...keys);
  };
  const full = await agentOn(store, done).run('the task', { runId: 'run' });
  expect(full).toMatchObject({ ok: false, stopReason: 'store_error', error: { code: 'store_failed' } });
  expect(full.ok ? null : full.error?.hint).toContain('room');
  expect(done.length).toBeLessThan(8);

  rmSync(filling);
  const outcome = await (await agentOn(store, done).resume('run')).outcome;
  expect(outcome).toMatchObject({ ok: true, answer: 'ok' });
  expect(new Set(done).size).toBe(done.length);
  const told = outcome.steps.flatMap(({ calls }) => calls).map(({ status }) => status);
  expect(told).toHaveLength(8);
  expect(told.filter((status) => status === 'succeeded').length + outcome.unknown.length).toBe(8);
  expect(done.length).toBeGreaterThanOrEqual(8 - outcome.unknown.length);
});

/** All that this process has open, by kind; files where the system tells. */
function openHere(): readonly string[] {
  const files = process.platform === 'linux' ? readdirSync('/proc/self/fd').map(() => 'file') : [];
  return [...files, ...process.getActiveResourcesInfo().filter((name) => name !== 'Immediate')];
}

/** What is there more often than before. */
function addedTo(before: readonly string[], now: readonly string[]): readonly string[] {
  const left = [...before];
  return now.filter((name) => {
    const place = left.indexOf(name);
    if (place !== -1) left.splice(place, 1);
    return place === -1;
  });
}

function collect(): void {
  setFlagsFromString('--expose_gc');
  const gc: unknown = runInNewContext('gc');
  if (typeof gc !== 'function') throw new Error('There is no gc.');
  gc();
}

test.each(Object.keys(storeIn))('%s: a run that has ended leaves nothing', async (kind) => {
  const disk = storeIn[kind]?.(newFolder()) ?? memoryStore();
  onTestFinished(() => disk.close());
  const holds: WeakRef<HeldRun>[] = [];
  const store: Store = {
    ...disk,
    async open(runId) {
      const held = await disk.open(runId);
      holds.push(new WeakRef(held));
      return held;
    },
  };
  const once = async (runId: string) => {
    const outcome = await agentOn(store, []).run('the task', { runId });
    expect(outcome).toMatchObject({ ok: true });
    expect(outcome).not.toHaveProperty('storeError');
  };
  await once('first');
  const before = openHere();
  for (let n = 0; n < 10; n++) await once(`run ${n}`);
  // The test runner's own timers come and go: what was open before may be closed, and nothing may have come.
  const added = () => addedTo(before, openHere());
  for (let turn = 0; turn < 500 && added().length > 0; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(added()).toEqual([]);
  const alive = () => holds.filter((hold) => hold.deref() !== undefined).length;
  for (let turn = 0; turn < 10 && alive() > 0; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  expect(alive()).toBe(0);
});
