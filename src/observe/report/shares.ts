/** Shares of what runs took: of tokens, or of money where there are prices. */
import type { RunView } from '../run-view.ts';
import { inMoney, inTokens, partsOf } from './attribution.ts';
import type { CostShares, Prices } from './metrics.ts';
import { addParts, noParts, wholeOf } from './parts.ts';

export function createShares(prices: Prices | undefined) {
  const meter = prices === undefined ? inTokens : inMoney(prices);
  const sum = noParts();
  let leftOutRuns = 0;
  return {
    add(view: RunView) {
      const parts = partsOf(view, meter);
      if (parts === null) leftOutRuns++;
      else addParts(sum, parts);
    },
    metrics() {
      const whole = wholeOf(sum);
      const shareOf = (size: number | undefined) => (size === undefined || whole === 0 ? null : size / whole);
      const costShares: CostShares = {
        of: prices === undefined ? 'tokens' : 'money',
        // Tokens are whole; what was shared sums up to them but for its last digits.
        total: prices === undefined ? Math.round(whole) : whole,
        instructions: shareOf(sum.instructions),
        replies: shareOf(sum.replies),
        leftOutRuns,
      };
      return { costShares, ofTool: (tool: string) => shareOf(sum.tools.get(tool)) };
    },
  };
}
