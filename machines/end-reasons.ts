/** When each reason for an end is true: an end that gives another is a lie. Pure. */
import type { StopReason } from '../src/core/stop-reasons.ts';
import { totalTokens } from '../src/core/usage.ts';
import { stepsLeft } from './budget.ts';
import type { Edge } from './edge.ts';

/** By reason: whether this edge may end the run with it. */
export const reasons: { readonly [reason in Exclude<StopReason, 'suspended'>]: (edge: Edge) => boolean } = {
  final: ({ after }) => after.context.answer !== null,
  max_steps: ({ after: { context } }) => stepsLeft(context) <= 0,
  max_tool_calls: ({ after: { context } }) =>
    context.toolCalls + context.calls.filter(({ status }) => status === 'ready' || status === 'asking').length >
    context.limits.maxToolCalls,
  token_budget: ({ event, after: { context } }) =>
    event.type === 'prompt.refused' || totalTokens(context.tokens) >= context.limits.maxTokens,
  cost_budget: () => false, // no transition of ours gives it
  no_progress: ({ after: { context } }) =>
    context.limits.maxEmptyResults !== null && context.emptyInRow >= context.limits.maxEmptyResults,
  timeout: (edge) => isSpent('atMs' in edge.event ? edge.event.atMs : edge.after.context.atMs, edge),
  violations_exhausted: ({ after: { context } }) => context.violationsInRow >= context.limits.maxViolations,
  tool_errors_exhausted: ({ after: { context } }) => context.toolErrorsInRow >= context.limits.maxToolErrors,
  loop_detected: ({ after }) => after.context.loop === 'end',
  aborted: ({ event }) => event.type === 'run.aborted',
  model_error: ({ event, after }) => event.type === 'reply.failed' && after.context.failure !== null,
  content_filter: ({ event }) => event.type === 'reply.filtered',
  store_error: ({ event, after }) => event.type === 'store.failed' && after.context.failure !== null,
  internal_error: ({ event, after }) => event.type === 'machine.failed' && after.context.failure !== null,
};

/** A loop, and what the door looks at before it. */
export const endsBefore: ReadonlySet<StopReason | null> = new Set<StopReason>([
  'final',
  'violations_exhausted',
  'tool_errors_exhausted',
  'loop_detected',
]);

/** Whether this running time is at or past the end of the run's. */
export function isSpent(atMs: number, { after }: Edge): boolean {
  return atMs >= after.context.limits.wallClockMs;
}
