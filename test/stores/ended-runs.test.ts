/** A run that has ended and left its store leaves nothing in memory. Counted, not weighed. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bundled } from '../support/bundled.ts';

const program = bundled('test/stores/ended-runs.ts');

async function alive(...words: readonly string[]) {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program, ...words]);
  return JSON.parse(stdout);
}

/** What the last run left on the stack of the engine. */
const last = 2;

test.each(['none', 'memory', 'file'])('ended runs are gone (store: %s)', async (kind) => {
  const left = await alive(kind);
  expect(Object.keys(left.alive).sort()).toEqual(['context', 'outcome', 'run', 'steps']);
  for (const [part, count] of Object.entries(left.alive)) expect(count, part).toBeLessThanOrEqual(last);
});

test('what is held is counted', async () => {
  const { runs, alive: left } = await alive('memory', 'keep');
  expect(left).toEqual({ run: runs, outcome: runs, context: runs, steps: runs });
});
