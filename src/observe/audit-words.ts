/** Why a decision was made, in words for people. Pure. */
import type { ApprovalDenied, ErrorRecord } from '../core/events.ts';
import type { Policy } from '../core/policy.ts';
import type { Verdict } from '../core/verdict.ts';

/** Such as `policy readOnly`. */
export function policyOf(policy: Policy | null): string {
  if (policy === null) return 'no policy';
  return `policy ${typeof policy === 'string' ? policy : `allow ${policy.allow.join(', ') || 'nothing'}`}`;
}

/** The rule by which the gates decided; where they refused, what the model was told. */
export function whyAllowed(verdict: Verdict, tool: string, policy: Policy | null): string {
  const { pass, observation, coerced = [] } = verdict;
  const parts = [
    pass === 'refuse' ? '' : ruleOf(verdict, tool, policy),
    told(observation ?? ''),
    coerced.length === 0 ? '' : `input taken as meant: ${coerced.join(', ')}`,
  ];
  return parts.filter((part) => part !== '').join('; ');
}

function ruleOf({ rule, pass, effect }: Verdict, tool: string, policy: Policy | null): string {
  switch (rule) {
    case 'policy':
      return ruleOfPolicy(policy, pass, tool);
    case 'needsApproval':
      return `needsApproval said ${pass === 'ask' ? 'yes' : 'no'}`;
    case 'mark':
      return pass === 'ask' ? 'marked sideEffect' : effect === 'unmarked' ? 'tool without a mark' : `${effect} tool`;
    default:
      return '';
  }
}

function ruleOfPolicy(policy: Policy | null, pass: Verdict['pass'], tool: string): string {
  if (policy === null) return 'policy';
  if (policy === 'dryRun') return 'policy dryRun: told of, and not done';
  if (typeof policy === 'string') return `policy ${policy}`;
  return pass === 'ask' ? `policy does not name ${tool}` : `policy allows ${tool}`;
}

/** The reason: a person's, or what the gates have against the input as it was edited. */
export function whyDenied({ cause, why, observation }: ApprovalDenied): string {
  switch (cause) {
    case 'person':
      return why;
    case 'timeout':
      return 'nobody decided in time';
    default:
      return `the input as edited; ${told(observation)}`;
  }
}

export function failureOf({
  error,
  observation,
}: {
  readonly error?: ErrorRecord | null;
  readonly observation: string;
}): string {
  return error === undefined || error === null ? told(observation) : `${error.name}: ${error.message}`;
}

/** What the model was told, without the mark that is meant for it. */
export function told(text: string): string {
  return text.startsWith('[ToolError] ') ? text.slice('[ToolError] '.length) : text;
}

/** The furthest that a date reaches, in milliseconds. Source: ECMAScript, "Time Values and Time Range". */
const furthestMs = 8.64e15;

/** UTC, such as `2026-01-31T09:30:00.000Z`. */
export function instantOf(wallMs: number): string {
  return Math.abs(wallMs) <= furthestMs ? new Date(wallMs).toISOString() : String(wallMs);
}
