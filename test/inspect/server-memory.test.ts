/** The inspector keeps to `mostBytes`, measured: in a process of its own, after a collection, as a ratio. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { smallPage } from './opened.ts';

const program = fileURLToPath(new URL('held-memory.ts', import.meta.url));

it.each([
  { kind: 'rows', runs: 80, what: 'results that are lists' },
  { kind: 'texts', runs: 160, what: 'long texts' },
  { kind: 'steps', runs: 60, what: 'many small events' },
])('holds no more than it says of many runs: $what', { timeout: 240_000 }, async ({ kind, runs }) => {
  const words = ['--expose-gc', '--import', 'tsx', program, smallPage, kind, String(runs)];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  const { ratio, canMeasure } = JSON.parse(stdout);
  expect(canMeasure).toBe(true);
  // More than one, since memory is counted as an estimate; and what is held is near what may be.
  expect(ratio).toBeLessThan(1.5);
  expect(ratio).toBeGreaterThan(0.3);
});
