/** Carries out one part of a recorded run, from its beginning or from where it was taken up, as long as it follows the recording. */
import { AgentError } from '../core/errors.ts';
import type { InputSchema } from '../core/schema.ts';
import type { Snapshot } from '../core/snapshot.ts';
import type { TraceEvent } from '../core/trace.ts';
import type { Run } from '../run.ts';
import { type Following, followTrace } from './follow-trace.ts';
import { budgetOf, inexactIn, type Replaying, replayAgent } from './replay-options.ts';
import type { ReplayTime } from './replay-time.ts';
import { replayedPerson } from './replayed-person.ts';
import type { RecordedPart, RecordedRun } from './trace-runs.ts';

export interface PlayedPart {
  readonly following: Following;
  /** Where the run can be taken up, as it was; null where it has ended. */
  readonly snapshot: Snapshot | null;
}

/** `from` is where the part before it was left. */
export async function playPart<Schema extends InputSchema | undefined>(
  shared: Omit<Replaying<Schema>, 'onEvent' | 'step'>,
  part: RecordedPart,
  from: Snapshot | null,
): Promise<PlayedPart> {
  const { run: recorded, time, options } = shared;
  let step = from?.context.step ?? 0;
  let run: Run<unknown> | null = null;
  const attended = part.stopReason !== 'suspended' || part.events.some(({ type }) => type === 'approval.asked');
  const person = replayedPerson(part, time);
  const onEvent = (event: TraceEvent) => {
    if (event.type === 'prompt.sent') step = event.step;
    if (event.type === 'approval.granted' || event.type === 'approval.denied') time.goOnFrom(event.atMs);
    following.take(event);
    if (event.type === 'approval.asked') person(event.step, () => run);
    if (event.type === 'run.ended') return;
    leaveInTime();
    if (attended && isLeftWaiting(following.due())) queueMicrotask(() => leaveWaiting(run));
  };
  const replaying: Replaying<Schema> = { ...shared, onEvent, step: () => step };
  const made = replayAgent(replaying, part);
  const following = followTrace({
    runId: recorded.started.runId,
    events: part.events,
    isInexact: inexactIn(replaying, made),
    isCutOff: part.stopReason === null,
  });
  const leaveInTime = leaving(following, time, (why) => run?.abort(why));
  if (from !== null) time.goOnFrom(from.atMs);
  run =
    from === null
      ? made.agent.start(recorded.started.task, { ...openingOf(recorded), attended })
      : made.agent.resume(from, { budget: { ...budgetOf(part.begin.limits), ...options.budget }, attended });
  const outcome = await time.clock.until(run.outcome);
  following.end();
  return { following, snapshot: outcome.ok ? null : (outcome.snapshot ?? null) };
}

/** Somebody was there, and left the run where it waited. */
function isLeftWaiting(due: ReturnType<Following['due']>): boolean {
  return due?.type === 'run.ended' && due.stopReason === 'suspended';
}

/** One that does not wait differs from the recording, which is told. */
function leaveWaiting(run: Run<unknown> | null): void {
  try {
    run?.suspend();
  } catch (thrown) {
    if (!(thrown instanceof AgentError)) throw thrown;
  }
}

/** To be called after each event: aborts the run where the recorded one was, and where it is followed no further. */
function leaving(following: Following, time: ReplayTime, abort: (why: string) => void): () => void {
  let isLeft = false;
  return () => {
    const due = following.due();
    if (isLeft || (due !== null && due.type !== 'run.aborted')) return;
    isLeft = true;
    // What stands before it in the recording has happened; what has the same millisecond has not.
    if (due !== null) void time.until(due.atMs, -1).then(() => abort(due.why));
    else
      queueMicrotask(() =>
        abort(following.hasLeft() ? 'The replay has left the recording.' : 'The recording ends here.'),
      );
  };
}

/** What was said before the task. */
function openingOf({ started: { messages, runId } }: RecordedRun) {
  return { runId, messages: messages.slice(messages[0]?.role === 'system' ? 1 : 0, -1) };
}
