/** What the timeline says of a bar and of a step. */
import type { StepView } from '../../../observe/run-view.ts';
import { durationText } from '../../texts/duration.ts';
import type { Texts } from '../../texts/english.ts';
import { useFormat, useTexts, wordIn } from '../../texts/use-texts.ts';
import type { DrawnBar } from './timeline-bars.ts';

export function barText(texts: Texts, { bar, lastStep }: DrawnBar): string {
  const { what, step } = bar;
  if (lastStep !== null && lastStep !== step) return texts.manyBars(step, lastStep);
  switch (what.kind) {
    case 'try': {
      const { one } = what;
      const took = one.endedAtMs === null ? '…' : durationText(one.endedAtMs - one.sentAtMs, texts.units);
      const how = one.finish === null ? '' : wordIn(texts.words.finishes, one.finish);
      const tokens =
        one.tokens === null ? '' : texts.tokensInOut(`${one.tokens.inputTokens}`, `${one.tokens.outputTokens}`);
      return joined([texts.tryBar(step, one.number), took, how, tokens]);
    }
    case 'call': {
      const { call } = what;
      const took =
        call.endedAtMs === null || call.startedAtMs === null
          ? '…'
          : durationText(call.endedAtMs - call.startedAtMs, texts.units);
      const retries = call.retries.length === 0 ? '' : texts.retriesCount(call.retries.length);
      return joined([texts.callBar(step, call.tool), took, wordIn(texts.words.callStatuses, call.status), retries]);
    }
    case 'wait':
      return joined([texts.waitBar(step), durationText(what.waitedMs, texts.units)]);
  }
}

/** The step in a line: for the head of the timeline, and for who hears it. */
export function useStepText(): (step: StepView | undefined) => string {
  const texts = useTexts();
  const format = useFormat();
  return (step) => {
    if (step === undefined) return '';
    const took = step.endedAtMs === null ? '…' : format.time(step.endedAtMs - step.startedAtMs);
    const tools = step.calls.map(({ tool }) => tool).join(', ');
    const tokens = texts.tokensCount(step.tokens.inputTokens + step.tokens.outputTokens);
    const violation = step.violation === null ? '' : `${texts.violation}: ${step.violation.code}`;
    return joined([texts.stepName(step.number), tools, took, tokens, violation]);
  };
}

const joined = (parts: readonly string[]) => parts.filter((part) => part !== '').join(' · ');
