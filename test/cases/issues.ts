/** What zod found wrong, as one line for people. */
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

export function issuesOf(error: z.ZodError): string {
  return error.issues.flatMap((issue) => inWords(issue, [])).join('; ');
}

/** Of a union, the kind that fits best is what was meant. */
function inWords(issue: Issue, above: readonly PropertyKey[]): readonly string[] {
  const path = [...above, ...issue.path];
  const where = path.map(String).join('.') || 'the case';
  if (issue.code === 'unrecognized_keys')
    return [`${where} has ${issue.keys.length === 1 ? 'an unknown field' : 'unknown fields'} ${issue.keys.join(', ')}`];
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [`${where}: ${issue.message}`];
  const closest = [...issue.errors].sort((a, b) => distance(a) - distance(b))[0] ?? [];
  return closest.flatMap((each) => inWords(each, path));
}

/** An unknown field is a small slip; another type altogether is not what was meant. */
function distance(issues: readonly Issue[]): number {
  return issues.reduce((sum, issue) => sum + weight(issue), 0);
}

function weight(issue: Issue): number {
  if (issue.code === 'unrecognized_keys') return issue.keys.length;
  if (issue.code !== 'invalid_type') return 2;
  return issue.path.length === 0 ? 10 : 3;
}
