/** Why a run stopped, and what can be wrong with a reply. The lists are pinned by tests; they are public. */

export const stopReasons = [
  'final',
  'max_steps',
  'max_tool_calls',
  'token_budget',
  'cost_budget',
  'timeout',
  'violations_exhausted',
  'tool_errors_exhausted',
  'loop_detected',
  'no_progress',
  'aborted',
  'model_error',
  'content_filter',
  'store_error',
  'internal_error',
  'suspended', // waits for a person; not an end
] as const;
export type StopReason = (typeof stopReasons)[number];

/** The reasons with which the machine can reach ERROR. */
export type FailureReason = Exclude<StopReason, 'final' | 'suspended'>;

export const violationCodes = [
  'empty',
  'no_step',
  'thought_only',
  'unreadable_input',
  'missing_input',
  'no_tool',
  'truncated',
  'too_long',
] as const;
export type ViolationCode = (typeof violationCodes)[number];

/** What can be wrong with a step: its reply, or an answer that was checked and sent back. */
export type StepViolation = ViolationCode | 'answer_rejected';
