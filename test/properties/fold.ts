/** The trace of a run, folded: every state as recorded, every law on every edge. */
import type { TraceEvent } from '../../src/core/trace.ts';
import type { ReactSnapshot } from '../../src/step.ts';
import { foldTrace } from '../../src/verify/fold.ts';

/** The machine after these events of one run. */
export function fold(events: readonly TraceEvent[]): ReactSnapshot {
  return foldTrace(events).snapshot;
}
