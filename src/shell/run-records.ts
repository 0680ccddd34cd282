/** What is written down of a run beside the machine's own events: who it is, how it began, went on and ended. */
import type { ClockExpired, RunAborted, StoreFailed } from '../core/events.ts';
import { hashOf } from '../core/fingerprint.ts';
import type { JournalEvent, RunEnded, RunResumed } from '../core/journal.ts';
import type { CallState, Snapshot } from '../core/snapshot.ts';
import type { StopReason } from '../core/stop-reasons.ts';
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
  { runId, limits, policy, registered }: RunPlan,
  { context, uncharged }: Snapshot,
  life: string,
  askedAnew: boolean,
): RunResumed {
  return {
    type: 'run.resumed',
    ...{ runId, limits, policy, tools: registered, life },
    ...(uncharged === undefined ? {} : { spent: uncharged }),
    ...(askedAnew ? { askedAnew } : {}),
    calls: context.calls,
  };
}

/** `asking`: the calls about which a person is asked. */
export function endedEvent(stopReason: StopReason, asking: readonly CallState[], plan: RunPlan): RunEnded {
  if (asking.length === 0) return { type: 'run.ended', stopReason };
  const { redactor } = plan.messages;
  const waiting = asking.map(({ callId, tool, input }) => ({ toolCallId: callId, tool, input: redactor.value(input) }));
  return { type: 'run.ended', stopReason, waiting };
}
