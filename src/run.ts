/**
 * One run: the machine's port, the clock and the world, tied together by one queue. Events go in one at a time; each
 * transition is recorded, then its commands are performed, and what comes of them are events again.
 */
import { AgentError, messageOf } from './core/errors.ts';
import type { ReactEvent } from './core/events.ts';
import type { JournalEvent } from './core/journal.ts';
import type { JsonValue } from './core/json.ts';
import type { Outcome } from './core/outcome.ts';
import type { Snapshot } from './core/snapshot.ts';
import type { LiveEvent, TraceEvent } from './core/trace.ts';
import { createApproval } from './shell/approval.ts';
import { createEffects } from './shell/effects.ts';
import { createHistory } from './shell/history.ts';
import { liveFeed } from './shell/live-feed.ts';
import { outcomeOf } from './shell/outcome.ts';
import type { RunPlan } from './shell/plan.ts';
import { runClock } from './shell/run-clock.ts';
import { armTimer } from './shell/timer.ts';
import { traceEvent } from './shell/trace.ts';
import { unheeded } from './shell/within.ts';
import { isDone, type Stepped, stateOf } from './step.ts';

/** A run in progress. Iterate over it for its events: those of the trace, and pieces of the reply as they arrive. */
export interface Run extends AsyncIterable<LiveEvent> {
  readonly runId: string;
  /** Never rejects. */
  readonly outcome: Promise<Outcome>;
  /** Lets a waiting call run, as the model wrote it or with another input. AgentError where the call does not wait. */
  approve(toolCallId: string, edited?: { readonly input: JsonValue }): void;
  /** Refuses a waiting call; the model is told why. AgentError where the call does not wait. */
  deny(toolCallId: string, why?: string): void;
  /** Ends the run with `aborted`, at once. Without effect after the end. */
  abort(reason?: unknown): void;
  /** The run at rest, as plain data, for `agent.resume`. AgentError after the end. */
  snapshot(): Snapshot;
}

export function createRun(plan: RunPlan, from: Snapshot | null): Run {
  const { port, clock } = plan;
  const running = runClock(clock, from?.atMs ?? 0);
  const startedAtMs = from?.startedAtMs ?? clock.wallMs();
  const feed = plan.attended ? liveFeed() : null;
  const history = createHistory(
    plan.dialect,
    plan.language,
    from?.history ?? { messages: plan.opening, steps: [], open: null },
  );
  const queue: ReactEvent[] = [];
  let sequence = from?.sequence ?? 0;
  let modelCalls = from?.modelCalls ?? 0;
  let draining = false;
  let ended = false;
  let disarmDeadline = () => {};

  const begun: Stepped =
    from === null
      ? port.start(plan.limits)
      : { snapshot: port.restore(from.state, { ...from.context, limits: plan.limits }), commands: [], ignored: false };
  let { snapshot } = begun;

  const record = (event: JournalEvent, ignored = false) => {
    const place = sequence++;
    if (event.type === 'prompt.sent') modelCalls++;
    if (feed === null && plan.onEvent === null) return;
    const entry = { sequence: place, event, state: stateOf(snapshot), ...(ignored ? { ignored } : {}) };
    const seen = traceEvent(entry, plan.redaction);
    feed?.push(seen);
    observe(plan, seen);
  };

  const send = (event: ReactEvent) => {
    if (ended) return;
    queue.push(event);
    if (!draining) drain();
  };

  /** One event at a time, also where performing a command answers at once. */
  const drain = () => {
    draining = true;
    for (let event = queue.shift(); event !== undefined && !ended; event = queue.shift()) take(event);
    draining = false;
  };

  const take = (event: ReactEvent) => {
    const stepped = port.step(snapshot, event);
    snapshot = stepped.snapshot;
    const obeyed = stepped.expired ?? stepped.failed;
    record(event, stepped.ignored);
    if (obeyed !== undefined) record(obeyed);
    if (!stepped.ignored) history.apply(event);
    performAll(stepped.commands);
    if (isDone(snapshot)) finish(null);
  };

  const performAll = (commands: Stepped['commands']) => {
    try {
      for (const command of commands) {
        if (command.type === 'askApproval') pause(command);
        else if (command.type === 'closeApproval') goOn();
        else effects.perform(command);
      }
    } catch (thrown) {
      queue.push({ type: 'machine.failed', atMs: running.nowMs(), message: messageOf(thrown) });
    }
  };

  const parsed = new Map<string, unknown>();
  const effects = createEffects({
    plan,
    parsed,
    history,
    nowMs: running.nowMs,
    send,
    record,
    onDelta: (step, text) => feed?.push({ type: 'reply.delta', step, text }),
  });
  const approval = createApproval({
    plan,
    parsed,
    nowMs: running.nowMs,
    send,
    waiting: () => (isDone(snapshot) ? [] : snapshot.context.calls.filter(({ status }) => status === 'asking')),
  });

  /** While a person decides no running time passes. With nobody there, the run stops here and can go on later. */
  const pause = (command: Parameters<typeof approval.ask>[0]) => {
    disarmDeadline();
    running.pause();
    if (plan.attended) approval.ask(command);
    else finish(document());
  };
  const goOn = () => {
    approval.close();
    running.resume();
    armDeadline();
  };
  const armDeadline = () => {
    const expire = () => send({ type: 'clock.expired', atMs: running.nowMs(), tokens: effects.tokens() });
    disarmDeadline = armTimer(clock, running.nowMs, () => plan.limits.wallClockMs, expire);
  };

  const abort = (reason: unknown) =>
    send({
      type: 'run.aborted',
      atMs: running.nowMs(),
      why: reason === undefined ? '' : messageOf(reason),
      tokens: effects.tokens(),
    });
  const onSignal = () => abort(plan.signal?.reason);

  const document = (): Snapshot => ({
    format: 'fuseloop.snapshot/1',
    machineHash: port.machineHash,
    runId: plan.runId,
    task: plan.task,
    state: stateOf(snapshot),
    context: snapshot.context,
    history: history.keep(),
    atMs: running.nowMs(),
    startedAtMs,
    sequence,
    modelCalls,
  });

  let resolveOutcome: (outcome: Outcome) => void = () => {};
  const outcome = new Promise<Outcome>((resolve) => {
    resolveOutcome = resolve;
  });

  /** The one end. Nothing is armed, listened to or in flight afterwards, and nothing is recorded. */
  const finish = (suspended: Snapshot | null) => {
    const atMs = running.nowMs();
    disarmDeadline();
    approval.close();
    effects.cancelAll();
    const partial = effects.partial() ?? history.partial();
    plan.signal?.removeEventListener('abort', onSignal);
    const open = history.unfinished(snapshot.context.calls, atMs);
    const result = outcomeOf({
      runId: plan.runId,
      context: snapshot.context,
      steps: open === null ? [...history.steps] : [...history.steps, open],
      modelCalls,
      partial,
      startedAtMs,
      endedAtMs: clock.wallMs(),
      suspended,
    });
    record({ type: 'run.ended', stopReason: result.stopReason, wallMs: clock.wallMs() });
    ended = true;
    feed?.close();
    resolveOutcome(result);
  };

  const begin = () => {
    record(
      from === null
        ? startedEvent(plan, startedAtMs)
        : { type: 'run.resumed', limits: plan.limits, wallMs: clock.wallMs() },
    );
    if (isDone(snapshot)) return finish(null);
    if (plan.signal?.aborted === true) return onSignal();
    plan.signal?.addEventListener('abort', onSignal, { once: true });
    const due = port.outstanding(snapshot);
    if (due.deadlineMs !== null) armDeadline();
    draining = true;
    performAll(from === null ? begun.commands : due.commands);
    drain();
  };
  begin();

  return {
    runId: plan.runId,
    outcome,
    abort,
    approve: (callId, edited) => approval.approve(callId, edited ?? null),
    deny: (callId, why = '') => approval.deny(callId, why),
    snapshot() {
      if (!ended) return document();
      throw new AgentError('invalid_option', 'The run has ended.', {
        hint: 'Take a snapshot before the end; a suspended outcome holds one.',
      });
    },
    [Symbol.asyncIterator]: () => (feed ?? liveFeed()).read(),
  };
}

function startedEvent(plan: RunPlan, wallMs: number): JournalEvent {
  return {
    type: 'run.started',
    format: 'fuseloop.journal/1',
    runId: plan.runId,
    task: plan.task,
    messages: plan.opening,
    limits: plan.limits,
    machineHash: plan.port.machineHash,
    model: { provider: plan.model.provider, name: plan.model.name },
    dialect: plan.dialect.name,
    tools: [...plan.toolbox.keys()],
    wallMs,
  };
}

/** An observer can see a run and never change it: what it throws or rejects with is its own matter. */
function observe({ onEvent }: RunPlan, event: TraceEvent): void {
  if (onEvent !== null) unheeded(() => onEvent(event));
}
