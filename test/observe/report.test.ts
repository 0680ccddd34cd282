/** Metrics of a small table of runs, worked out by hand (`report-runs.ts`), and what holds for any number of runs. */
import { fc, test } from '@fast-check/vitest';
import { beforeAll, describe, expect, it } from 'vitest';
import { reportPage } from '../../src/observe/report/page.ts';
import { createSpread } from '../../src/observe/report/spread.ts';
import { createMetrics, type Metrics, metricsOf, type RunView, runViews } from '../../src/observe.ts';
import { traceOf, traces } from './report-runs.ts';

let views: readonly RunView[] = [];
let metrics: Metrics;
beforeAll(async () => {
  views = [...(await traces()).values()].flatMap((trace) => runViews(trace));
  metrics = metricsOf(views);
});

describe('metrics of five runs', () => {
  it('how they ended', () => {
    expect(metrics.runs).toEqual({ total: 5, answered: 2, failed: 3, suspended: 0, unfinished: 0, incomplete: 0 });
    expect(metrics.successRate).toBe(0.4);
    expect(metrics.endings).toEqual([
      { stopReason: 'final', runs: 2 },
      { stopReason: 'tool_errors_exhausted', runs: 2 },
      { stopReason: 'violations_exhausted', runs: 1 },
    ]);
  });

  it('what a run took', () => {
    const { steps, tokens, inputTokens, outputTokens, runningMs, wallMs } = metrics.aRun;
    expect(steps).toEqual({ count: 5, total: 14, mean: 2.8, p50: 3, p95: 3, max: 3 });
    expect(tokens).toEqual({ count: 5, total: 186, mean: 37.2, p50: 36, p95: 48, max: 48 });
    expect(inputTokens).toMatchObject({ total: 30 + 40 + 30 + 30 + 30, max: 40 });
    expect(outputTokens).toMatchObject({ total: 6 + 8 + 6 + 6 + 0, max: 8 });
    expect(runningMs).toEqual({ count: 5, total: 500, mean: 100, p50: 0, p95: 400, max: 400 });
    expect(wallMs).toEqual(runningMs);
    expect(metrics.estimatedShare).toBe(0);
    expect(metrics.modelCalls).toBe(14);
  });

  it('of each tool', () => {
    const [opens, looks] = metrics.tools;
    expect(opens).toMatchObject({
      tool: '打开',
      calls: 6,
      errors: 6,
      timeouts: 0,
      unknown: 0,
      refused: 0,
      timeShare: 0,
    });
    expect(looks).toMatchObject({ tool: 'look', calls: 3, errors: 0, timeShare: 1 });
    expect(looks?.latencyMs).toMatchObject({ count: 3, total: 500, p50: 200, p95: 200, max: 200 });
    expect((opens?.textShare ?? 0) + (looks?.textShare ?? 0)).toBeCloseTo(1);
    expect(metrics.repeatedCalls).toBe(1);
  });

  it('by step', () => {
    expect(metrics.violations).toEqual({
      total: 3,
      byCode: [{ code: 'empty', count: 3 }],
      byStep: [
        { step: 1, steps: 5, violations: 1 },
        { step: 2, steps: 5, violations: 1 },
        { step: 3, steps: 4, violations: 1 },
      ],
    });
    expect(metrics.callsByStep).toEqual([
      { step: 1, calls: 4, errors: 2 },
      { step: 2, calls: 3, errors: 2 },
      { step: 3, calls: 2, errors: 2 },
    ]);
  });

  it('what was sent before: all prompts but the last of each run', () => {
    const sent = views.map(({ steps }) => steps.flatMap(({ tries }) => tries.map(({ promptTokens }) => promptTokens)));
    const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);
    expect(metrics.prompt).toEqual({
      tokens: sum(sent.flat()),
      reusedTokens: sum(sent.flatMap((prompts) => prompts.slice(0, -1))),
      cachedTokens: 10,
      cacheReportedTokens: 40,
    });
  });

  it('what they cost', () => {
    expect(metrics.cost).toBeNull();
    const { cost } = metricsOf(views, { prices: { small: { inputPerMillion: 1, outputPerMillion: 10 } } });
    // a: 30 + 60 = 90, b: 40 + 80 = 120, c and d: 30 + 60 = 90, e: 30
    expect(cost?.total).toBeCloseTo(420e-6, 12);
    expect(cost?.aRun).toMatchObject({ count: 5, p50: expect.closeTo(90e-6, 12), max: expect.closeTo(120e-6, 12) });
    const cached = { inputPerMillion: 1, outputPerMillion: 0, cachedPerMillion: 0.5 };
    // In a and in b, 5 of the input tokens were read from a cache.
    expect(metricsOf(views, { prices: { 'scripted/small': cached } }).cost?.total).toBeCloseTo(155e-6, 12);
    expect(metricsOf(views, { prices: { other: cached } }).cost).toEqual({
      ...{ total: 0, aRun: null, unpriced: ['small'], unpricedRuns: 5 },
    });
  });

  it('what failures have in common, with one example', () => {
    expect(metrics.failures).toMatchObject([
      {
        ...{ stopReason: 'tool_errors_exhausted', runs: 2, what: '打开: cannot open "…" at line N' },
        example: { runId: 'c', step: 3, message: expect.stringContaining('cannot open "a3"') },
      },
      { stopReason: 'violations_exhausted', runs: 1, what: 'empty', example: { runId: 'e', step: 3 } },
    ]);
  });

  it('of a call without a result in time, of a tool that does not exist, and of a run without an end', async () => {
    const calls = [{ tool: 'slow' }, { tool: 'nope' }];
    const trace = await traceOf('f', [{ calls }, 'Done.']);
    const late = metricsOf(runViews(trace));
    expect(late.tools).toMatchObject([{ tool: 'slow', calls: 1, errors: 0, timeouts: 1, latencyMs: { max: 50 } }]);
    expect(late.unknownToolCalls).toBe(1);
    expect(metricsOf(runViews(trace.slice(0, -2))).runs).toMatchObject({ unfinished: 1, answered: 0 });
    expect(metricsOf(runViews(trace.slice(4))).runs).toMatchObject({ incomplete: 1 });
  });
});

it('no runs have no numbers', () => {
  const none = metricsOf([]);
  expect(none).toMatchObject({ successRate: null, fromWallMs: null, estimatedShare: null, aRun: { steps: null } });
  expect(reportPage(none)).toContain('no run has ended');
});

it('runs one by one are the same as all at once', () => {
  const measuring = createMetrics();
  for (const view of views) measuring.add(view);
  expect(measuring.metrics()).toEqual(metrics);
});

describe('a spread', () => {
  const rankOf = (values: readonly number[], share: number) =>
    values.toSorted((one, other) => one - other)[Math.ceil(share * values.length) - 1] ?? 0;
  const spreadOf = (values: readonly number[]) => {
    const spread = createSpread();
    for (const value of values) spread.add(value);
    return spread.spread();
  };

  it('of 1 to 20 is by nearest rank', () => {
    const values = Array.from({ length: 20 }, (_, at) => at + 1);
    expect(spreadOf(values)).toEqual({ count: 20, total: 210, mean: 10.5, p50: 10, p95: 19, max: 20 });
  });

  it('of more equal values than are kept is that value', () => {
    const values = Array.from({ length: 1_001 }, () => 1_376);
    expect(spreadOf(values)).toMatchObject({ mean: 1_376, p50: 1_376, p95: 1_376, max: 1_376 });
  });

  it('leaves out what is no number', () => {
    expect(spreadOf([Number.NaN, Number.POSITIVE_INFINITY, -1])).toBeNull();
  });

  test.prop([fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 1_001, maxLength: 1_500 })], {
    numRuns: 30,
  })('of many numbers is right to 1 %', (values) => {
    const spread = spreadOf(values);
    for (const [told, share] of [
      [spread?.p50, 0.5],
      [spread?.p95, 0.95],
    ] as const) {
      const right = rankOf(values, share);
      expect(Math.abs((told ?? -1) - right)).toBeLessThanOrEqual(right * 0.0101 + 1e-8);
    }
  });
});

describe('the page', () => {
  it('needs nothing else, and takes no text for markup', () => {
    const [view] = runViews([]);
    expect(view).toBeUndefined();
    const hostile = views.map((one) => ({ ...one, runId: '<script>alert(1)</script>"', stopReason: one.stopReason }));
    const page = reportPage(metricsOf(hostile));
    expect(page).not.toMatch(/<script|<b>|https?:|url\(|@import|<link|<img/);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).toContain("default-src 'none'");
    expect(page).toContain('<th scope="row">打开</th>');
    expect(page.match(/<table>/g)).toHaveLength(page.match(/<caption>/g)?.length ?? 0);
  });
});
