/** What a command has to do with the world outside. */
import type { Interrupts } from './interrupts.ts';

export interface CommandIo {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly interrupts: Interrupts;
  /** Called when the reader of stdout has gone away, such as `head`; at once where it has gone already. */
  onOutputClosed(stop: () => void): void;
}

/** The exit code of a command whose output nobody reads any more: 128 and the number of SIGPIPE, as shells have it. */
export const readerGoneCode = 141;

/** Of this process. An output that is closed is not an error: what is written then is lost. */
export function processIo(interrupts: Interrupts): CommandIo {
  const { stdin, stdout, stderr } = process;
  let closed = false;
  let stop = () => {};
  stdout.on('error', () => {
    closed = true;
    stop();
  });
  stderr.on('error', () => {});
  return {
    stdin,
    stdout,
    stderr,
    interrupts,
    onOutputClosed: (wanted) => {
      stop = wanted;
      if (closed) stop();
    },
  };
}
