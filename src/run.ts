/**
 * One run: the machine's port, the clock and the world, tied together by one queue. Events go in one at a time; each
 * transition is recorded, then its commands are performed, and what comes of them are events again.
 */
import { charge } from '../machines/budget.ts';
import type { Command } from '../machines/commands.ts';
import { AgentError } from './core/errors.ts';
import type { ReactEvent } from './core/events.ts';
import type { JournalEvent } from './core/journal.ts';
import type { JsonValue } from './core/json.ts';
import { messageOf } from './core/message-of.ts';
import type { Outcome } from './core/outcome.ts';
import type { CallState, KeptHistory, Snapshot } from './core/snapshot.ts';
import type { LiveEvent } from './core/trace.ts';
import type { Usage } from './core/usage.ts';
import { createAnswerGate } from './shell/answer-gate.ts';
import type { AnswerRules } from './shell/answer-rules.ts';
import { createApproval } from './shell/approval.ts';
import { createEffects } from './shell/effects.ts';
import { whyNotOn } from './shell/going-on.ts';
import { createHistory } from './shell/history.ts';
import { createLending, unchargedIn } from './shell/lending.ts';
import { createMailbox } from './shell/mailbox.ts';
import { asStored, outcomeOf, usageOf } from './shell/outcome.ts';
import type { RunPlan } from './shell/plan.ts';
import { createRecorder } from './shell/recorder.ts';
import { redactEvent } from './shell/redact-events.ts';
import { type EndingEvent, endedEvent, identityOf, lifeOf, resumedEvent, startedEvent } from './shell/run-records.ts';
import { createRunTime } from './shell/run-time.ts';
import type { RunScope } from './shell/scope.ts';
import { stepInTime } from './shell/step-in-time.ts';
import { createSuspend, untimed } from './shell/suspending.ts';
import { isOverdue, retakenAfter, takeUp } from './shell/take-up.ts';
import { isDone, type ReactSnapshot, restOf, stateOf } from './step.ts';

/** A run in progress. Iterate over it for its events: those of the trace, and pieces of the reply as they arrive. */
export interface Run<Answer = string> extends AsyncIterable<LiveEvent> {
  readonly runId: string;
  /** Never rejects. */
  readonly outcome: Promise<Outcome<Answer>>;
  /**
   * Lets a waiting call run, as the model wrote it or with another input. `by` is the name of who decides, for the trace.
   * AgentError where the call does not wait.
   */
  approve(toolCallId: string, decision?: { readonly input?: JsonValue; readonly by?: string }): void;
  /** Refuses a waiting call; the model is told why. AgentError where the call does not wait. */
  deny(toolCallId: string, why?: string, decision?: { readonly by?: string }): void;
  /**
   * Leaves the run where it waits for a person: outcome `suspended`, to go on from with `agent.resume`. What was decided before is
   * kept once its `approval.granted` or `approval.denied` was seen. AgentError (`not_awaiting`) where it does not wait.
   */
  suspend(): void;
  /** What it has spent so far, with the reply that is being read. */
  usage(): Usage;
  /** Ends the run with `aborted`, at once. Without effect after the end. */
  abort(reason?: unknown): void;
  /** The run at rest, as plain data, for `agent.resume`. AgentError after an end that no run goes on from. */
  snapshot(): Snapshot;
}

export function createRun<Answer>(plan: RunPlan, rules: AnswerRules<Answer>, from: Snapshot | null): Run<Answer> {
  const { port, clock } = plan;
  const life = lifeOf(plan, from);
  const recorder = createRecorder(plan, from);
  const { startedAtMs, whenDurable, delta: onDelta } = recorder;
  const mailbox = createMailbox<ReactEvent>((event) => take(redactEvent(event, plan.messages.redactor)));
  const begun = beginning(plan, from);
  let { snapshot, retaken } = begun;
  let ended: { readonly left: Snapshot | null } | null = null;

  const time = createRunTime(clock, from?.atMs ?? 0, plan.limits.wallClockMs, () => endBy({ type: 'clock.expired' }));
  const record = (event: JournalEvent, ignored = false) => recorder.record(event, stateOf(snapshot), ignored);
  const parts = partsOf(plan, rules, from, begun.commands);
  const lending = createLending(() => snapshot.context, time.nowMs);
  const shared = { lending, nowMs: time.nowMs, record, whenDurable, onDelta, retaken: () => retaken };
  const scope: RunScope = { ...parts, ...mailbox, ...shared };
  const effects = createEffects(scope);
  const approval = createApproval(scope, () => ({ ...snapshot.context, waiting: callsAwaiting(snapshot) }));

  const take = (event: ReactEvent) => {
    const stepped = stepInTime(port, snapshot, event, effects.open);
    if (stepped.ignored) record(event, true);
    const obeyed = stepped.expired ?? stepped.failed ?? (stepped.ignored ? null : event);
    if (obeyed === null) return;
    snapshot = stepped.snapshot;
    retaken = retakenAfter(retaken, obeyed.type, stateOf(snapshot));
    // The history comes first: a snapshot that is taken when the event is recorded must agree with itself.
    const told = attempt(() => scope.history.follow(obeyed, stepped.commands, recorder.atMs(obeyed)), failed);
    record(obeyed);
    if (told && begunAnew(stepped.commands)) recorder.atRest(document);
    if (told) performAll(stepped.commands);
    if (isDone(snapshot)) finish(null);
  };

  const failed = (message: string) => mailbox.send({ type: 'machine.failed', atMs: time.nowMs(), message });
  const performAll = (commands: readonly Command[]) => attempt(() => commands.forEach(perform), failed);

  const leave = () => finish(untimed(document()));
  const waits = () => ended === null && callsAwaiting(snapshot).length > 0;

  /** While a person decides no running time passes. With nobody there, the run stops here and can go on later. */
  const perform = (command: Command) => {
    switch (command.type) {
      case 'askApproval':
        time.pause();
        return plan.attended ? approval.ask(command) : leave();
      case 'closeApproval':
        approval.close();
        return time.goOn();
      default:
        return effects.perform(command);
    }
  };

  /** From outside, with what is open at this moment. */
  const endBy = (event: EndingEvent) => mailbox.send({ ...event, atMs: time.nowMs(), ...effects.open() });
  const abort = (reason: unknown) => endBy({ type: 'run.aborted', why: reason === undefined ? '' : messageOf(reason) });
  const onSignal = () => abort(plan.signal?.reason);

  const document = (): Snapshot => ({
    ...identityOf(plan, life),
    ...restOf(snapshot),
    ...unchargedIn(lending, effects.tokens()),
    ...(retaken > 0 && { retaken }),
    history: scope.history.keep(),
    atMs: time.nowMs(),
    startedAtMs,
    sequence: recorder.sequence(),
    modelCalls: recorder.modelCalls(),
  });

  const [outcome, resolveOutcome] = promised<Outcome<Answer>>();

  /** The one end. Nothing is armed, listened to or in flight afterwards, and nothing is recorded. */
  const finish = (suspended: Snapshot | null) => {
    time.disarm();
    approval.close();
    effects.cancelAll();
    plan.signal?.removeEventListener('abort', onSignal);
    ended = { left: suspended ?? (mayBeTakenUp(snapshot) ? document() : null) };
    const result = outcomeOf({
      plan,
      context: snapshot.context,
      steps: scope.history.all(snapshot.context.calls, recorder.atMs()),
      modelCalls: recorder.modelCalls(),
      accepted: parts.answers.accepted,
      partial: effects.partial() ?? scope.history.partial(),
      startedAtMs,
      endedAtMs: clock.wallMs(),
      left: ended.left,
    });
    mailbox.close();
    const event = endedEvent(result, callsAwaiting(snapshot), scope.history.partial(), plan);
    const place = { state: stateOf(snapshot), wallMs: result.endedAtMs };
    recorder.end(event, place, ended.left, (end) => resolveOutcome(asStored(result, end)));
  };

  mailbox.hold(() => {
    recorder.open(({ message, hint }) => endBy({ type: 'store.failed', message, hint }));
    record(from === null ? startedEvent(plan, life) : resumedEvent(plan, from, life, begun.askedAnew));
    if (isDone(snapshot)) return finish(null);
    if (plan.signal?.aborted === true) return onSignal();
    plan.signal?.addEventListener('abort', onSignal, { once: true });
    if (port.outstanding(snapshot).deadlineMs !== null) time.arm();
    performAll(begun.commands);
  });

  return {
    runId: plan.runId,
    outcome,
    abort,
    approve: approval.approve,
    deny: approval.deny,
    suspend: createSuspend(waits, leave),
    usage: () => usageOf(charge(snapshot.context, lending.soFar()), recorder.modelCalls(), effects.tokens()),
    snapshot: () => (ended === null ? document() : leftBy(ended)),
    [Symbol.asyncIterator]: recorder.read,
  };
}

function promised<Value>(): [promise: Promise<Value>, resolve: (value: Value) => void] {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((given) => {
    resolve = given;
  });
  return [promise, resolve];
}

function mayBeTakenUp({ context: { stopReason } }: ReactSnapshot): boolean {
  return stopReason !== null && whyNotOn(stopReason) === null;
}

/** What an end left to go on from. */
function leftBy({ left }: { readonly left: Snapshot | null }): Snapshot {
  if (left !== null) return left;
  const hint = 'Take a snapshot before the end; a run that a limit ended has one behind it, too.';
  throw new AgentError('invalid_option', 'The run has ended.', { hint });
}

/** What does not need the run's clock. */
function partsOf<Answer>(
  plan: RunPlan,
  rules: AnswerRules<Answer>,
  from: Snapshot | null,
  commands: readonly Command[],
) {
  const history = createHistory(plan, from?.history ?? emptyHistory(plan));
  history.follow({ type: from === null ? 'run.started' : 'run.restored' }, commands, from?.atMs ?? 0);
  return { plan, history, answers: createAnswerGate(rules, plan, history), parsed: new Map<string, unknown>() };
}

/** What foreign code throws in here is a defect, and ends the run as one. */
function attempt(work: () => void, failed: (message: string) => void): boolean {
  try {
    work();
    return true;
  } catch (thrown) {
    failed(messageOf(thrown));
    return false;
  }
}

/** The first snapshot, and what has to be performed for the run to begin or to go on. */
function beginning({ port, limits, clock }: RunPlan, from: Snapshot | null) {
  if (from === null) return { ...port.start(limits), askedAnew: false, retaken: 0 };
  const { uncharged: spent, retaken = 0 } = from;
  const askedAnew = isOverdue(from, clock.wallMs());
  return { ...takeUp(port, from, { limits, spent, askedAnew }), askedAnew, retaken: retaken + 1 };
}

function emptyHistory({ opening }: RunPlan): KeptHistory {
  return { messages: opening, steps: [], open: null };
}

/** Calls about which a person is asked now. One that will have to be asked about waits for those that run before it. */
function callsAwaiting(snapshot: ReactSnapshot): readonly CallState[] {
  if (!snapshot.matches({ ACTION: 'awaitingApproval' })) return [];
  return snapshot.context.calls.filter(({ status }) => status === 'asking');
}

/** The next step begins: nothing of the one before is open. */
function begunAnew(commands: readonly Command[]): boolean {
  return commands.some((command) => command.type === 'askModel' && command.attempt === 1);
}
