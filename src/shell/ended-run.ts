/**
 * A stored run that is over, as whoever asks for it is given it: what is missing of its end is written, and the outcome is
 * what the journal tells. Nobody is asked and nothing runs again; only what the schema makes of the answer is made anew.
 */
import { AgentError } from '../core/errors.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Snapshot } from '../core/snapshot.ts';
import type { HeldRun, JournalEventLine, JournalLine } from '../core/store.ts';
import { type Fault, whyOf } from '../dispatch/check-value.ts';
import type { Messages } from '../dispatch/messages.ts';
import type { Run } from '../run.ts';
import { type Accepted, readForm, typed } from './answer-gate.ts';
import type { AnswerRules } from './answer-rules.ts';
import { whyNotOn } from './going-on.ts';
import { createHistory, type HistoryPlan } from './history.ts';
import { liveFeed } from './live-feed.ts';
import { observe } from './observing.ts';
import { outcomeOf, usageOf } from './outcome.ts';
import type { RunPlan } from './plan.ts';
import { redactTrace } from './redact-events.ts';
import { type Keeping, problemOf } from './store-writer.ts';
import { createSuspend } from './suspending.ts';

export type EndedPlan = HistoryPlan & Pick<RunPlan, 'within' | 'timeouts' | 'observers'>;

/** A run that somebody took hold of, and where its lines lead. */
export interface Taken {
  readonly keeping: Keeping;
  readonly held: HeldRun;
  readonly snapshot: Snapshot;
}

/** Where it is not known where they lead, nothing is written. */
type Left = Omit<Taken, 'snapshot'> & { readonly snapshot: Snapshot | null };
type EndedLine = Extract<JournalEventLine, { readonly type: 'run.ended' }>;

/** Whether it has ended, and no budget lets it go on. */
export function isOver({ context: { stopReason } }: Snapshot): boolean {
  return stopReason !== null && whyNotOn(stopReason) !== null;
}

/** The run lets go of the store by itself. Its events are `run.ended` alone; observers see it where it was missing. */
export function endedRun<Answer>(taken: Taken, plan: EndedPlan, rules: AnswerRules<Answer>): Run<Answer> {
  const { snapshot, held } = taken;
  const { context, runId, modelCalls } = snapshot;
  storedOutcome(taken, plan, null); // Lines of which none can be told are damaged: it throws before anything is written.
  const missing = missingEnd(taken);
  const line = missing ?? held.lines.findLast(isEnd);
  const feed = liveFeed();
  if (line !== undefined) feed.push(redactTrace(line, plan.messages.redactor));
  feed.close();
  if (missing !== null) observe(plan, redactTrace(missing, plan.messages.redactor), { runId });

  const outcome = new Promise<Outcome<Answer>>((resolve) => {
    leaveStored(taken, (storeError) =>
      reviveAnswer(snapshot, plan, rules, (value) => {
        const result = storedOutcome(taken, plan, value);
        resolve(storeError === null ? result : { ...result, storeError });
      }),
    );
  });
  const refuse = (callId: string) => {
    throw new AgentError('not_awaiting', `The call ${JSON.stringify(callId)} does not wait for a decision.`, {
      hint: 'No call waits: the run has ended.',
    });
  };
  return {
    runId,
    outcome,
    abort: () => {},
    approve: refuse,
    deny: refuse,
    suspend: createSuspend(
      () => false,
      () => {},
    ),
    usage: () => usageOf(context, modelCalls),
    snapshot() {
      const hint = 'What came of it is in its outcome. Begin a new run.';
      throw new AgentError('invalid_option', 'The run has ended.', { hint });
    },
    [Symbol.asyncIterator]: feed.read,
  };
}

/**
 * Writes `run.ended` where the run ended and its process died before that was kept, and lets it go. Calls back with why it could
 * not be written; null where nothing was missing.
 */
export function leaveStored(left: Left, then: (problem: AgentError | null) => void): void {
  const { keeping, held } = left;
  const { within, limitMs } = keeping;
  const letGo = (problem: AgentError | null) =>
    within(
      limitMs,
      () => held.release(),
      () => then(problem),
    );
  const missing = missingEnd(left);
  if (missing === null) letGo(null);
  else
    within<void>(
      limitMs,
      () => held.append([missing]),
      (settled) => letGo(settled.kind === 'value' ? null : problemOf(settled, keeping)),
    );
}

function missingEnd({ held, keeping, snapshot }: Left): EndedLine | null {
  const stopReason = snapshot?.context.stopReason ?? null;
  if (snapshot === null || stopReason === null || held.lines.at(-1)?.type === 'run.ended') return null;
  const { sequence, state } = snapshot;
  return { type: 'run.ended', stopReason, sequence, state, wallMs: keeping.wallMs() };
}

function isEnd(line: JournalLine): line is EndedLine {
  return line.type === 'run.ended';
}

type Valued<Answer> = Pick<Accepted<Answer>, 'answer'> | { readonly fault: Fault } | null;

/** By the schema alone: the answer was accepted, and no check is asked again. Null where there is none. */
function reviveAnswer<Answer>(
  { context: { stopReason, answer } }: Snapshot,
  { messages, within, timeouts: { hookMs } }: EndedPlan,
  { schema }: AnswerRules<Answer>,
  done: (value: Valued<Answer>) => void,
): void {
  if (stopReason !== 'final' || answer === null) return done(null);
  if (schema === null) return done({ answer: typed(answer) });
  readForm(answer, schema, { messages, within, hookMs }, [], (checked) =>
    done(checked.ok ? { answer: typed(checked.parsed) } : { fault: checked.fault }),
  );
}

function storedOutcome<Answer>(taken: Taken, plan: EndedPlan, value: Valued<Answer>): Outcome<Answer> {
  const { snapshot, held, keeping } = taken;
  const { context, runId, modelCalls, startedAtMs, atMs } = snapshot;
  const history = createHistory(plan, snapshot.history);
  const isRefused = value !== null && 'fault' in value;
  return outcomeOf<Answer>({
    plan: { runId, messages: plan.messages },
    context: isRefused ? { ...context, failure: refusalOf(value.fault, plan.messages) } : context,
    steps: history.all(context.calls, atMs),
    modelCalls,
    partial: cutShortIn(held.lines) ?? history.partial(),
    startedAtMs,
    // Its last event: `run.ended` may have been written by whoever asked first.
    endedAtMs: held.lines.findLast((line) => !isEnd(line))?.wallMs ?? keeping.wallMs(),
    accepted: () => (value === null || isRefused ? null : { ...value, notes: notesIn(held.lines, context.step) }),
    left: null,
  });
}

function refusalOf(fault: Fault, messages: Messages): NonNullable<Snapshot['context']['failure']> {
  const why = fault.kind === 'unfit' ? fault.problems.join('; ') : whyOf(fault, messages);
  return {
    message: `The answer was accepted when the run ended, and answerSchema does not take it now: ${why}`,
    hint: 'Ask for the outcome by an agent with the answerSchema that the run began with. The text of the answer is in the last of its steps.',
  };
}

/** Of the step that gave the answer. */
function notesIn(lines: readonly JournalLine[], step: number): readonly string[] {
  const line = lines.findLast((one) => 'notes' in one && one.step === step && one.ignored !== true);
  return line !== undefined && 'notes' in line ? (line.notes ?? []) : [];
}

/** The beginning of an answer, where the last reply was cut in one. */
function cutShortIn(lines: readonly JournalLine[]): string | null {
  const reply = lines.findLast(({ type }) => readsReply.has(type));
  return reply?.type === 'reply.truncated' ? reply.partial : null;
}

const readsReply: ReadonlySet<JournalLine['type']> = new Set<JournalLine['type']>([
  'reply.stopped',
  'reply.ended',
  'reply.truncated',
]);
