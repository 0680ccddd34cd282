/** How the results of a step's calls are written back to the model. Pure. */
import type { Observed } from './dialect.ts';

/** One result, or the one text of a fault: `Observation: …`. Several: one each, with its tool's name. */
export function writeObservations(results: readonly Observed[]): string {
  const [only] = results;
  if (results.length === 1 && only !== undefined) return `Observation: ${only.text}`;
  return results.map((result) => `Observation: (${result.tool}) ${result.text}`).join('\n');
}
