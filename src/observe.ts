/**
 * `fuseloop/observe`: what can be told of a run from its trace (`onEvent`, or the lines that `fuseloop run --trace` wrote). It
 * only reads: nothing here changes a run. No network, no dependency.
 */
export type { Gate } from './core/verdict.ts';
export { type Audit, auditOf, createAudit } from './observe/audit.ts';
export type { AuditRecord, Decision } from './observe/audit-record.ts';
export { outcomeOfTrace, outcomeOfView, type TracedOutcome } from './observe/fold-outcome.ts';
export { runViews, viewAfter } from './observe/fold-run.ts';
export { createMetrics, type Measuring, type MetricsOptions, metricsOf } from './observe/report/measure.ts';
export type {
  CostMetrics,
  CostShares,
  FailureCluster,
  Metrics,
  Price,
  Prices,
  ToolMetrics,
} from './observe/report/metrics.ts';
export type { Spread } from './observe/report/spread.ts';
export type { ApprovalView, CallTryView, CallView, RunView, StepView, TryView } from './observe/run-view.ts';
