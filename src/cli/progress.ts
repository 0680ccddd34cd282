/** Where a run stands against its budget, in one line. Pure. */
import type { Budget } from '../core/limits.ts';
import { grouped } from './flag-table.ts';

export interface Standing {
  readonly step: number;
  /** Running time. */
  readonly atMs: number;
  readonly tokens: number;
  readonly limits: Pick<Budget, 'maxSteps' | 'wallClockMs' | 'maxTokens'>;
}

/** Such as `step 3/12 · 2.1 s/180 s · 1,832/300,000 tokens`. */
export function progressLine({ step, atMs, tokens, limits }: Standing): string {
  return [
    `step ${step}/${grouped(limits.maxSteps)}`,
    `${seconds(atMs)} s/${grouped(limits.wallClockMs / 1_000)} s`,
    `${grouped(tokens)}/${grouped(limits.maxTokens)} tokens`,
  ].join(' · ');
}

/** One decimal: `2.1`. */
export function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(1);
}
