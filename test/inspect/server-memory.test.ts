/** The inspector keeps to `mostBytes`, measured: in a process of its own, after a collection, as a ratio. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { bundled } from '../support/bundled.ts';
import { smallPage } from './opened.ts';

const program = bundled('test/inspect/held-memory.ts');

async function measured(kind: string, count: number) {
  const words = ['--expose-gc', program, smallPage, kind, String(count)];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  const { canMeasure, ...ratios } = JSON.parse(stdout);
  expect(canMeasure).toBe(true);
  return ratios;
}

it.each([
  { kind: 'rows', runs: 80, what: 'results that are lists' },
  { kind: 'texts', runs: 160, what: 'long texts' },
  { kind: 'steps', runs: 60, what: 'many small events' },
])('holds no more than it says of many runs: $what', { timeout: 240_000 }, async ({ kind, runs }) => {
  const { ratio } = await measured(kind, runs);
  // More than one, since memory is counted as an estimate; and what is held is near what may be.
  expect(ratio).toBeLessThan(1.5);
  expect(ratio).toBeGreaterThan(0.3);
});

it('holds no more of a few huge events, told in one turn of a run that lets nothing else run', async () => {
  const { ratio, told } = await measured('huge', 40);
  expect(told).toBeGreaterThan(10);
  expect(ratio).toBeLessThan(1.5);
});
