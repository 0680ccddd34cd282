/** `traceFolder`: the traces of many runs at once, each in a file of its own. */
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentError } from '../core/errors.ts';
import { fileNameOf } from '../core/file-name.ts';
import type { Observer, TraceEvent } from '../core/trace.ts';
import { isEvent, unheeded } from './trace-file.ts';
import { checkPath, readSettings, type TraceWriterOptions } from './trace-options.ts';
import { roomOf, type TraceSink, type TraceWritten, traceSink } from './trace-sink.ts';

export interface TraceFolder {
  /** For `createAgent({ onEvent })` of any number of agents. It neither waits nor throws. */
  readonly onEvent: Observer;
  /** Settles when all is written, or the time for it is over, and says what is in all files. Never rejects. */
  close(): Promise<TracesWritten>;
}

export interface TracesWritten extends TraceWritten {
  /** Files that were written to; a run that was left and taken up again counts each time. */
  readonly files: number;
  /** How many of them are not complete; `problem` is that of the first. */
  readonly incomplete: number;
}

/**
 * Writes the trace of each run into a file of its own in the folder `path`, which is made where it is not there. A file is closed
 * when its run ends or pauses, and goes on when the run does. Its name is the run's id with `.jsonl`, where a file can be called
 * that; otherwise it is made from it. The limits of what waits are for all files together. In all else as `traceFile`.
 */
export function traceFolder(path: string, options: TraceWriterOptions = {}): TraceFolder {
  checkPath('traceFolder', path);
  const settings = readSettings('traceFolder', options);
  const room = roomOf(settings);
  const open = new Map<string, TraceSink>();
  /** Those that are being closed: another life of the same run waits for it. */
  const closing = new Map<string, Promise<unknown>>();
  let made: Promise<unknown> | null = null;
  let isClosed = false;
  let total: TracesWritten = { files: 0, events: 0, dropped: 0, cut: 0, bytes: 0, problem: null, incomplete: 0 };
  const failed = (problem: AgentError) => unheeded(() => options.onProblem?.(problem));

  const sinkFor = (runId: string): TraceSink => {
    const file = join(path, `${fileNameOf(runId, digestOf)}.jsonl`);
    // Where it cannot be made, no file can be opened, and that is told.
    made ??= mkdir(path, { recursive: true }).catch(() => {});
    const before = Promise.all([made, closing.get(runId)]);
    return traceSink(file, { settings, room, existing: 'continue', failed, before });
  };
  const retire = (runId: string, sink: TraceSink) => {
    open.delete(runId);
    const closed = sink.close().then((written) => {
      total = sum(total, written);
      if (closing.get(runId) === closed) closing.delete(runId);
    });
    closing.set(runId, closed);
  };
  const take = (event: TraceEvent, runId: string) => {
    const isBegin = event.type === 'run.started' || event.type === 'run.resumed';
    if (isBegin && !isClosed && !open.has(runId)) open.set(runId, sinkFor(runId));
    const sink = open.get(runId);
    if (sink === undefined || isClosed) {
      total = { ...total, dropped: total.dropped + 1 };
      return;
    }
    sink.take(event, runId);
    if (event.type === 'run.ended') retire(runId, sink);
  };

  return {
    onEvent(event, run) {
      unheeded(() => {
        if (isEvent(event)) take(event, run?.runId ?? ('runId' in event ? event.runId : ''));
      });
    },
    async close() {
      isClosed = true;
      for (const [runId, sink] of [...open]) retire(runId, sink);
      while (closing.size > 0) await Promise.all(closing.values());
      return total;
    },
  };
}

function sum(total: TracesWritten, one: TraceWritten): TracesWritten {
  return {
    files: total.files + 1,
    incomplete: total.incomplete + (one.problem === null ? 0 : 1),
    events: total.events + one.events,
    dropped: total.dropped + one.dropped,
    cut: total.cut + one.cut,
    bytes: total.bytes + one.bytes,
    problem: total.problem ?? one.problem,
  };
}

function digestOf(runId: string): string {
  return createHash('sha256').update(Buffer.from(runId, 'utf16le')).digest('hex');
}
