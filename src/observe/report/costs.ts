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
    const cost = costOfTry(tried, asked, prices);
    if (cost === null) return { cost: 0, unpriced: [answering(tried, asked)?.name ?? '(unknown)'] };
    return { cost: cost.input + cost.output, unpriced: [] };
  });
  return sumOf([...ofTries, ...calls.flatMap(({ nested }) => (nested === null ? [] : [costOf(nested, prices)]))]);
}

function sumOf(costs: readonly RunCost[]): RunCost {
  const cost = costs.reduce((sum, one) => sum + one.cost, 0);
  return { cost, unpriced: [...new Set(costs.flatMap(({ unpriced }) => unpriced))] };
}

/** What its prompt and its reply cost. */
export interface TryCost {
  readonly input: number;
  readonly output: number;
}

/** Null where its model has no price. A reply that was lost with its process cost at least its prompt. */
export function costOfTry(tried: TryView, asked: ModelName | null, prices: Prices): TryCost | null {
  const price = priceOf(answering(tried, asked), prices);
  if (price === null) return null;
  const { inputPerMillion, outputPerMillion, cachedPerMillion = inputPerMillion } = price;
  const { tokens, promptTokens } = tried;
  const input = tokens?.inputTokens ?? promptTokens;
  const cached = Math.min(input, tokens?.cachedInputTokens ?? 0);
  return {
    input: ((input - cached) * inputPerMillion + cached * cachedPerMillion) / 1_000_000,
    output: ((tokens?.outputTokens ?? 0) * outputPerMillion) / 1_000_000,
  };
}

function answering({ asked: passedOn }: TryView, asked: ModelName | null): ModelName | null {
  return passedOn.at(-1) ?? asked;
}

function priceOf(model: ModelName | null, prices: Prices): Price | null {
  if (model === null) return null;
  for (const name of [`${model.provider}/${model.name}`, model.name])
    if (Object.hasOwn(prices, name)) return prices[name] ?? null;
  return null;
}
