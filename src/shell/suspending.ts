/** A run is left where it waits for a person, from outside: by whoever knows that nobody decides now. */
import { AgentError } from '../core/errors.ts';
import type { Snapshot } from '../core/snapshot.ts';

/**
 * Throws AgentError (`not_awaiting`) where the run does not wait. `leave` runs behind what goes on at the moment, and only
 * where the run still waits then.
 */
export function createSuspend(waits: () => boolean, leave: () => void): () => void {
  return () => {
    if (!waits())
      throw new AgentError('not_awaiting', 'The run does not wait for a person, and cannot be suspended now.', {
        hint: 'Suspend it behind approval.asked, while a call waits; or end it: run.abort().',
      });
    queueMicrotask(() => {
      if (waits()) leave();
    });
  };
}

/** With nobody there no time for an answer passes: it begins anew when the run goes on. And it pauses: nothing ended it. */
export function untimed({ retaken: _, ...snapshot }: Snapshot): Snapshot {
  return { ...snapshot, context: { ...snapshot.context, approvalUntilMs: null } };
}
