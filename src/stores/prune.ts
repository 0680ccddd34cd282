/** What has ended and is no longer wanted leaves a store. */
import { AgentError } from '../core/errors.ts';
import type { Store } from '../core/store.ts';
import { restOf } from './summary.ts';

/**
 * Deletes the runs that ended and did not change since the instant `endedBeforeMs` (milliseconds since 1970), and says how
 * many. Runs that somebody holds, that wait for a person, that were interrupted or cannot be read stay. Rejects with
 * AgentError (`invalid_option`) for what is no instant, and with what the store says.
 */
export async function prune(store: Store, { endedBeforeMs }: { readonly endedBeforeMs: number }): Promise<number> {
  if (!Number.isFinite(endedBeforeMs))
    throw new AgentError('invalid_option', `endedBeforeMs of prune is ${String(endedBeforeMs)}.`, {
      hint: 'Give an instant in milliseconds since 1970, such as Date.now() - 7 * 86_400_000.',
    });
  let deleted = 0;
  for (const { runId, changedAtMs } of await store.list({ status: ['ended'] }))
    if (isBefore(changedAtMs, endedBeforeMs) && (await isDeleted(store, runId, endedBeforeMs))) deleted++;
  return deleted;
}

function isBefore(changedAtMs: number | null, instantMs: number): boolean {
  return changedAtMs !== null && changedAtMs < instantMs;
}

/** Since it was listed the run may have been taken up, and left again. */
async function isDeleted(store: Store, runId: string, endedBeforeMs: number): Promise<boolean> {
  try {
    const last = (await store.read(runId))?.at(-1);
    if (last === undefined) return false;
    const { status, changedAtMs } = restOf(last);
    return status === 'ended' && isBefore(changedAtMs, endedBeforeMs) && (await store.delete(runId));
  } catch (thrown) {
    if (thrown instanceof AgentError && ['run_held', 'invalid_journal'].includes(thrown.code)) return false;
    throw thrown;
  }
}
