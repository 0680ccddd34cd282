/** The trace of a run as a file: one event a line, written as the run goes. */
import { once } from 'node:events';
import { createWriteStream, existsSync, readFileSync, truncateSync } from 'node:fs';
import { messageOf } from '../core/message-of.ts';
import type { TraceEvent } from '../core/trace.ts';
import { misuse } from './misuse.ts';

export interface TraceFile {
  write(event: TraceEvent): void;
  /** Settles when all is on its way to the disk: null, or why the file is not complete. Never rejects. */
  close(): Promise<string | null>;
}

export interface OpenTraceOptions {
  /** Whether a run goes on in a file of that name. Otherwise it is replaced. */
  readonly goesOn: boolean;
}

/** Throws misuse where it cannot be opened, so before the run. */
export async function openTrace(path: string, { goesOn }: OpenTraceOptions): Promise<TraceFile> {
  const stream = createWriteStream(path, { flags: goesOn ? 'a' : 'w' });
  try {
    if (goesOn) dropTornLine(path);
    await once(stream, 'open');
  } catch (thrown) {
    throw misuse(
      `--trace ${path} cannot be written: ${messageOf(thrown)}.`,
      'The folder must exist, and you must be allowed to write there. Correct the path, or leave --trace out.',
      thrown,
    );
  }
  let failure: string | null = null;
  stream.on('error', (error) => {
    failure ??= messageOf(error);
  });
  return {
    write: (event) => {
      if (failure === null) stream.write(`${JSON.stringify(event)}\n`);
    },
    close: () =>
      new Promise((resolve) => {
        const settle = () => resolve(failure);
        stream.on('close', settle);
        if (stream.closed) settle();
        else stream.end();
      }),
  };
}

/** The process that wrote the file may have died in the middle of a line. */
function dropTornLine(path: string): void {
  if (!existsSync(path)) return;
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf('\n') + 1;
  if (end < bytes.length) truncateSync(path, end);
}
