/** What is written down of a run beside the machine's own events: who it is, how it began, went on and ended. */
import type { ClockExpired, RunAborted, StoreFailed } from '../core/events.ts';
import { hashOf } from '../core/fingerprint.ts';
import type { JournalEvent, RunEnded, RunResumed } from '../core/journal.ts';
import type { Outcome } from '../core/outcome.ts';
import type { CallState, Snapshot } from '../core/snapshot.ts';
import { untold } from './going-on.ts';
import type { RunPlan } from './plan.ts';

/** What ends a run from outside, without what the run itself knows at that moment. */
export type EndingEvent = Own<RunAborted> | Own<ClockExpired> | Own<StoreFailed>;
type Own<Event> = Omit<Event, 'atMs' | 'tokens' | 'waiting' | 'spent'>;

type Identity = Pick<Snapshot, 'format' | 'machineHash' | 'runId' | 'task' | 'tools' | 'life'>;

export function identityOf({ port, runId, task, registered }: RunPlan, life: string): Identity {
  return { format: 'fuseloop.snapshot/1', machineHash: port.machineHash, runId, task, tools: registered, life };
}

/** Unlike that of any other process which goes on with this run. */
export function lifeOf({ runId, clock }: RunPlan, from: Snapshot | null): string {
  return hashOf(`${runId} ${from?.life} ${from?.sequence} ${clock.wallMs()}`);
}

export function startedEvent(plan: RunPlan, life: string): JournalEvent {
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
    ...(plan.requestTools === null ? {} : { sentTools: plan.requestTools }),
    policy: plan.policy,
    life,
  };
}

export function resumedEvent(
  { runId, limits, policy, registered, messages }: RunPlan,
  { context, uncharged, history, atMs }: Snapshot,
  life: string,
  askedAnew: boolean,
): RunResumed {
  const told = untold(history.open, context.calls, messages);
  return {
    type: 'run.resumed',
    ...{ runId, limits, policy, tools: registered, life },
    ...(uncharged === undefined ? {} : { spent: uncharged }),
    ...(askedAnew ? { askedAnew } : {}),
    calls: context.calls,
    ...(told.length > 0 && { told }),
    atMs,
  };
}

/** `asking`: the calls about which a person is asked. `read`: the thought that was read last, which is recorded. */
export function endedEvent(
  outcome: Outcome<unknown>,
  asking: readonly CallState[],
  read: string | null,
  { messages: { redactor } }: RunPlan,
): RunEnded {
  const { stopReason } = outcome;
  const told = read === null ? null : redactor.text(read);
  const waiting = asking.map(({ callId, tool, input }) => ({ toolCallId: callId, tool, input: redactor.value(input) }));
  return {
    type: 'run.ended',
    stopReason,
    ...(waiting.length > 0 && { waiting }),
    ...(!outcome.ok && outcome.partial !== null && outcome.partial !== told && { partial: outcome.partial }),
  };
}
