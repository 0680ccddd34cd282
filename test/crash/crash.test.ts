/** A sample of the matrix, and bugs that it must find. `npm run test:crash` tries every point. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bundle, bundleOf } from './bundle.ts';
import { problemsOf } from './judge.ts';
import type { Kill } from './kill.ts';
import { type Played, play, type Trial } from './play.ts';
import { pointsOf } from './trials.ts';

let bundle: Bundle;
let whole: Played;
beforeAll(async () => {
  bundle = await bundleOf('./child.ts');
  whole = await play({ kind: 'file', kills: [] }, bundle.file);
});
afterAll(() => bundle.remove());

const problems = async (trial: Trial) => problemsOf(await play(trial, bundle.file), whole);

test('the run that nobody kills is what it should be', () => {
  expect(problemsOf(whole, whole)).toEqual([]);
  expect(whole.report).toMatchObject({ suspended: 1, outcome: { ok: true, unknown: [], usage: { steps: 12 } } });
  expect(pointsOf(whole).length).toBeGreaterThan(200);
});

const sample: readonly (readonly [Trial['kind'], readonly Kill[]])[] = [
  ['file', [{ at: 'before', line: 0 }]],
  ['file', [{ at: 'durable', line: 12 }]],
  ['file', [{ at: 'done', call: 3 }]],
  [
    'file',
    [
      { at: 'given', line: 30 },
      { at: 'before', line: 0 },
    ],
  ],
  ['file', [{ at: 'durable', line: 68 }]],
  ['sqlite', [{ at: 'durable', line: 69 }]],
  ['sqlite', [{ at: 'started', call: 4 }]],
  [
    'sqlite',
    [
      { at: 'done', call: 5 },
      { at: 'durable', line: 2 },
    ],
  ],
];
test.each(sample)('killed, it goes on: %s %j', { timeout: 60_000 }, async (kind, kills) => {
  const played = await play({ kind, kills }, bundle.file);
  expect(played.killed).toBe(kills.length);
  expect(problemsOf(played, whole)).toEqual([]);
});

const planted: readonly (readonly [string, Trial, string])[] = [
  [
    'a store that says too early that lines are durable',
    { kind: 'file', plant: 'lies', kills: [{ at: 'done', call: 4 }] },
    'pay {"is":"first"} was done twice, with one key',
  ],
  [
    'a store that loses what was durable',
    { kind: 'file', plant: 'forgets', kills: [{ at: 'done', call: 3 }] },
    'note {"is":"begun"} was done twice, with one key',
  ],
];
test.each(planted)('%s is found', { timeout: 60_000 }, async (_, trial, problem) => {
  expect(await problems(trial)).toContain(problem);
});
