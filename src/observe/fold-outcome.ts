/** The outcome of a run, from its trace alone. Pure. */
import type { ErrorCode } from '../core/errors.ts';
import type { Answered, Step, StepCall, Unanswered } from '../core/outcome.ts';
import { type StopReason, stopReasons } from '../core/stop-reasons.ts';
import type { TraceDropped, TraceEvent } from '../core/trace.ts';
import { runViews } from './fold-run.ts';
import type { CallView, RunView, StepView } from './run-view.ts';

/**
 * An `Outcome` as a trace tells it, equal to the live one as JSON but for what a trace does not hold: the snapshot to go on from,
 * whether the store could keep the end (`storeError`), secrets, and the value that an `answerSchema` made: here the answer is its
 * text.
 */
export type TracedOutcome =
  | Omit<Answered, 'storeError'>
  | (Omit<Unanswered, 'snapshot' | 'storeError' | 'error'> & {
      readonly error?: { readonly code: ErrorCode; readonly message: string; readonly hint: string };
    });

/**
 * The outcome of the last run of a trace. Null where there is none, where it has not ended (`run.ended` is not there), and where
 * events of it are missing, or were cut by the writer of the trace (`maxLine`).
 */
export function outcomeOfTrace(events: Iterable<TraceEvent | TraceDropped>): TracedOutcome | null {
  const view = runViews(events).at(-1);
  return view === undefined ? null : outcomeOfView(view);
}

/** The same for a run that was folded already. */
export function outcomeOfView(view: RunView): TracedOutcome | null {
  const { runId, stopReason, answer, notes, partial, usage, violations, unknown, startedWallMs, lastWallMs } = view;
  if (!view.fold.isOver || view.missing + view.cut > 0 || startedWallMs === null || !isStopReason(stopReason))
    return null;
  const steps = view.steps.filter((step, at) => isRead(step, view.fold.isOpen && at === view.steps.length - 1));
  const common = {
    runId,
    steps: steps.map((step) => stepOf(step, view.atMs)),
    ...{ usage, violations, unknown, startedAtMs: startedWallMs, endedAtMs: lastWallMs },
  };
  if (stopReason === 'final') return answer === null ? null : { ok: true, stopReason, answer, notes, ...common };
  const error = errorOf(view, stopReason);
  return { ok: false, stopReason, partial, ...(error === null ? {} : { error }), ...common };
}

function isStopReason(word: string | null): word is StopReason {
  return stopReasons.some((reason) => reason === word);
}

/** Of the step in progress it counts whether its reply was read. */
function isRead({ text }: StepView, isOpen: boolean): boolean {
  return !isOpen || text !== null;
}

function stepOf(step: StepView, atMs: number): Step {
  const { number, thought, calls, answer, violation, tokens, startedAtMs, endedAtMs } = step;
  const all = calls.map(callOf);
  return { number, thought, calls: all, answer, violation, tokens, startedAtMs, endedAtMs: endedAtMs ?? atMs };
}

const statuses = {
  read: 'cancelled',
  ready: 'cancelled',
  running: 'cancelled',
  waiting: 'waiting',
  succeeded: 'succeeded',
  failed: 'failed',
  unknown: 'unknown',
  refused: 'refused',
  cancelled: 'cancelled',
} as const satisfies Record<CallView['status'], StepCall['status']>;

function callOf({ callId, tool, input, repaired, empty, observation, output, ...call }: CallView): StepCall {
  const { status, endedAtMs } = call;
  // When a call began is told with its result.
  const startedAtMs = endedAtMs === null ? null : call.startedAtMs;
  const told = { observation, output, startedAtMs, endedAtMs };
  return { toolCallId: callId, tool, input, repaired, status: statuses[status], empty, ...told };
}

const codes: ReadonlyMap<StopReason, ErrorCode> = new Map([
  ['model_error', 'model_failed'],
  ['store_error', 'store_failed'],
]);

function errorOf({ failure }: RunView, stopReason: StopReason) {
  return failure === null ? null : { code: codes.get(stopReason) ?? ('internal' as const), ...failure };
}
