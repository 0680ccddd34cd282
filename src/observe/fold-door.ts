/** OBSERVATION, the one door: the step is judged and recorded, and the next begins. And how a run ends. Pure. */
import type { ClockExpired, MachineFailed, RunAborted, StoreFailed } from '../core/events.ts';
import type { RunEnded } from '../core/journal.ts';
import { charged } from './fold-calls.ts';
import { withTryEnded } from './fold-reply.ts';
import { changeOpen, charge, isInThought, newStep, openStep, withNotes, withPartial } from './fold-view.ts';
import type { CallView, RunView } from './run-view.ts';

/** Where the run is in ACTION, it is not there yet. */
export function atTheDoor(view: RunView): RunView {
  const isActing = typeof view.state !== 'string' && view.state.ACTION !== undefined;
  return isActing ? view : entered(judged(view));
}

/** The step that is done is recorded. A limit may hold back calls of it: then it is not over. */
export function judged(view: RunView): RunView {
  const step = openStep(view);
  if (step === null) return view;
  const { answer, atMs } = view;
  if (answer === null && step.calls.some(({ status }) => status === 'ready' || status === 'waiting')) return view;
  const results = step.calls.filter(({ status }) => status !== 'ready' && status !== 'waiting');
  const succeeded = results.some(({ status }) => status === 'succeeded');
  const calls = step.calls.map((call) =>
    isOpen(call) ? cancelled(call) : answer === null ? withTold(call, view) : call,
  );
  const recorded = changeOpen(view, (it) => ({ ...it, calls, answer, endedAtMs: atMs }));
  return {
    ...withNotes(recorded, { isOpen: false, hint: null, isProposed: false, told: [] }),
    violationsInRow: succeeded ? 0 : view.violationsInRow,
    toolErrorsInRow: succeeded ? 0 : view.toolErrorsInRow + (results.length > 0 ? 1 : 0),
  };
}

function cancelled(call: CallView): CallView {
  return { ...call, status: 'cancelled' };
}

/** An end left it without a result, and the run went on. */
function withTold(call: CallView, { fold }: RunView): CallView {
  const told = fold.told.find(({ callId }) => callId === call.callId);
  if (told === undefined) return call;
  const status = call.status === 'cancelled' ? 'refused' : call.status;
  return { ...call, status, observation: told.observation };
}

function isOpen({ status }: CallView): boolean {
  return status === 'read' || status === 'ready' || status === 'waiting' || status === 'running';
}

/** In THOUGHT the next step begins; in FINAL or ERROR none does. */
export function entered(view: RunView): RunView {
  if (!isInThought(view.state)) return over(view);
  const number = (view.steps.at(-1)?.number ?? 0) + 1;
  const begun = { ...view, steps: [...view.steps, newStep(number, view.atMs)] };
  return withPartial(withNotes(begun, { isOpen: true, attempt: 1, hint: null, isProposed: false }));
}

function over(view: RunView): RunView {
  return view.state === 'FINAL' ? { ...view, stopReason: 'final' } : view;
}

type FromOutside = RunAborted | ClockExpired | StoreFailed | MachineFailed;

const reasonOf = {
  'run.aborted': 'aborted',
  'clock.expired': 'timeout',
  'store.failed': 'store_error',
  'machine.failed': 'internal_error',
} as const satisfies Record<FromOutside['type'], string>;

/** `before`: the run as the end found it. A reply that was being read is paid for; what may have happened is unknown from now on. */
export function endedFromOutside(view: RunView, before: RunView, event: FromOutside & { wallMs: number }): RunView {
  const { spent, waiting = [], tokens } = { spent: undefined, waiting: undefined, tokens: undefined, ...event };
  const wasReading = isInThought(before.state) && tokens !== undefined;
  const left = wasReading
    ? charge(
        changeOpen(view, (step) =>
          step.tries.at(-1)?.finish === null ? withTryEnded(step, { ...event, tokens }, { finish: null }) : step,
        ),
        { tokens },
      )
    : view;
  const abandoned = abandonedCalls(charged(left, spent), waiting);
  return { ...abandoned, stopReason: reasonOf[event.type], failure: failureIn(event) ?? view.failure };
}

function abandonedCalls(view: RunView, waiting: readonly string[]): RunView {
  const inFlight =
    openStep(view)?.calls.filter((call) => call.status === 'running' && call.effect !== 'readOnly') ?? [];
  const lost = inFlight.filter(({ callId }) => !waiting.includes(callId));
  if (lost.length === 0) return view;
  const left = changeOpen(view, (step) => ({
    ...step,
    calls: step.calls.map((call) => (lost.includes(call) ? { ...call, status: 'unknown' as const } : call)),
  }));
  const unknown = lost.map(({ callId, tool, input }) => ({ toolCallId: callId, tool, input }));
  return { ...left, unknown: [...view.unknown, ...unknown] };
}

function failureIn(event: FromOutside): RunView['failure'] {
  if (event.type === 'store.failed') return { message: event.message, hint: event.hint };
  return event.type === 'machine.failed' ? { message: event.message, hint: defectHint } : null;
}

const defectHint = 'This is a defect of the loop: please report it with the trace.';

/** The end, or the pause: the last event of a run. */
export function ended(view: RunView, event: RunEnded): RunView {
  const { stopReason } = event;
  const partial = event.partial ?? view.partial;
  const over = withNotes({ ...view, stopReason, partial }, { isOver: true });
  if (stopReason === 'suspended') return { ...over, phase: 'suspended' };
  return changeOpen({ ...over, phase: 'ended' }, (step) => ({
    ...step,
    endedAtMs: view.atMs,
    calls: step.calls.map((call) => (isOpen(call) ? cancelled(call) : call)),
  }));
}
