/** What was sent to models: how much of it was sent before, and who counted it. */
import { totalTokens } from '../../core/usage.ts';
import type { RunView, TryView } from '../run-view.ts';
import type { PromptMetrics } from './metrics.ts';

export function createPrompts() {
  const sum = { tokens: 0, reusedTokens: 0, cachedTokens: 0, cacheReportedTokens: 0 };
  const counted = { all: 0, estimated: 0 };
  let modelCalls = 0;

  const takeReply = ({ tokens }: TryView) => {
    if (tokens === null) return;
    const total = totalTokens(tokens);
    counted.all += total;
    if (tokens.estimated) counted.estimated += total;
    if (tokens.cachedInputTokens === undefined) return;
    sum.cachedTokens += tokens.cachedInputTokens;
    sum.cacheReportedTokens += tokens.inputTokens;
  };
  return {
    add(view: RunView) {
      let before = 0;
      for (const { tries } of view.steps)
        for (const tried of tries) {
          modelCalls++;
          sum.tokens += tried.promptTokens;
          // A conversation only grows: the one before is the beginning of this one.
          sum.reusedTokens += Math.min(before, tried.promptTokens);
          before = tried.promptTokens;
          takeReply(tried);
        }
    },
    metrics(): { estimatedShare: number | null; modelCalls: number; prompt: PromptMetrics } {
      const estimatedShare = counted.all === 0 ? null : counted.estimated / counted.all;
      return { estimatedShare, modelCalls, prompt: { ...sum } };
    },
  };
}
