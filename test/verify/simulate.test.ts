/** The simulator on what ships, and on loops with a planted fault, which it must find, shrink and replay. */
import { expect, test } from 'vitest';
import { createReactMachine } from '../../machines/react.machine.ts';
import { simulate } from '../../src/verify/simulate.ts';

/** Another seed each day, so that the days add up. */
const count = process.env.FUSELOOP_LONG === '1' ? 10_000 : 2_000;
/** Against what hangs: a busy machine takes ten times as long as one that is not. */
const timeout = count * 500;
const seed = Math.floor(Date.now() / 86_400_000);

test(`${count} runs with everything against them (seed ${seed})`, { timeout }, async () => {
  const { failure, endings, crashes, runs } = await simulate({ seed, runs: count });
  expect(failure).toBeNull();
  expect(runs).toBe(count);
  console.log(`Simulated: ${runs} runs, ${crashes} crashes, ${JSON.stringify(endings)}`);
  const ends = [
    'aborted',
    'content_filter',
    'final',
    'loop_detected',
    'max_steps',
    'max_tool_calls',
    'model_error',
    'no_progress',
    'timeout',
    'token_budget',
    'tool_errors_exhausted',
    'violations_exhausted',
  ];
  expect(Object.keys(endings).filter((end) => !ends.includes(end))).toEqual([]);
  // A simulator that meets only some ends has not looked at the others; the rarest comes about twice in 1,000 runs.
  expect(Object.keys(endings).length).toBeGreaterThanOrEqual(runs < 4_000 ? ends.length - 3 : ends.length);
  expect(crashes).toBeGreaterThan(runs / 10);
});

const machine = createReactMachine();

test.each([
  [
    'steps are never spent',
    machine.provide({ guards: { stepsSpent: () => false } }),
    /it stays within its budget|when a budget is spent/,
  ],
  ['no budget for tools', machine.provide({ guards: { nothingMayStart: () => false } }), /a budget is spent/],
  [
    'what is in flight is forgotten',
    machine.provide({ actions: { abandonCalls: () => {} } }),
    /is not told|in flight|are told as/,
  ],
  ['an answer is never enough', machine.provide({ guards: { answered: () => false } }), /an answer ends the run/],
])('a planted fault is found: %s', async (_, planted, broken) => {
  const { ok, failure, seed: drawn } = await simulate({ seed: 7, runs: 2_000, machine: planted });
  expect(ok).toBe(false);
  expect(failure?.message).toMatch(broken);
  expect(failure?.replay).toBe(`fuseloop fuzz --target run --seed 7 --path ${failure?.path}`);
  const again = await simulate({ seed: drawn, path: failure?.path ?? '', machine: planted });
  expect(again.failure?.message).toBe(failure?.message);
  expect(again.failure?.example).toBe(failure?.example);
});
