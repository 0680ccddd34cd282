/** The judgement on a case: a pure fold of what it expects over what was seen. */
import { expectProblems } from './expect.ts';
import { type Facts, noFacts } from './facts.ts';
import type { Case } from './format.ts';
import { mustNotProblems } from './must-not.ts';
import { observe } from './observe.ts';

/** What is wrong; empty where the case is passed. Never rejects: what cannot be played is a failure of the case. */
export async function problemsOf(one: Case): Promise<readonly string[]> {
  return judge(one, await observe(one).catch(unplayable));
}

export function judge(one: Case, facts: Facts): readonly string[] {
  return [
    ...facts.missing.map((part) => `needs a part that does not exist: ${part}`),
    ...new Set(facts.broken),
    // Whatever a case is about, an exception in place of an outcome is never right.
    ...(facts.thrown === null ? [] : [`the caller got an exception: ${facts.thrown}`]),
    ...expectProblems(one, facts),
    ...mustNotProblems(one, facts),
  ];
}

function unplayable(thrown: unknown): Facts {
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  return { ...noFacts, broken: [`cannot be played: ${why}`] };
}
