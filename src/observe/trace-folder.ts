/** `traceFolder`: the traces of many runs at once, each in a file of its own. */
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentError } from '../core/errors.ts';
import { fileNameOf } from '../core/file-name.ts';
import { begins, type Observer, type TraceEvent } from '../core/trace.ts';
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
 * that; otherwise it is made from it. A second run at once with one id has a file of its own, with `~2` behind its name. The limits
 * of what waits are for all files together. In all else as `traceFile`.
 */
export function traceFolder(path: string, options: TraceWriterOptions = {}): TraceFolder {
  checkPath('traceFolder', path);
  const settings = readSettings('traceFolder', options);
  const room = roomOf(settings);
  /** By the object of the run, as two runs at once may have one id; by the id, where a program gives none. */
  const open = new Map<unknown, OpenFile>();
  /** Files that are being closed: another life of the same run waits for it. */
  const closing = new Map<string, Promise<unknown>>();
  let made: Promise<unknown> | null = null;
  let isClosed = false;
  let total: TracesWritten = { files: 0, events: 0, dropped: 0, cut: 0, bytes: 0, problem: null, incomplete: 0 };
  const failed = (problem: AgentError) => unheeded(() => options.onProblem?.(problem));

  const begin = (runId: string, who: unknown) => {
    const file = freeFile(open, path, runId);
    // Where it cannot be made, no file can be opened, and that is told.
    made ??= mkdir(path, { recursive: true }).catch(() => {});
    const before = Promise.all([made, closing.get(file)]);
    open.set(who, { runId, file, sink: traceSink(file, { settings, room, existing: 'continue', failed, before }) });
  };
  const retire = (who: unknown, { file, sink }: OpenFile) => {
    open.delete(who);
    const closed = sink.close().then((written) => {
      total = sum(total, written);
      if (closing.get(file) === closed) closing.delete(file);
    });
    closing.set(file, closed);
  };
  const take = (event: TraceEvent, runId: string, who: unknown) => {
    const key = keyOf(open, event, runId, who);
    if (begins(event) && !isClosed && !open.has(key)) begin(runId, key);
    const opened = open.get(key);
    if (opened === undefined || isClosed) {
      total = { ...total, dropped: total.dropped + 1 };
      return;
    }
    opened.sink.take(event, runId);
    if (event.type === 'run.ended') retire(key, opened);
  };

  return {
    onEvent(event, run) {
      unheeded(() => {
        if (!isEvent(event)) return;
        const runId = run?.runId ?? ('runId' in event ? event.runId : '');
        take(event, runId, run ?? runId);
      });
    },
    async close() {
      isClosed = true;
      for (const [who, file] of [...open]) retire(who, file);
      while (closing.size > 0) await Promise.all(closing.values());
      return total;
    },
  };
}

/** Of the run; of the life that it goes on from, which was left without an end; or of the only one with its id. */
function keyOf(open: Map<unknown, OpenFile>, event: TraceEvent, runId: string, who: unknown): unknown {
  if (open.has(who) || event.type === 'run.started') return who;
  const [first, ...more] = [...open].filter(([, other]) => other.runId === runId);
  if (first === undefined || more.length > 0) return who;
  const [key, file] = first;
  if (event.type !== 'run.resumed') return key;
  open.delete(key);
  open.set(who, file);
  return who;
}

/** A file that no other run is being written to. */
function freeFile(open: ReadonlyMap<unknown, OpenFile>, path: string, runId: string): string {
  const taken = new Set([...open.values()].map(({ file }) => file));
  const name = fileNameOf(runId, digestOf);
  let file = join(path, `${name}.jsonl`);
  for (let number = 2; taken.has(file); number++) file = join(path, `${name}~${number}.jsonl`);
  return file;
}

interface OpenFile {
  readonly runId: string;
  readonly file: string;
  readonly sink: TraceSink;
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
