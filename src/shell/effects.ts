/**
 * Performs the machine's commands: asks the model, lets calls pass the gates, runs them, asks people. What comes of it goes
 * back as events. One run has one of these; nothing here decides what happens next.
 */
import type { Command } from '../../machines/commands.ts';
import { endWithin, isWithin, startWithin, unitsOfTokens } from '../context/tokens.ts';
import { messageOf } from '../core/errors.ts';
import type { CallSettled, ReactEvent } from '../core/events.ts';
import type { JournalEvent } from '../core/journal.ts';
import type { CallState } from '../core/snapshot.ts';
import { noTokens, type TokenCount } from '../core/usage.ts';
import type { Settled } from '../core/within.ts';
import { type CallOptions, type CallOutcome, interruptedCall, runCall } from '../dispatch/call.ts';
import { checkCalls } from '../dispatch/gates.ts';
import { type Cutter, cut } from '../dispatch/observation.ts';
import type { History } from './history.ts';
import { lazyAbort } from './lazy-abort.ts';
import type { RunPlan } from './plan.ts';
import { type Reply, readReply } from './reply.ts';

export interface EffectsOptions {
  readonly plan: RunPlan;
  readonly history: History;
  /** What the schemas made of the inputs of this step's calls, by call id. */
  readonly parsed: Map<string, unknown>;
  /** Running time. */
  readonly nowMs: () => number;
  readonly send: (event: ReactEvent) => void;
  /** For facts that are not events of the machine. */
  readonly record: (event: JournalEvent) => void;
  readonly onDelta: (step: number, text: string) => void;
}

/** Approvals stop the running time and are the run's own matter. */
export type Performed = Exclude<Command, { type: 'askApproval' | 'closeApproval' }>;

export interface Effects {
  perform(command: Performed): void;
  /** Tokens of the reply that is being read. */
  tokens(): TokenCount;
  /** Of a reply that was left before its end: what may be shown of it. */
  partial(): string | null;
  /** Nothing is left in flight. */
  cancelAll(): void;
}

/** A model or tool that always answers at once would starve every timer: after so many pieces others get their turn. */
const piecesPerTurn = 64;

export function createEffects(options: EffectsOptions): Effects {
  const { plan, history, nowMs, send, parsed } = options;
  const cutter = observationCutter(plan.sizes.maxObservationTokens);
  let reply: Reply | null = null;
  let lastReply: Reply | null = null;
  const toolNames = [...plan.toolbox.keys()];
  const inFlight = new Set<() => void>();
  let pieces = 0;

  const giveWay = () => ++pieces % piecesPerTurn === 0;

  const cancelCalls = () => {
    for (const cancel of inFlight) cancel();
    inFlight.clear();
  };
  /** Work that can be cancelled until it is done; most of it is done within the call. */
  const track = (begin: (done: () => void) => () => void) => {
    let open = true;
    let cancel = () => {};
    const done = () => {
      open = false;
      inFlight.delete(cancel);
    };
    cancel = begin(done);
    if (open) inFlight.add(cancel);
  };
  const cancelReply = () => {
    reply?.cancel();
    lastReply = reply ?? lastReply;
    reply = null;
  };

  const askModel = ({ step, tokensLeft }: Extract<Command, { type: 'askModel' }>) => {
    const promptTokens = history.promptTokens();
    const room = tokensLeft - promptTokens;
    const atMs = nowMs();
    if (room < 1) return send({ type: 'prompt.refused', step, atMs, promptTokens });
    options.record({ type: 'prompt.sent', step, atMs, promptTokens, messages: history.messages.length });
    history.open(step, atMs);
    const { dialect, language, sizes } = plan;
    reply = readReply({
      model: plan.model,
      timeouts: plan.timeouts,
      clock: plan.clock,
      cutHint: plan.cutHint,
      request: {
        messages: history.messages.slice(),
        stop: dialect.serverStops,
        maxOutputTokens: Math.min(sizes.maxReplyTokens, room),
        temperature: plan.temperature,
        step,
      },
      promptTokens,
      // The server was asked for `maxReplyTokens`; our count of the same text may differ by half either way.
      mostTokens: Math.min(room, 2 * sizes.maxReplyTokens),
      scanner: dialect.scanner({ tools: toolNames, language }),
      cutText: (text) => cut(text, cutter, plan.messages),
      nowMs,
      giveWay,
      send,
      onDelta: (text) => options.onDelta(step, text),
    });
  };

  const gate = ({ step, calls, effects }: Extract<Command, { type: 'checkCalls' }>) => {
    parsed.clear();
    const { toolbox, messages, within, timeouts } = plan;
    const options = { toolbox, messages, within, hookMs: timeouts.hookMs, effects, parsed };
    track((done) =>
      checkCalls(calls, options, (verdicts) => {
        done();
        send({ type: 'calls.checked', step, atMs: nowMs(), verdicts });
      }),
    );
  };

  const run = (step: number, call: CallState) => {
    const startedAtMs = nowMs();
    const settled = (outcome: CallOutcome): CallSettled => ({
      type: 'call.settled',
      step,
      callId: call.callId,
      atMs: nowMs(),
      ...outcome,
      startedAtMs,
    });
    const abort = lazyAbort();
    const { toolbox, messages, within, timeouts } = plan;
    const callOptions: CallOptions = {
      toolbox,
      messages,
      within,
      hookMs: timeouts.hookMs,
      cutter,
      parsed,
      abort: abort.abort,
      toolCallOptions: {
        toolCallId: call.callId,
        idempotencyKey: `${plan.runId}:${call.callId}`,
        messages: history.messages,
        context: plan.context,
        get abortSignal() {
          return abort.signal;
        },
      },
    };
    const report = (outcome: CallOutcome) => send(settled(outcome));
    track((done) =>
      runCall(
        call,
        callOptions,
        (outcome) => {
          done();
          report(outcome);
        },
        report,
      ),
    );
  };

  /** What may be done twice is run again; of the rest nobody knows whether it took effect. */
  const recover = (step: number, call: CallState) => {
    if (call.effect === 'readOnly' || call.effect === 'idempotent') return run(step, call);
    const atMs = nowMs();
    const outcome = interruptedCall(call, plan.messages);
    send({ type: 'call.settled', step, callId: call.callId, atMs, ...outcome, startedAtMs: atMs });
  };

  const checkAnswer = ({ step, answer }: Extract<Command, { type: 'checkAnswer' }>) => {
    const accept = () => send({ type: 'answer.accepted', step, atMs: nowMs(), answer });
    const reject = (hint: string) => send({ type: 'answer.rejected', step, atMs: nowMs(), hint });
    const check = plan.checkAnswer;
    if (check === null) return accept();
    track((done) =>
      plan.within(
        plan.timeouts.hookMs,
        () => check(answer, history.steps),
        (settled) => {
          done();
          if (settled.kind !== 'value') return reject(unchecked(settled));
          if (settled.value === true) accept();
          else reject(String(settled.value));
        },
      ),
    );
  };

  const perform = (command: Performed): void => {
    switch (command.type) {
      case 'askModel':
        return askModel(command);
      case 'cancelReply':
        return cancelReply();
      case 'checkCalls':
        return gate(command);
      case 'runCalls':
        for (const call of command.calls) run(command.step, call);
        return;
      case 'recoverCalls':
        for (const call of command.calls) recover(command.step, call);
        return;
      case 'cancelCalls':
        return cancelCalls();
      case 'checkAnswer':
        return checkAnswer(command);
      case 'recordStep':
        return history.close(command, nowMs());
    }
  };

  return {
    perform,
    tokens: () => reply?.tokens() ?? noTokens,
    partial: () => lastReply?.partial() ?? null,
    cancelAll: () => {
      cancelReply();
      cancelCalls();
    },
  };
}

function unchecked(settled: Exclude<Settled<unknown>, { kind: 'value' }>): string {
  return `The answer could not be checked: ${settled.kind === 'late' ? 'no result in time' : messageOf(settled.thrown)}.`;
}

function observationCutter(maxTokens: number): Cutter {
  const units = unitsOfTokens(maxTokens);
  return {
    fits: (text) => isWithin(text, units),
    start: (text, share) => startWithin(text, Math.floor(units * share)),
    end: (text, share) => endWithin(text, Math.floor(units * share)),
  };
}
