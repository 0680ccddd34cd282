/** A run that goes on: where it was left, with what its snapshot says of the step in progress. Pure. */
import type { RunResumed } from '../core/journal.ts';
import type { CallState } from '../core/snapshot.ts';
import { charged } from './fold-calls.ts';
import { atTheDoor, entered } from './fold-door.ts';
import { askedAnew, callKnown } from './fold-reply.ts';
import { started } from './fold-start.ts';
import { blankView, changeOpen, isInThought, isRunning, newStep, openStep, withNotes } from './fold-view.ts';
import type { CallView, Mark, RunView } from './run-view.ts';

type Resumed = RunResumed & Pick<RunView, 'state'> & { readonly sequence: number };

/** `seen`: what came last; of another run it says nothing of this one. The state is set by whoever calls. */
export function resumed(seen: RunView, event: Resumed): RunView {
  const isSame = seen.runId === event.runId && seen.events > 0;
  const before = isSame ? takenUp(seen, event.sequence) : unseen(event);
  const { limits, policy, tools = before.tools, spent, atMs = 0 } = event;
  const view: RunView = {
    ...charged(before, spent),
    ...{ limits, policy, tools, state: event.state, stopReason: null, failure: null },
    resumed: before.resumed + 1,
    atMs: Math.max(before.atMs, atMs),
  };
  const kept = withNotes(withCalls(view, event), { cutShort: null, told: event.told ?? [], isOver: false });
  return before.state === 'ERROR' ? reopened(kept) : restored(kept);
}

/** Nothing is known of what was before but what the event says. */
function unseen({ runId, sequence, calls, state }: Resumed): RunView {
  const view = { ...blankView(), runId, missing: sequence, state };
  const [first] = calls;
  if (first === undefined) return view;
  const number = Number.parseInt(first.callId, 10);
  if (!Number.isFinite(number)) return view;
  return withNotes({ ...view, steps: [newStep(number, 0)] }, { isOpen: true });
}

/** Behind the event at which the snapshot was taken: what came later is not of this run any more. */
function takenUp(seen: RunView, sequence: number): RunView {
  const { due, marks } = seen.fold;
  const missing = seen.missing + Math.max(0, sequence - due);
  if (sequence >= due) return { ...seen, missing };
  const at = marks.findLastIndex(({ view }) => view.fold.due === sequence);
  const mark = marks[at];
  // Further back than is remembered: what there is, is not this run's.
  if (mark === undefined) return { ...seen, missing: missing + 1 };
  const { moves, events, ignored, resumed: times } = seen;
  const { steps, messages } = keptBy(mark, seen);
  const view: RunView = { ...mark.view, steps, messages, moves, events, ignored, resumed: times };
  return withNotes(view, { marks: marks.slice(0, at + 1) });
}

function keptBy({ steps, last, messages }: Mark, seen: RunView): Pick<RunView, 'steps' | 'messages'> {
  const before = seen.steps.slice(0, Math.max(0, steps - 1));
  return { steps: last === null ? [] : [...before, last], messages: seen.messages.slice(0, messages) };
}

/** The calls as the snapshot has them, with what is known of them beside. */
function withCalls(view: RunView, { calls }: Resumed): RunView {
  return changeOpen(view, (step) => ({
    ...step,
    endedAtMs: null,
    calls: calls.map((call) => {
      const known = step.calls.find(({ callId }) => callId === call.callId) ?? callKnown(call);
      const { input, effect, endsRun, key, empty } = call;
      return { ...known, ...{ input, effect, endsRun, key, empty }, status: statusOf(call, known.observation) };
    }),
  }));
}

const statuses = {
  read: 'read',
  ready: 'ready',
  asking: 'waiting',
  started: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  unknown: 'unknown',
  refused: 'refused',
} as const satisfies Record<CallState['status'], CallView['status']>;

/** A refusal always says why: without, the call waited for its place when the run ended. */
function statusOf({ status }: CallState, observation: string | null): CallView['status'] {
  return status === 'refused' && observation === null ? 'cancelled' : statuses[status];
}

/** Where it was left at a pause, or with its process: a reply that was being read is asked for again. */
function restored(view: RunView): RunView {
  return isInThought(view.state) ? askedAnew(view, view.fold.attempt) : view;
}

/** Where an end found it, with other limits (`reopened` in the machine). */
function reopened(view: RunView): RunView {
  const step = openStep(view);
  if (step === null) return isInThought(view.state) ? entered(view) : view;
  if (step.calls.length > 0) {
    const isBegun = step.calls.some(({ status }) => status === 'running');
    return isRunning(view.state) && !isBegun ? started(view) : atTheDoor(view);
  }
  if (view.fold.isProposed) return view;
  return isInThought(view.state) ? askedAnew(view, 1) : view;
}
