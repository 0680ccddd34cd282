/** Two processes that go on with one run at the same time: one gets it, and the other is told who has it. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fileStore, sqliteStore } from '../../src/store.ts';
import { type Bundle, bundleOf } from './bundle.ts';
import { effectsIn, runId, scriptedRun, task } from './scripted-run.ts';

async function said(child: ChildProcess): Promise<unknown> {
  const [message] = await once(child, 'message');
  return message;
}

async function resumer(bundle: Bundle, args: readonly string[]): Promise<ChildProcess> {
  const child = fork(bundle.file, args);
  onTestFinished(() => void child.kill('SIGKILL'));
  expect(await said(child)).toBe('ready');
  return child;
}

test.each(['file', 'sqlite'])('%s', { timeout: 60_000 }, async (kind) => {
  const folder = mkdtempSync(join(tmpdir(), 'fuseloop-two-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const effects = join(folder, 'effects.jsonl');
  const path = join(folder, 'runs');
  const store = kind === 'sqlite' ? sqliteStore(path) : fileStore(path);
  const { agent } = scriptedRun({ store, effects, life: { started() {}, done() {} }, onEvent() {} });
  expect(await agent.run(task, { runId })).toMatchObject({ stopReason: 'suspended' });

  const bundle = await bundleOf('./resumer.ts');
  onTestFinished(() => bundle.remove());
  const both = await Promise.all([1, 2].map(() => resumer(bundle, [kind, path, effects])));
  const answers = both.map(async (child) => {
    const answer = said(child);
    child.send('go');
    return answer;
  });
  const words = await Promise.all(answers);
  expect([...words].sort()).toEqual(['held', 'run_held']);
  expect(await store.list()).toMatchObject([{ runId, status: 'running', heldBy: expect.stringContaining('process') }]);

  const winner = both[words.indexOf('held')];
  if (winner === undefined) throw new Error('Nobody has the run.');
  const end = said(winner);
  winner.send('decide');
  expect(await end).toBe('final');
  await once(winner, 'exit');
  const keys = effectsIn(effects).map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).toHaveLength(8);
  expect(await store.list()).toMatchObject([{ runId, status: 'ended', stopReason: 'final', heldBy: null }]);
  await store.close();
});
