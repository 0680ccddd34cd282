/**
 * The picture of a run, folded from its trace: the events in, one after the other, a `RunView` out. Everything that shows a run is
 * made from it. Pure; it only reads, and nothing here can change a run.
 */
import type { TraceDropped, TraceEvent } from '../core/trace.ts';
import { movesOf, pathOf } from './chart/path.ts';
import {
  answerAccepted,
  answerRejected,
  approvalAsked,
  approvalDenied,
  approvalGranted,
  callNested,
  callRetried,
  callSettled,
  callsChecked,
} from './fold-calls.ts';
import { atTheDoor, ended, endedFromOutside, entered } from './fold-door.ts';
import {
  modelAsked,
  promptSent,
  replyEnded,
  replyFailed,
  replyFiltered,
  replyStopped,
  replyTruncated,
} from './fold-reply.ts';
import { resumed } from './fold-resumed.ts';
import { blankView, changeStep, marked, phaseOf, withNotes } from './fold-view.ts';
import type { RunView } from './run-view.ts';

/**
 * The run behind an event. `view` is the one behind the event before; null before the first. What the event does not touch stays
 * the same object.
 *
 * It never throws. Events that are missing are counted (`missing`); one that comes twice, one that the run itself ignored, one of
 * a kind that is not known, and one that has not the shape of its kind change nothing but the count (`ignored`).
 */
export function viewAfter(view: RunView | null, event: TraceEvent | TraceDropped): RunView {
  const before = view ?? blankView();
  try {
    if (event.type === 'run.started') return begun(event);
    return event.type === 'trace.dropped' ? dropped(before, event) : take(before, event);
  } catch {
    return passedOver(before, event);
  }
}

/** The runs of a trace, in the order in which they began: of one run, or of several one after the other. One that goes on is one. */
export function runViews(events: Iterable<TraceEvent | TraceDropped>): readonly RunView[] {
  const views: RunView[] = [];
  let current = -1;
  for (const event of events) {
    if (event.type === 'run.started') current = views.length;
    if (event.type === 'run.resumed') current = placeOf(event.runId, views);
    if (current === -1) current = 0;
    views[current] = viewAfter(views[current] ?? null, event);
  }
  return views;
}

function placeOf(runId: string, views: readonly RunView[]): number {
  const place = views.findLastIndex((view) => view.runId === runId);
  return place === -1 ? views.length : place;
}

function begun(event: Extract<TraceEvent, { type: 'run.started' }>): RunView {
  const { runId, task, model, dialect, tools, policy, limits, wallMs } = event;
  const start = { runId, task, model, dialect, tools, policy, limits, startedWallMs: wallMs };
  const view = moved({ ...blankView(), ...start }, event, null);
  return marked(entered({ ...view, missing: event.sequence }));
}

function take(view: RunView, event: Exclude<TraceEvent, { type: 'run.started' }>): RunView {
  if (event.type === 'run.resumed') return marked(moved(resumed(view, event), event, view.state));
  if (event.sequence < view.fold.due || event.ignored === true) return passedOver(view, event);
  const before = view.events === 0 ? null : view.state;
  const missing = view.missing + event.sequence - view.fold.due;
  const atMs = 'atMs' in event && Number.isFinite(event.atMs) ? Math.max(view.atMs, event.atMs) : view.atMs;
  const next = told({ ...moved(view, event, before), missing, atMs }, view, event);
  return next === null ? passedOver(view, event) : marked(next);
}

/** The writer of the trace left events out. */
function dropped(view: RunView, { to, wallMs }: TraceDropped): RunView {
  const missing = view.missing + Math.max(0, to + 1 - view.fold.due);
  return withNotes({ ...view, missing, lastWallMs: wallMs }, { due: Math.max(view.fold.due, to + 1) });
}

/** Only counted. Of what is no event of a trace, not even the place is. */
function passedOver(view: RunView, event: { readonly type: string; readonly sequence?: number }): RunView {
  const counted = { ...view, events: view.events + 1, ignored: view.ignored + 1 };
  const { due } = view.fold;
  const { sequence } = event;
  if (sequence === undefined || !Number.isSafeInteger(sequence) || sequence < due) return counted;
  return marked(withNotes({ ...counted, missing: view.missing + sequence - due }, { due: sequence + 1 }));
}

/** With the place that the event has. */
function moved(view: RunView, event: TraceEvent, before: RunView['state'] | null): RunView {
  const path = pathOf(before, event);
  const ways = movesOf(path);
  const moves = ways.length === 0 ? view.moves : new Map(view.moves);
  if (moves instanceof Map) for (const way of ways) moves.set(way, (moves.get(way) ?? 0) + 1);
  return {
    ...view,
    cut: view.cut + (event.cut === true ? 1 : 0),
    state: event.state,
    phase: phaseOf(event.state),
    moves,
    lastMoves: path.length === 0 ? view.lastMoves : path,
    lastWallMs: event.wallMs,
    events: view.events + 1,
    fold: { ...view.fold, due: event.sequence + 1 },
  };
}

type Told = Exclude<TraceEvent, { type: 'run.started' | 'run.resumed' }>;

/** `before`: behind the event before. Null where the event is of a kind that is not known. */
function told(view: RunView, before: RunView, event: Told): RunView | null {
  switch (event.type) {
    case 'prompt.sent':
      return promptSent(view, event);
    case 'model.asked':
      return modelAsked(view, event);
    case 'call.retried':
      return callRetried(view, event);
    case 'call.nested':
      return callNested(view, event, viewAfter);
    case 'loop.warned':
      return changeStep(view, event.step, (step) => ({ ...step, loopWarned: true }));
    case 'run.ended':
      return ended(view, event);
    case 'approval.asked':
      return approvalAsked(view, event);
    default:
      return obeyed(view, before, event);
  }
}

type Obeyed = Exclude<
  Told,
  {
    type:
      | 'prompt.sent'
      | 'model.asked'
      | 'call.retried'
      | 'call.nested'
      | 'loop.warned'
      | 'run.ended'
      | 'approval.asked';
  }
>;

function obeyed(view: RunView, before: RunView, event: Obeyed): RunView | null {
  switch (event.type) {
    case 'reply.stopped':
      return replyStopped(view, event);
    case 'reply.failed':
      return replyFailed(view, event);
    case 'reply.filtered':
      return replyFiltered(view, event);
    case 'prompt.refused':
      return { ...view, stopReason: 'token_budget' };
    case 'run.aborted':
    case 'clock.expired':
    case 'store.failed':
    case 'machine.failed':
      return endedFromOutside(view, before, event);
    case 'reply.ended':
      return atTheDoor(replyEnded(view, event));
    case 'reply.truncated':
      return atTheDoor(replyTruncated(view, event));
    case 'calls.checked':
      return atTheDoor(callsChecked(view, event));
    case 'approval.granted':
      return atTheDoor(approvalGranted(view, event));
    case 'approval.denied':
      return atTheDoor(approvalDenied(view, event));
    case 'call.settled':
      return atTheDoor(callSettled(view, event));
    case 'answer.accepted':
      return atTheDoor(answerAccepted(view, event));
    case 'answer.rejected':
      return atTheDoor(answerRejected(view, event));
    default:
      return null;
  }
}
