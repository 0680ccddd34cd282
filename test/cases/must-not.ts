/** `must not`: every code with its parameters, and when it turns red. A code that is not here fails its case. */
import type { Code } from './code.ts';
import type { Facts } from './facts.ts';
import type { Case } from './format.ts';
import { requestCodes } from './must-not-requests.ts';
import { runCodes } from './must-not-run.ts';
import { surroundingCodes } from './must-not-surroundings.ts';
import { toolCodes } from './must-not-tools.ts';

export const codes: ReadonlyMap<string, Code> = new Map([
  ...runCodes,
  ...toolCodes,
  ...requestCodes,
  ...surroundingCodes,
]);

export function mustNotProblems(one: Case, facts: Facts): readonly string[] {
  return one.expect['must not'].flatMap((params) => {
    const check = codes.get(params.code);
    if (check === undefined) return [`the code ${params.code} is unknown`];
    const problem = check(params, facts, one);
    return problem === null ? [] : [`must not ${params.code}: ${problem}`];
  });
}
