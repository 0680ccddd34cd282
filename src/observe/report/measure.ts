/**
 * Metrics as a fold over runs. What it keeps does not grow with the runs, but for names (tools, models, codes) and the numbers of
 * steps; percentiles are in buckets (`spread.ts`), and failures in a bounded number of groups.
 */
import type { RunView } from '../run-view.ts';
import { createClusters } from './clusters.ts';
import { costOf } from './costs.ts';
import { type CostMetrics, type Metrics, type Prices, reportFormat } from './metrics.ts';
import { createPrompts } from './prompts.ts';
import { createRuns, standingOf } from './runs.ts';
import { createShares } from './shares.ts';
import { createSpread } from './spread.ts';
import { createSteps } from './steps.ts';
import { createTools } from './tools.ts';
import { withNested } from './with-nested.ts';

export interface MetricsOptions {
  /** Without, cost is left out. */
  readonly prices?: Prices;
}

export interface Measuring {
  /** Adds a run, once nothing more is known of it. `file`: where its trace stands, for the examples. */
  add(view: RunView, file?: string | null): void;
  metrics(): Metrics;
}

/** For more runs than can be held: add each, and ask for the metrics at any time. */
export function createMetrics({ prices }: MetricsOptions = {}): Measuring {
  const [runs, prompts, steps, tools, clusters] = [
    createRuns(),
    createPrompts(),
    createSteps(),
    createTools(),
    createClusters(),
  ];
  const shares = createShares(prices);
  let nestedRuns = 0;
  const costs = prices === undefined ? null : createCosts(prices);
  return {
    add(view, file = null) {
      runs.add(view);
      for (const run of withNested(view)) {
        if (run !== view) nestedRuns++;
        prompts.add(run);
        steps.add(run);
        tools.add(run, run !== view);
      }
      costs?.add(view);
      shares.add(view);
      if (standingOf(view) === 'failed') clusters.add(view, file);
    },
    metrics() {
      const { retries, ...ofSteps } = steps.metrics();
      const { toolRetries, tools: each, ...ofTools } = tools.metrics();
      const { costShares, ofTool } = shares.metrics();
      return {
        format: reportFormat,
        ...runs.metrics(),
        ...prompts.metrics(),
        cost: costs?.metrics() ?? null,
        costShares,
        nestedRuns,
        tools: each.map((tool) => ({ ...tool, costShare: ofTool(tool.tool) })),
        ...ofTools,
        ...ofSteps,
        retries: { model: retries, tools: toolRetries },
        failures: clusters.clusters(),
      };
    },
  };
}

/** The metrics of runs that are at hand. */
export function metricsOf(views: Iterable<RunView>, options: MetricsOptions = {}): Metrics {
  const measuring = createMetrics(options);
  for (const view of views) measuring.add(view);
  return measuring.metrics();
}

function createCosts(prices: Prices) {
  const spread = createSpread();
  const unpriced = new Set<string>();
  let unpricedRuns = 0;
  return {
    add(view: RunView) {
      const run = costOf(view, prices);
      if (run.unpriced.length === 0) return spread.add(run.cost);
      unpricedRuns++;
      for (const name of run.unpriced) unpriced.add(name);
    },
    metrics(): CostMetrics {
      const aRun = spread.spread();
      return { total: aRun?.total ?? 0, aRun, unpriced: [...unpriced], unpricedRuns };
    },
  };
}
