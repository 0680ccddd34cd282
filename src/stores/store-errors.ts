/** What stores throw, and what they refuse to be given. Pure. */
import { AgentError } from '../core/errors.ts';

/** The disk, a permission, the database. */
export function storeFailed(message: string, hint: string, cause?: unknown): AgentError {
  return new AgentError('store_failed', message, { hint, cause });
}

/** What is stored is damaged, foreign, or of a version that is not known. It is left as it is. */
export function invalidJournal(message: string, hint: string, cause?: unknown): AgentError {
  return new AgentError('invalid_journal', message, { hint, cause });
}

/** Somebody else drives the run. */
export function runHeld(message: string, hint: string): AgentError {
  return new AgentError('run_held', message, { hint });
}

/** What is said of a hold that was let go, to whoever writes through it all the same. */
export function letGo(runId: string): AgentError {
  return storeFailed(
    `Nothing can be written to the run ${shown(runId)}: it was let go.`,
    'Open the run again, and write through what that gives.',
  );
}

/** Throws AgentError (`invalid_option`) for what names no run. */
export function checkRunId(runId: unknown): void {
  if (typeof runId === 'string' && runId !== '') return;
  const given = runId === '' ? 'an empty text' : runId === null ? 'null' : `of type ${typeof runId}`;
  throw new AgentError('invalid_option', `A run id is ${given}.`, {
    hint: 'Name the run with a text that is not empty.',
  });
}

const mostShown = 100;

/** A run id in a message: it may be of any length, and hold line ends. */
export function shown(runId: string): string {
  return JSON.stringify(runId.length > mostShown ? `${runId.slice(0, mostShown)}…` : runId);
}
