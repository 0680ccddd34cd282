/** How many runs there were, how they ended, and what one took. */
import type { RunView } from '../run-view.ts';
import { byCount, count } from './count.ts';
import type { Metrics, RunCounts } from './metrics.ts';
import { createSpread } from './spread.ts';

type OfRuns = Pick<Metrics, 'runs' | 'successRate' | 'endings' | 'fromWallMs' | 'toWallMs' | 'aRun'>;

export type Standing = Exclude<keyof RunCounts, 'total' | 'incomplete'>;

export function standingOf({ phase, stopReason }: RunView): Standing {
  if (phase === 'suspended') return 'suspended';
  if (phase !== 'ended') return 'unfinished';
  return stopReason === 'final' ? 'answered' : 'failed';
}

export function createRuns() {
  const counts = { total: 0, answered: 0, failed: 0, suspended: 0, unfinished: 0, incomplete: 0 };
  const endings = new Map<string, number>();
  const spreads = createRunSpreads();
  let fromWallMs = Number.POSITIVE_INFINITY;
  let toWallMs = Number.NEGATIVE_INFINITY;

  return {
    add(view: RunView) {
      const { startedWallMs, lastWallMs } = view;
      const standing = standingOf(view);
      counts.total++;
      counts[standing]++;
      if (view.missing > 0 || startedWallMs === null) counts.incomplete++;
      if (view.phase === 'ended') count(endings, view.stopReason ?? 'unknown');
      spreads.add(view);
      fromWallMs = Math.min(fromWallMs, startedWallMs ?? lastWallMs);
      toWallMs = Math.max(toWallMs, lastWallMs);
    },
    metrics(): OfRuns {
      const ended = counts.answered + counts.failed;
      return {
        runs: { ...counts },
        successRate: ended === 0 ? null : counts.answered / ended,
        endings: [...endings].sort(byCount).map(([stopReason, runs]) => ({ stopReason, runs })),
        fromWallMs: counts.total === 0 ? null : fromWallMs,
        toWallMs: counts.total === 0 ? null : toWallMs,
        aRun: spreads.metrics(),
      };
    },
  };
}

function createRunSpreads() {
  const steps = createSpread();
  const tokens = createSpread();
  const inputTokens = createSpread();
  const outputTokens = createSpread();
  const runningMs = createSpread();
  const wallMs = createSpread();
  return {
    add({ usage, atMs, startedWallMs, lastWallMs }: RunView) {
      steps.add(usage.steps);
      tokens.add(usage.totalTokens);
      inputTokens.add(usage.inputTokens);
      outputTokens.add(usage.outputTokens);
      runningMs.add(atMs);
      if (startedWallMs !== null) wallMs.add(Math.max(0, lastWallMs - startedWallMs));
    },
    metrics: (): Metrics['aRun'] => ({
      steps: steps.spread(),
      tokens: tokens.spread(),
      inputTokens: inputTokens.spread(),
      outputTokens: outputTokens.spread(),
      runningMs: runningMs.spread(),
      wallMs: wallMs.spread(),
    }),
  };
}
