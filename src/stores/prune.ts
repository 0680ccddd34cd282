/** What has ended and is no longer wanted leaves a store. */
import { AgentError } from '../core/errors.ts';
import type { HeldRun, Store } from '../core/store.ts';
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
  const ended = await store.list({ status: ['ended'] });
  const due = ended.filter(({ changedAtMs }) => isBefore(changedAtMs, endedBeforeMs)).values();
  let deleted = 0;
  const work = async () => {
    for (const { runId } of due) if (await isDeleted(store, runId, endedBeforeMs)) deleted++;
  };
  await Promise.all(Array.from({ length: mostAtOnce }, work));
  return deleted;
}

/** A disk makes several deletions durable in the time of one. */
const mostAtOnce = 16;

function isBefore(changedAtMs: number | null, instantMs: number): boolean {
  return changedAtMs !== null && changedAtMs < instantMs;
}

/** Since it was listed the run may have been taken up, and left again: what decides is what stands there under the hold. */
async function isDeleted(store: Store, runId: string, endedBeforeMs: number): Promise<boolean> {
  const held = await holdIfAny(store, runId);
  if (held === null) return false;
  try {
    const last = held.lines.at(-1);
    const rest = last === undefined ? null : restOf(last);
    const isOver = rest?.status === 'ended' && isBefore(rest.changedAtMs, endedBeforeMs);
    if (isOver) await held.replace([]);
    return isOver;
  } finally {
    await held.release();
  }
}

async function holdIfAny(store: Store, runId: string): Promise<HeldRun | null> {
  try {
    return await store.open(runId);
  } catch (thrown) {
    if (thrown instanceof AgentError && ['run_held', 'invalid_journal'].includes(thrown.code)) return null;
    throw thrown;
  }
}
