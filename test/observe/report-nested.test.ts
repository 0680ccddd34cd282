/** What a report says of agents that ran as tools: worked out by hand, at two depths. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Metrics } from '../../src/observe/report/metrics.ts';
import { reportPage } from '../../src/observe/report/page.ts';
import { calling, metricsOfTraces, promptUnits, saying, traceOfFamily } from './report-share-runs.ts';

/**
 * | step | the run | `ask` in it | `expert` in that |
 * | --- | --- | --- | --- |
 * | 1 | look, 100 ms | look, 100 ms | look, 100 ms |
 * | 2 | ask, 500 ms | look again, 100 ms | a tool that does not exist |
 * | 3 | answers | nothing: a violation | look again, 100 ms |
 * | 4 | | expert, 200 ms | answers |
 * | 5 | | answers | |
 *
 * Of 10 input tokens and 1 output token a step: 12 steps, 132 tokens. `ask` takes 100 + 100 + 200 = 400 ms.
 */
const of = [10, 1];
const look = calling(['look'], of);
const family = {
  run: [look, calling(['ask'], of), saying('Done.', of)],
  ask: [look, look, saying('', of), calling(['expert'], of), saying('Asked.', of)],
  expert: [look, calling(['nope'], of), look, saying('Known.', of)],
};

let metrics: Metrics;
let nestedPrompts = 0;
beforeAll(async () => {
  const trace = await traceOfFamily(family);
  metrics = metricsOfTraces([trace]);
  nestedPrompts = metrics.prompt.tokens - promptUnits(trace).reduce((sum, units) => sum + units / 4, 0);
});

describe('are counted with those of agents', () => {
  it('calls, and how long they took', () => {
    expect(metrics.tools).toMatchObject([
      { tool: 'look', calls: 5, nestedCalls: 4, errors: 0, latencyMs: { count: 5, total: 500 } },
      { tool: 'ask', calls: 1, nestedCalls: 0, latencyMs: { total: 400 } },
      { tool: 'expert', calls: 1, nestedCalls: 1, latencyMs: { total: 200 } },
    ]);
    expect(metrics.unknownToolCalls).toBe(1);
  });

  it('calls that were made again, each in its own run', () => {
    expect(metrics.repeatedCalls).toBe(2);
  });

  it('steps, and what went wrong in them, by their number in their own run', () => {
    expect(metrics.violations).toEqual({
      total: 1,
      byCode: [{ code: 'empty', count: 1 }],
      byStep: [
        { step: 1, steps: 3, violations: 0 },
        { step: 2, steps: 3, violations: 0 },
        { step: 3, steps: 3, violations: 1 },
        { step: 4, steps: 2, violations: 0 },
        { step: 5, steps: 1, violations: 0 },
      ],
    });
    expect(metrics.callsByStep).toEqual([
      { step: 1, calls: 3, errors: 0 },
      { step: 2, calls: 2, errors: 0 },
      { step: 3, calls: 1, errors: 0 },
      { step: 4, calls: 1, errors: 0 },
    ]);
  });

  it('requests to the model, and what of them had been sent before', () => {
    expect(metrics.modelCalls).toBe(12);
    expect(metrics.aRun.steps?.total).toBe(12);
    expect(metrics.aRun.tokens?.total).toBe(132);
    expect(nestedPrompts).toBeGreaterThan(0);
    expect(metrics.prompt.reusedTokens).toBeLessThan(metrics.prompt.tokens);
  });
});

describe('are of the runs alone that were asked for', () => {
  it('how many there were, and how they ended', () => {
    expect(metrics).toMatchObject({ runs: { total: 1, answered: 1 }, nestedRuns: 2 });
    expect(metrics.successRate).toBe(1);
    expect(metrics.endings).toEqual([{ stopReason: 'final', runs: 1 }]);
    expect(metrics.failures).toEqual([]);
    expect(metrics.aRun.runningMs?.total).toBe(500);
  });

  it('shares: what an agent did is its tool’s', () => {
    const [looks, asks, experts] = metrics.tools;
    // Of `look` and `ask` 100 and 400 ms, and 4 and 6 characters.
    expect(looks).toMatchObject({ timeShare: 0.2, textShare: 0.4 });
    expect(asks).toMatchObject({ timeShare: 0.8, textShare: 0.6 });
    expect(experts).toMatchObject({ timeShare: null, textShare: null, costShare: null });
    // 99 tokens of nine steps, and its observation in the last prompt of the run.
    expect(asks?.costShare).toBeGreaterThan(99 / 132);
    expect(asks?.costShare).toBeLessThan(100 / 132);
  });
});

it('is told', () => {
  const page = reportPage(metrics);
  expect(page).toContain('Tools, faults and requests are with those of 2 runs of agents as tools: 5 calls.');
  expect(page).toContain('<th scope="row">expert</th><td>–</td><td>–</td>');
});

it('an agent that fails is a call that failed, and no run that did', async () => {
  const empty = saying('', of);
  const failed = metricsOfTraces([
    await traceOfFamily({ run: [calling(['ask'], of), saying('Done.', of)], ask: [empty, empty, empty] }),
  ]);
  expect(failed).toMatchObject({
    runs: { total: 1, answered: 1, failed: 0 },
    successRate: 1,
    failures: [],
    violations: { total: 3 },
    tools: [{ tool: 'ask', calls: 1, errors: 1, nestedCalls: 0 }],
  });
});
