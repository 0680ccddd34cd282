/** What went wrong in steps, by their number; what was saved and asked for again. */
import type { RunView, StepView } from '../run-view.ts';
import { byCount, count } from './count.ts';
import type { Metrics } from './metrics.ts';

type StepMetrics = Pick<Metrics, 'violations' | 'callsByStep' | 'savedTokens'> & { readonly retries: number };

export function createSteps() {
  const codes = new Map<string, number>();
  const numbers = new Map<number, { steps: number; violations: number; calls: number; errors: number }>();
  let [total, savedTokens, retries] = [0, 0, 0];

  const take = ({ number, violation, calls, tries, savedTokens: saved }: StepView) => {
    const at = numbers.get(number) ?? { steps: 0, violations: 0, calls: 0, errors: 0 };
    numbers.set(number, at);
    at.steps++;
    savedTokens += saved;
    retries += tries.filter((tried) => tried.number > 1).length;
    at.calls += calls.filter(({ startedAtMs }) => startedAtMs !== null).length;
    at.errors += calls.filter(({ status, timedOut }) => status === 'failed' || timedOut).length;
    if (violation === null) return;
    total++;
    at.violations++;
    count<string>(codes, violation.code);
  };
  return {
    add: (view: RunView) => view.steps.forEach(take),
    metrics(): StepMetrics {
      const rows = [...numbers].sort(([one], [other]) => one - other);
      return {
        violations: {
          total,
          byCode: [...codes].sort(byCount).map(([code, times]) => ({ code, count: times })),
          byStep: rows.map(([step, { steps, violations }]) => ({ step, steps, violations })),
        },
        callsByStep: rows
          .filter(([, row]) => row.calls > 0)
          .map(([step, { calls, errors }]) => ({ step, calls, errors })),
        savedTokens,
        retries,
      };
    },
  };
}
