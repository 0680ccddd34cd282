/** Two observers as one: the second hears of an event also where the first throws. */
import type { RunPlan } from './plan.ts';

export function both(first: RunPlan['onEvent'], second: RunPlan['onEvent']): RunPlan['onEvent'] {
  if (first === null || second === null) return first ?? second;
  return (event) => {
    try {
      first(structuredClone(event));
    } finally {
      second(event);
    }
  };
}
