/** The one result of a run, from what the machine and the history hold when it stops. */
import { AgentError } from '../core/errors.ts';
import type { Outcome, Step } from '../core/outcome.ts';
import type { ReactContext, Snapshot } from '../core/snapshot.ts';
import { totalTokens, type Usage } from '../core/usage.ts';

export interface OutcomeParts {
  readonly runId: string;
  readonly context: ReactContext;
  readonly steps: readonly Step[];
  readonly modelCalls: number;
  readonly partial: string | null;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** Where the run waits for a person. */
  readonly suspended: Snapshot | null;
}

export function outcomeOf(parts: OutcomeParts): Outcome {
  const { runId, context, steps, startedAtMs, endedAtMs, suspended } = parts;
  const { stopReason, answer, violations } = context;
  const common = {
    runId,
    steps,
    usage: usageOf(context, parts.modelCalls),
    violations,
    unknown: context.effects
      .filter(({ status }) => status === 'unknown')
      .map(({ callId, tool, input }) => ({ toolCallId: callId, tool, input })),
    startedAtMs,
    endedAtMs,
  };
  if (suspended !== null)
    return { ok: false, stopReason: 'suspended', partial: parts.partial, snapshot: suspended, ...common };
  if (stopReason === 'final' && answer !== null) return { ok: true, stopReason, answer, ...common };
  const error = errorOf(context);
  return {
    ok: false,
    stopReason: stopReason === null || stopReason === 'final' ? 'internal_error' : stopReason,
    partial: parts.partial,
    ...(error === null ? {} : { error }),
    ...common,
  };
}

function usageOf(context: ReactContext, modelCalls: number): Usage {
  const total = totalTokens(context.tokens);
  return {
    ...context.tokens,
    totalTokens: total,
    overrun: Math.max(0, total - context.limits.maxTokens),
    steps: modelCalls,
    toolCalls: context.toolCalls,
  };
}

function errorOf({ failure, stopReason }: ReactContext): AgentError | null {
  if (failure === null) return null;
  const code = stopReason === 'model_error' ? 'model_failed' : 'internal';
  return new AgentError(code, failure.message, { hint: failure.hint });
}
