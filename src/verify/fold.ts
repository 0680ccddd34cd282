/** A trace folded through a machine of ours or of the user's. */
import type { ReactMachine } from '../../machines/react.machine.ts';
import { AgentError } from '../core/errors.ts';
import type { Snapshot } from '../core/snapshot.ts';
import type { TraceEvent } from '../core/trace.ts';
import { type Folded, foldEvents } from '../shell/fold.ts';
import { createPort } from '../step.ts';

export interface FoldOptions {
  /** A machine that was changed or built anew; default: the shipped one. */
  readonly machine?: ReactMachine;
  /** What the run went on from, where the trace begins with `run.resumed`. */
  readonly from?: Snapshot;
}

/** `foldEvents` over a trace. Throws AgentError (`invalid_option`) that names the event which cannot be. */
export function foldTrace(events: readonly TraceEvent[], { machine, from }: FoldOptions = {}): Folded {
  if (!Array.isArray(events) || events.length === 0)
    throw new AgentError('invalid_option', 'The trace holds no events.', { hint: 'Pass the events of one run.' });
  return foldEvents(events, { port: createPort(machine), from: from ?? null });
}
