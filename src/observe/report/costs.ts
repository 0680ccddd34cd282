/** What a run cost, by the prices that the user gives. Pure. */
import type { ModelName } from '../../core/model.ts';
import type { RunView, StepView, TryView } from '../run-view.ts';
import type { Price, Prices } from './metrics.ts';

export interface RunCost {
  readonly cost: number;
  /** Its models that have no price. */
  readonly unpriced: readonly string[];
}

/** With the agents that ran as tools, as far as the trace tells of them: of several tries of a call, the last. */
export function costOf(view: RunView, prices: Prices): RunCost {
  return sumOf(view.steps.map((step) => costOfStep(step, view.model, prices)));
}

/** `asked`: the model of its run. */
export function costOfStep({ tries, calls }: StepView, asked: ModelName | null, prices: Prices): RunCost {
  const ofTries = tries.map((tried): RunCost => {
    const model = tried.asked.at(-1) ?? asked;
    const price = priceOf(model, prices);
    if (price === null) return { cost: 0, unpriced: [model?.name ?? '(unknown)'] };
    return { cost: costOfTry(tried, price), unpriced: [] };
  });
  return sumOf([...ofTries, ...calls.flatMap(({ nested }) => (nested === null ? [] : [costOf(nested, prices)]))]);
}

function sumOf(costs: readonly RunCost[]): RunCost {
  const cost = costs.reduce((sum, one) => sum + one.cost, 0);
  return { cost, unpriced: [...new Set(costs.flatMap(({ unpriced }) => unpriced))] };
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
