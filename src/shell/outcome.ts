/** The one result of a run, from what the machine and the history hold when it stops. */
import { addTokens } from '../../machines/budget.ts';
import { AgentError, type ErrorCode } from '../core/errors.ts';
import type { Answered, Outcome, Step } from '../core/outcome.ts';
import type { Redactor } from '../core/redact.ts';
import type { ReactContext, Snapshot } from '../core/snapshot.ts';
import type { StopReason } from '../core/stop-reasons.ts';
import { noTokens, type TokenCount, totalTokens, type Usage } from '../core/usage.ts';
import type { RunPlan } from './plan.ts';
import type { WrittenEnd } from './store-writer.ts';

export interface OutcomeParts<Answer> {
  readonly plan: Pick<RunPlan, 'runId' | 'messages'>;
  readonly context: ReactContext;
  readonly steps: readonly Step[];
  readonly modelCalls: number;
  readonly partial: string | null;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** What an answer is worth that counts; null where it is not what this run was to give. */
  readonly accepted: (text: string) => Pick<Answered<Answer>, 'answer' | 'notes'> | null;
  /** Where the run waits for a person, or can go on with a larger budget. */
  readonly left: Snapshot | null;
}

export function outcomeOf<Answer>(parts: OutcomeParts<Answer>): Outcome<Answer> {
  const { plan, context, steps, startedAtMs, endedAtMs, left } = parts;
  const { runId } = plan;
  const { redactor } = plan.messages;
  const partial = parts.partial === null ? null : redactor.text(parts.partial);
  const { stopReason, answer, violations } = context;
  const snapshot = left === null ? {} : { snapshot: left };
  const common = {
    runId,
    steps: stopReason === null ? steps : steps.map(withNoneWaiting),
    usage: usageOf(context, parts.modelCalls),
    violations,
    unknown: context.effects
      .filter(({ status }) => status === 'unknown')
      .map(({ callId, tool, input }) => ({ toolCallId: callId, tool, input: redactor.value(input) })),
    startedAtMs,
    endedAtMs,
  };
  if (stopReason === null) return { ok: false, stopReason: 'suspended', partial, ...snapshot, ...common };
  const accepted = answer === null ? null : parts.accepted(answer);
  if (stopReason === 'final' && accepted !== null)
    return { ok: true, stopReason, answer: accepted.answer, notes: accepted.notes, ...common };
  const error = errorOf(context, redactor);
  return {
    ok: false,
    stopReason: stopReason === 'final' ? 'internal_error' : stopReason,
    partial,
    ...(error === null ? {} : { error }),
    ...snapshot,
    ...common,
  };
}

/**
 * An end that its store could not keep says so. Where the run was never held, as where its id is taken, it has not been: it had no
 * effect, and its answer is none.
 */
export function asStored<Answer>(outcome: Outcome<Answer>, { problem, isOurs }: WrittenEnd): Outcome<Answer> {
  if (problem === null || outcome.stopReason === 'store_error') return outcome;
  if (isOurs) return { ...outcome, storeError: problem };
  const { runId, steps, usage, violations, unknown, startedAtMs, endedAtMs } = outcome;
  const common = { runId, steps, usage, violations, unknown, startedAtMs, endedAtMs };
  return { ok: false, stopReason: 'store_error', partial: null, error: problem, ...common };
}

/** The run has ended: nobody is asked any more. */
function withNoneWaiting(step: Step): Step {
  const calls = step.calls.map((call) =>
    call.status === 'waiting' ? { ...call, status: 'cancelled' as const } : call,
  );
  return { ...step, calls };
}

/** `open`: of a reply that is being read. */
export function usageOf(context: ReactContext, modelCalls: number, open: TokenCount = noTokens): Usage {
  const tokens = addTokens(context.tokens, open);
  const total = totalTokens(tokens);
  return {
    ...tokens,
    totalTokens: total,
    overrun: Math.max(0, total - context.limits.maxTokens),
    steps: modelCalls + context.nestedSteps,
    toolCalls: context.toolCalls,
  };
}

const codes: ReadonlyMap<StopReason | null, ErrorCode> = new Map([
  ['model_error', 'model_failed'],
  ['store_error', 'store_failed'],
]);

function errorOf({ failure, stopReason }: ReactContext, { text }: Redactor): AgentError | null {
  if (failure === null) return null;
  return new AgentError(codes.get(stopReason) ?? 'internal', text(failure.message), { hint: text(failure.hint) });
}
