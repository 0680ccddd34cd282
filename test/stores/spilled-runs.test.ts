/** Whole runs of an agent over contents that are kept apart. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createAgent, tool } from '../../src/index.ts';
import { blobFiles, fileStore, spilled, sqliteStore } from '../../src/store.ts';
import { scriptedModel } from '../../src/testing.ts';

const secret = 'hunter2';
const logIn = tool({
  description: 'Logs in.',
  inputSchema: { type: 'object', properties: { password: { type: 'string' } } },
  sideEffect: true,
  execute: () => `logged in with ${secret}`,
});
const script = [
  `Thought: I use ${secret}.\nAction: log_in\nAction Input: {"password":"${secret}"}`,
  'Thought: Done.\nFinal Answer: I am in.',
];

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'fuseloop-secret-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

const textsIn = async (path: string) => {
  const files = await readdir(path, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1'));
  return (await Promise.all(texts)).join('\n');
};

test.each([
  ['fileStore', (path: string) => fileStore(path)],
  ['sqliteStore', (path: string) => sqliteStore(join(path, 'runs.db'))],
])('a run that waits for a person goes on from %s, and no secret is in the journal', async (_, make) => {
  const [runs, contents] = [await folder(), await folder()];
  const agentOver = (store: ReturnType<typeof make>, replies: readonly string[]) =>
    createAgent({ model: scriptedModel([...replies]), tools: { log_in: logIn }, store });
  const open = () => spilled(make(runs), blobFiles(contents), { overBytes: 0 });

  const first = open();
  const left = await agentOver(first, script).run(`Log in with ${secret}.`, { runId: 'run' });
  expect(left.stopReason).toBe('suspended');
  await first.close();
  expect(await textsIn(runs)).not.toContain(secret);
  expect(await textsIn(contents)).toContain(secret);

  const plain = make(runs);
  const refused = { code: 'invalid_journal', message: expect.stringContaining('spilled') };
  await expect(agentOver(plain, script.slice(1)).resume('run')).rejects.toMatchObject(refused);
  await plain.close();

  const second = open();
  onTestFinished(() => second.close());
  const run = await agentOver(second, script.slice(1)).resume('run');
  run.approve('1.1');
  expect(await run.outcome).toMatchObject({ ok: true, answer: 'I am in.' });
  expect((await second.list())[0]).toMatchObject({ status: 'ended', stopReason: 'final' });
  await second.close();
  expect(await textsIn(runs)).not.toContain(secret);
});
