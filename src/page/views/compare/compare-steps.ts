/** Two runs, step by step: in what each step differs. Pure. */
import type { RunView, StepView } from '../../../observe/run-view.ts';

export type Part = 'thought' | 'calls' | 'inputs' | 'observations' | 'answer' | 'violation' | 'tokens';

export interface StepPair {
  readonly number: number;
  readonly left: StepView | null;
  readonly right: StepView | null;
  /** Empty where one of them is missing: then all of it does. */
  readonly differences: readonly Part[];
}

const told: { readonly [part in Part]: (step: StepView) => unknown } = {
  thought: ({ thought }) => thought,
  calls: ({ calls }) => calls.map(({ tool, status }) => [tool, status]),
  inputs: ({ calls }) => calls.map(({ input }) => input),
  observations: ({ calls }) => calls.map(({ observation }) => observation),
  answer: ({ answer }) => answer,
  violation: ({ violation }) => violation?.code,
  tokens: ({ tokens }) => [tokens.inputTokens, tokens.outputTokens],
};

const parts: readonly Part[] = ['thought', 'calls', 'inputs', 'observations', 'answer', 'violation', 'tokens'];

/** Aligned by number: of either, steps may be missing. */
export function stepPairs(left: RunView, right: RunView): readonly StepPair[] {
  const [ones, others] = [left, right].map(({ steps }) => new Map(steps.map((step) => [step.number, step])));
  const numbers = new Set([...left.steps, ...right.steps].map((step) => step.number));
  return [...numbers]
    .sort((before, after) => before - after)
    .map((number): StepPair => {
      const [one, other] = [ones?.get(number) ?? null, others?.get(number) ?? null];
      return { number, left: one, right: other, differences: differencesOf(one, other) };
    });
}

export const isDifferent = ({ left, right, differences }: StepPair): boolean =>
  left === null || right === null || differences.length > 0;

function differencesOf(left: StepView | null, right: StepView | null): readonly Part[] {
  if (left === null || right === null) return [];
  return parts.filter((part) => text(told[part](left)) !== text(told[part](right)));
}

/** Too deep for the stack: taken as different, which is the safe side. */
function text(value: unknown): string | symbol {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return Symbol('too deep');
  }
}
