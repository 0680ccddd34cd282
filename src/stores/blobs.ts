/** The place in which contents of runs are kept apart: what it promises, and how it fails. */
import { AgentError } from '../core/errors.ts';
import { messageOf } from '../core/message-of.ts';
import { storeFailed } from './store-errors.ts';

/** Where contents are kept: texts of JSON, each of one run, under the SHA-256 of its UTF-8 in hexadecimal digits. */
export interface Blobs {
  /** Resolves when the text would survive a power cut. The same text may come again. */
  put(runId: string, sha256: string, text: string): Promise<void>;
  /** Null where there is none. What comes back is compared with its digest. */
  get(runId: string, sha256: string): Promise<string | null>;
  /** Removes all contents of the run but these. Without it nothing is ever removed. What it throws is not told: it is called again. */
  keep?(runId: string, digests: readonly string[]): Promise<void>;
}

export function blobsFailed(what: 'read' | 'kept', thrown: unknown): AgentError {
  if (thrown instanceof AgentError) return thrown;
  return storeFailed(
    `Contents of a run could not be ${what}: ${messageOf(thrown)}.`,
    'Look at the place where contents are kept apart, then go on with the run.',
    thrown,
  );
}
