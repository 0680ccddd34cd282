/** `traceFile`: the trace of an agent's runs, one after the other, as a file. */
import { AgentError } from '../core/errors.ts';
import { begins, type Observer, type TraceEvent } from '../core/trace.ts';
import { checkPath, readSettings, type TraceFileOptions } from './trace-options.ts';
import { incomplete, roomOf, type TraceWritten, traceSink } from './trace-sink.ts';
import { createTurns } from './trace-turns.ts';

export interface TraceFile {
  /** For `createAgent({ onEvent })`. It only puts the event into a queue: it neither waits nor throws. */
  readonly onEvent: Observer;
  /**
   * Settles when the file is open. Not needed: it is opened for the first event all the same. Rejects with AgentError
   * (`store_failed`) where it cannot be written, so that this is known before a run begins.
   */
  ready(): Promise<void>;
  /** Settles when all is written, or the time for it is over, and says what is in the file. Never rejects. */
  close(): Promise<TraceWritten>;
}

/**
 * Writes what an agent's runs are to `path`, one event a line (JSONL), for `readTrace` and the command line. A run is never slowed,
 * changed or broken by it: where the disk is slower than the run, events are dropped, and the file says so in their place.
 *
 * A file holds runs that follow each other. Of one that begins while another goes on nothing is written, and `problem` says so:
 * `traceFolder` is for many at once. Throws AgentError (`invalid_option`) for options that cannot be used.
 */
export function traceFile(path: string, options: TraceFileOptions = {}): TraceFile {
  checkPath('traceFile', path);
  const settings = readSettings('traceFile', options, ['existing']);
  const { existing = 'continue' } = options;
  let mixed: AgentError | null = null;
  const turns = createTurns();
  const failed = (problem: AgentError) => unheeded(() => options.onProblem?.(problem));
  const sink = traceSink(path, { settings, room: roomOf(settings), existing, failed });

  const take = (event: TraceEvent, run: Partial<ObservedRun> | undefined) => {
    const before = turns.current() ?? '';
    const runId = run?.runId ?? ('runId' in event ? event.runId : before);
    if (turns.isOurs(event, { runId, who: run ?? runId })) return sink.take(event, runId);
    sink.refuse();
    if (!begins(event) || mixed !== null) return;
    mixed = twoAtOnce(path, runId, before);
    failed(mixed);
  };

  return {
    onEvent: (event, run) => unheeded(() => isEvent(event) && take(event, run)),
    async ready() {
      const problem = await sink.ready();
      if (problem !== null) throw problem;
    },
    async close() {
      const written = await sink.close();
      return { ...written, problem: written.problem ?? mixed };
    },
  };
}

type ObservedRun = Parameters<Observer>[1];

/** What a live reader sees besides is no part of a trace. */
export function isEvent(event: unknown): boolean {
  if (typeof event !== 'object' || event === null || !('type' in event) || typeof event.type !== 'string') return false;
  return event.type !== 'reply.delta' && event.type !== 'reply.restarted';
}

/** Whatever is done here, a run does not notice. */
export function unheeded(work: () => unknown): void {
  try {
    const result = work();
    if (result instanceof Promise) result.catch(() => {});
  } catch {
    // It is nobody's: what is thrown by a getter of an event made by hand, or by `onProblem`.
  }
}

function twoAtOnce(path: string, runId: string, current: string): AgentError {
  const { message } = incomplete(path, `run ${runId} began while run ${current} was being written, and is left out`);
  return new AgentError('store_failed', message, {
    hint: 'One file holds runs that follow each other: traceFolder(path) writes a file for each run.',
  });
}
