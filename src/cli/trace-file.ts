/** The trace of a run as a file: one event a line, written as the run goes. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { messageOf } from '../core/message-of.ts';
import type { TraceEvent } from '../core/trace.ts';
import { misuse } from './misuse.ts';

export interface TraceFile {
  write(event: TraceEvent): void;
  /** Settles when all is on its way to the disk: null, or why the file is not complete. Never rejects. */
  close(): Promise<string | null>;
}

/** Replaces a file of that name. Throws misuse where it cannot be opened, so before the run. */
export async function openTrace(path: string): Promise<TraceFile> {
  const stream = createWriteStream(path);
  try {
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
