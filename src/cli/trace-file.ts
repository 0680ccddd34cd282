/** The trace of a run as a file, as the command line writes it. */
import { AgentError } from '../core/errors.ts';
import { messageOf } from '../core/message-of.ts';
import type { Observer } from '../core/trace.ts';
import { traceFile } from '../observe/trace-file.ts';
import type { TraceWritten } from '../observe/trace-sink.ts';
import { misuse } from './misuse.ts';

export interface TraceFile {
  readonly write: Observer;
  /** Settles when all is on its way to the disk: null, or why the file is not complete. Never rejects. */
  close(): Promise<string | null>;
}

export interface OpenTraceOptions {
  /** Whether a run goes on in a file of that name. Otherwise it is replaced. */
  readonly goesOn: boolean;
}

/** Throws misuse where it cannot be opened, so before the run. */
export async function openTrace(path: string, { goesOn }: OpenTraceOptions): Promise<TraceFile> {
  const file = traceFile(path, { existing: goesOn ? 'continue' : 'replace' });
  try {
    await file.ready();
  } catch (thrown) {
    const cause = thrown instanceof AgentError ? thrown.cause : thrown;
    throw misuse(
      `--trace ${path} cannot be written: ${messageOf(cause)}.`,
      'The folder must exist, you must be allowed to write there, and a run goes on in a trace alone. Correct the path, or leave --trace out.',
      cause,
    );
  }
  return { write: file.onEvent, close: async () => lackOf(await file.close()) };
}

function lackOf({ problem, dropped }: TraceWritten): string | null {
  if (problem !== null) return messageOf(problem.cause ?? problem);
  if (dropped === 0) return null;
  return `${dropped} ${dropped === 1 ? 'event was' : 'events were'} dropped, since the disk was slower than the run`;
}
