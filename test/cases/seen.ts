/** The notebook of a case while it is played: everything is written down here, over all its processes. */
import type { TraceEvent } from '../../src/index.ts';
import type { CallSeen, EffectSeen, RequestSeen, TraceSeen } from './facts.ts';

export interface Seen {
  readonly broken: string[];
  readonly calls: (Omit<CallSeen, 'signalAborted'> & { readonly isAborted: () => boolean })[];
  readonly effects: EffectSeen[];
  readonly requests: RequestSeen[];
  readonly trace: TraceSeen[];
  readonly endedRuns: Set<number>;
  readonly traceText: string[];
  readonly inspected: string[];
  inspectorStopped: string | null;
  readonly snapshots: string[];
  readonly samples: { listeners: number[]; timers: number[]; snapshots: { steps: number; bytes: number }[] };
  modelCalls: number;
  approvalRuleCalls: number;
  /** Timers that the tools of the case armed. */
  ownTimers: number;
  /** Time that earlier processes took. */
  earlierMs: number;
  /** Time in this process, plus that of the earlier ones. */
  nowMs: () => number;
  endedAtMs: number | null;
  restored: boolean;
  stuck: boolean;
}

export function createSeen(): Seen {
  return {
    broken: [],
    calls: [],
    effects: [],
    requests: [],
    trace: [],
    endedRuns: new Set(),
    traceText: [],
    inspected: [],
    inspectorStopped: null,
    snapshots: [],
    samples: { listeners: [], timers: [], snapshots: [] },
    modelCalls: 0,
    approvalRuleCalls: 0,
    ownTimers: 0,
    earlierMs: 0,
    nowMs: () => 0,
    endedAtMs: null,
    restored: false,
    stuck: false,
  };
}

/** One event of the trace; an inspector, where there is one, sends it on as text. */
export function noteEvent(seen: Seen, event: TraceEvent, run: number, inspector: boolean): void {
  seen.trace.push({ type: event.type, sequence: event.sequence, run, afterEnd: seen.endedRuns.has(run) });
  if (event.type === 'run.ended') {
    seen.endedRuns.add(run);
    seen.endedAtMs = seen.nowMs();
  }
  try {
    const text = JSON.stringify(event);
    seen.traceText.push(text);
    if (inspector) seen.inspected.push(text);
  } catch (thrown) {
    seen.inspectorStopped = thrown instanceof Error ? thrown.message : String(thrown);
  }
}
