/**
 * The audit: every decision about a run and its calls, with who, what, why and when, as a fold over the trace. It never
 * changes a run. Pure.
 */
import type { ApprovalDenied, ApprovalGranted, CallSettled, CallsChecked } from '../core/events.ts';
import { hashOf } from '../core/fingerprint.ts';
import type { CallRetried, RunResumed } from '../core/journal.ts';
import type { Policy } from '../core/policy.ts';
import type { CallState } from '../core/snapshot.ts';
import type { TraceEvent } from '../core/trace.ts';
import type { Gate, Verdict } from '../core/verdict.ts';
import type { AuditRecord, Decision } from './audit-record.ts';
import { failureOf, instantOf, policyOf, told, whyAllowed, whyDenied } from './audit-words.ts';

/**
 * The records of a trace, in its order: the events of one run, or of several one after the other, whole or up to now. A call
 * that was let through or asked about, and of which the trace does not tell the end, has a last record that says so
 * (`unsettled`). The events are not checked: what is no trace gives wrong records, or throws.
 */
export function auditOf(events: Iterable<TraceEvent>): AuditRecord[] {
  const audit = createAudit();
  const records: AuditRecord[] = [];
  for (const event of events) records.push(...audit.take(event));
  return [...records, ...audit.end()];
}

export interface Audit {
  /** The records that an event adds; the events come in the order in which they were written. */
  take(event: TraceEvent): readonly AuditRecord[];
  /** After the last event: a record of each call that the trace leaves open. None where the run ended, or is suspended. */
  end(): readonly AuditRecord[];
}

/**
 * For a trace that is too large to be held, or that still grows: give each event to `take` as it comes, and call `end` behind
 * the last. What it keeps grows with the calls of one run. Neither throws for the events of a trace.
 */
export function createAudit(): Audit {
  let run = newRun(null, null);
  let last: TraceEvent | null = null;
  /** What the run leaves open of which the trace does not tell the end, but for the calls that go on. */
  const left = (goOn: ReadonlySet<string>): readonly AuditRecord[] =>
    last === null || run.isOver ? [] : unsettled(run, last, goOn);
  const begin = (event: TraceEvent): readonly AuditRecord[] => {
    if (event.type !== 'run.started' && event.type !== 'run.resumed') return [];
    const goesOn = event.type === 'run.resumed' && event.runId === run.runId;
    const open = left(new Set(goesOn ? event.calls.map(({ callId }) => callId) : []));
    run = event.type === 'run.started' ? newRun(event.runId, event.policy) : resumedRun(event);
    return open;
  };
  return {
    take(event) {
      const open = begin(event);
      last = event;
      return [...open, ...recordsOf(run, event)];
    },
    end: () => left(new Set()),
  };
}

interface AuditedRun {
  readonly runId: string | null;
  readonly policy: Policy | null;
  /** The tools of the calls that the gates judge next, in order. */
  named: readonly string[];
  readonly calls: Map<string, AuditedCall>;
  /** Its end was recorded. */
  isOver: boolean;
}

interface AuditedCall {
  readonly tool: string;
  readonly key: string;
  /** `open`: let through, and its result is not known. */
  readonly standing: 'asked' | 'open' | 'over';
}

function newRun(runId: string | null, policy: Policy | null): AuditedRun {
  return { runId, policy, named: [], calls: new Map(), isOver: false };
}

/** The snapshot says what is in progress, in a trace of its own too. */
function resumedRun({ runId, policy, calls }: RunResumed): AuditedRun {
  const kept = calls.map(
    ({ callId, tool, key, status }) => [callId, { tool, key, standing: standings[status] }] as const,
  );
  return { ...newRun(runId, policy), named: calls.map(({ tool }) => tool), calls: new Map(kept) };
}

const standings = {
  read: 'over',
  ready: 'open',
  asking: 'asked',
  started: 'open',
  succeeded: 'over',
  failed: 'over',
  unknown: 'over',
  refused: 'over',
} as const satisfies Record<CallState['status'], AuditedCall['standing']>;

type Placed<Event> = Event & Omit<TraceEvent, 'type'>;

function recordsOf(run: AuditedRun, event: TraceEvent): readonly AuditRecord[] {
  switch (event.type) {
    case 'run.started':
      return [record(run, event, { decision: 'started', why: `${policyOf(event.policy)}; model ${event.model.name}` })];
    case 'run.resumed':
      return [record(run, event, { decision: 'resumed', why: policyOf(event.policy) })];
    case 'reply.stopped':
    case 'reply.ended':
      if (leadsToAction(event)) run.named = event.calls.map(({ tool }) => tool);
      return [];
    case 'calls.checked':
      return event.ignored === true ? [] : checked(run, event);
    case 'approval.asked':
      return [record(run, event, { decision: 'waiting', why: `until ${instantOf(event.untilMs)}` })];
    case 'approval.granted':
      return [granted(run, event)];
    case 'approval.denied':
      return [denied(run, event)];
    case 'call.retried':
      return [retried(run, event)];
    case 'call.settled':
      return [settled(run, event)];
    case 'answer.accepted':
      return [record(run, event, { decision: 'accepted' })];
    case 'answer.rejected':
      return [record(run, event, { decision: 'rejected', why: told(event.hint) })];
    case 'run.aborted':
      return [record(run, event, { decision: 'aborted', why: event.why })];
    case 'store.failed':
      return [record(run, event, { decision: 'store_failed', why: event.message })];
    case 'run.ended':
      run.isOver = true;
      return [...unsettled(run, event, new Set()), record(run, event, { decision: 'ended', why: event.stopReason })];
    default:
      return [];
  }
}

function checked(run: AuditedRun, event: Placed<CallsChecked>): readonly AuditRecord[] {
  return event.verdicts.map((verdict, at) => {
    const { callId, key, pass, gate = null } = verdict;
    const tool = run.named[at] ?? '';
    const standing = { run: 'open', ask: 'asked', refuse: 'over' } as const satisfies Record<Verdict['pass'], string>;
    run.calls.set(callId, { tool, key, standing: standing[pass] });
    const decision = ({ run: 'run', ask: 'asked', refuse: 'refused' } as const)[pass];
    return record(run, event, { callId, decision, gate, why: whyAllowed(verdict, tool, run.policy) });
  });
}

function granted(run: AuditedRun, event: Placed<ApprovalGranted>): AuditRecord {
  const { callId, by, edited, key } = event;
  follow(run, event, { standing: 'open', key });
  return record(run, event, { callId, decision: 'approved', by, edited, why: edited ? 'with another input' : '', key });
}

function denied(run: AuditedRun, event: Placed<ApprovalDenied>): AuditRecord {
  const { callId, by, cause, key = null } = event;
  follow(run, event, { standing: 'over' });
  const why = whyDenied(event);
  if (cause === 'person' || cause === 'timeout') return record(run, event, { callId, decision: 'denied', by, why });
  return record(run, event, { callId, decision: 'refused', by, gate: cause, edited: true, why, key });
}

function retried(run: AuditedRun, event: Placed<CallRetried>): AuditRecord {
  const { callId, attempt, waitMs } = event;
  const why = `try ${attempt}: ${failureOf(event)}; again in ${waitMs} ms`;
  return record(run, event, { callId, decision: 'retried', why });
}

function settled(run: AuditedRun, event: Placed<CallSettled>): AuditRecord {
  const { callId, result, atMs, startedAtMs } = event;
  follow(run, event, { standing: 'over' });
  const why = result === 'succeeded' ? `after ${Math.round(atMs - startedAtMs)} ms` : failureOf(event);
  return record(run, event, { callId, decision: result, why });
}

/**
 * What was let through has no result, or what was asked about no decision. `event` is the last of the run. A run that is
 * suspended goes on.
 */
function unsettled(run: AuditedRun, event: TraceEvent, goOn: ReadonlySet<string>): readonly AuditRecord[] {
  if (event.type === 'run.ended' && event.stopReason === 'suspended') return [];
  const first = event.type === 'run.ended' ? '' : 'the trace ends before the run does; ';
  return [...run.calls].flatMap(([callId, { standing }]) => {
    if (standing === 'over' || goOn.has(callId)) return [];
    const why = first + (standing === 'asked' ? 'nobody had decided' : 'no result is known; it may have started');
    return [{ ...record(run, event, { callId, decision: 'unsettled', why }), step: stepOf(callId), late: false }];
  });
}

/** A call is named by its step and its place in it: `2.1`. */
function stepOf(callId: string): number {
  return Number(callId.split('.')[0]);
}

/** What came late changes nothing here either. */
function follow(run: AuditedRun, event: Placed<{ readonly callId: string }>, changed: Partial<AuditedCall>): void {
  const call = run.calls.get(event.callId);
  if (call !== undefined && event.ignored !== true) run.calls.set(event.callId, { ...call, ...changed });
}

interface Told {
  readonly decision: Decision;
  readonly callId?: string;
  readonly gate?: Gate | null;
  readonly by?: string | null;
  readonly why?: string;
  readonly edited?: boolean;
  /** Where it is not that of the call; null where it is not known. */
  readonly key?: string | null;
}

function record({ runId, calls }: AuditedRun, event: TraceEvent, { decision, ...tells }: Told): AuditRecord {
  const { callId = null, gate = null, by = null, why = '', edited = false } = tells;
  const call = callId === null ? undefined : calls.get(callId);
  const key = tells.key === undefined ? call?.key : tells.key;
  return {
    runId,
    sequence: event.sequence,
    wallMs: event.wallMs,
    step: 'step' in event ? event.step : null,
    callId,
    tool: call?.tool ?? null,
    decision,
    gate,
    by,
    why,
    edited,
    inputHash: key === undefined || key === null ? null : hashOf(key),
    late: event.ignored === true,
  };
}

function leadsToAction({ state, ignored }: TraceEvent): boolean {
  return ignored !== true && typeof state === 'object' && 'ACTION' in state;
}
