/**
 * What a run took, and of whom: tokens, or money. A prompt is shared among the instructions, the replies and the tools whose text it
 * is made of, by length; a reply is the model's own; and what an agent spent is of the tool as which it ran. Pure.
 */
import { totalTokens } from '../../core/usage.ts';
import type { CallView, RunView, TryView } from '../run-view.ts';
import { createConversation } from './conversation.ts';
import { costOf, costOfTry, type TryCost } from './costs.ts';
import type { Prices } from './metrics.ts';
import { addOfTool, addParts, noParts, type Parts, wholeOf } from './parts.ts';
import { withNested } from './with-nested.ts';

/** What is shared. Null where that is not known. */
export interface Meter {
  ofTry(tried: TryView, of: RunView): TryCost | null;
  /** Of the agent that ran as this tool; 0 where none did. */
  ofAgent(call: CallView): number | null;
}

/** The parts sum up to the whole. Null where the trace does not tell all, or the meter does not know. */
export function partsOf(view: RunView, meter: Meter): Parts | null {
  const { steps, startedWallMs, missing, cut } = view;
  if (startedWallMs === null || missing + cut > 0) return null;
  const conversation = createConversation(steps);
  const parts = noParts();
  for (const [at, { tries, calls }] of steps.entries()) {
    for (const tried of tries) {
      const prompt = conversation.sent(tried, at);
      const took = meter.ofTry(tried, view);
      if (prompt === null || took === null) return null;
      addPrompt(parts, prompt, took.input);
      parts.replies += took.output;
    }
    if (!calls.every((call) => addAgent(parts, call, meter))) return null;
  }
  return parts;
}

/** A tool that took nothing is known to have taken nothing. False where nobody knows. */
function addAgent(parts: Parts, call: CallView, meter: Meter): boolean {
  const spent = meter.ofAgent(call);
  if (spent !== null && call.gate !== 'tool') addOfTool(parts, call.tool, spent);
  return spent !== null;
}

function addPrompt(parts: Parts, prompt: Parts, took: number): void {
  const whole = wholeOf(prompt);
  if (whole === 0) parts.instructions += took;
  else addParts(parts, prompt, took / whole);
}

export const inTokens: Meter = {
  ofTry: tokensOfTry,
  ofAgent: ({ spent, nested }) => {
    if (spent !== null) return totalTokens(spent.tokens);
    return nested === null ? 0 : tokensOf(nested);
  },
};

export function inMoney(prices: Prices): Meter {
  return {
    ofTry: (tried, { model }) => costOfTry(tried, model, prices),
    ofAgent: ({ nested }) => {
      if (nested === null) return 0;
      const { cost, unpriced } = costOf(nested, prices);
      return unpriced.length === 0 ? cost : null;
    },
  };
}

/** A reply that was lost with its process took at least its prompt. */
function tokensOfTry({ tokens, promptTokens }: TryView): TryCost {
  return { input: tokens?.inputTokens ?? promptTokens, output: tokens?.outputTokens ?? 0 };
}

/** Of a run that is not over. */
function tokensOf(view: RunView): number {
  const tries = withNested(view).flatMap(({ steps }) => steps.flatMap(({ tries: all }) => all.map(tokensOfTry)));
  return tries.reduce((sum, { input, output }) => sum + input + output, 0);
}
