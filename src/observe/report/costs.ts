/** What a run cost, by the prices that the user gives. Pure. */
import type { ModelName } from '../../core/model.ts';
import type { RunView, TryView } from '../run-view.ts';
import type { Price, Prices } from './metrics.ts';

export interface RunCost {
  readonly cost: number;
  /** Its models that have no price. */
  readonly unpriced: readonly string[];
}

/** With the agents that ran as tools, as far as the trace tells of them: of several tries of a call, the last. */
export function costOf(view: RunView, prices: Prices): RunCost {
  let cost = 0;
  const unpriced = new Set<string>();
  for (const { tries, calls } of view.steps) {
    for (const tried of tries) {
      const model = tried.asked.at(-1) ?? view.model;
      const price = priceOf(model, prices);
      if (price === null) unpriced.add(model?.name ?? '(unknown)');
      else cost += costOfTry(tried, price);
    }
    for (const { nested } of calls) {
      if (nested === null) continue;
      const inside = costOf(nested, prices);
      cost += inside.cost;
      for (const name of inside.unpriced) unpriced.add(name);
    }
  }
  return { cost, unpriced: [...unpriced] };
}

function priceOf(model: ModelName | null, prices: Prices): Price | null {
  if (model === null) return null;
  for (const name of [`${model.provider}/${model.name}`, model.name])
    if (Object.hasOwn(prices, name)) return prices[name] ?? null;
  return null;
}

/** A reply that was lost with its process cost at least its prompt. */
function costOfTry({ tokens, promptTokens }: TryView, price: Price): number {
  const { inputPerMillion, outputPerMillion, cachedPerMillion = inputPerMillion } = price;
  const input = tokens?.inputTokens ?? promptTokens;
  const cached = Math.min(input, tokens?.cachedInputTokens ?? 0);
  const output = tokens?.outputTokens ?? 0;
  return ((input - cached) * inputPerMillion + cached * cachedPerMillion + output * outputPerMillion) / 1_000_000;
}
