/** The runs of trace files, one after the other; of each file only those that may still go on are held. */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentError } from '../core/errors.ts';
import { messageOf } from '../core/message-of.ts';
import { viewAfter } from '../observe/fold-run.ts';
import type { RunView } from '../observe/run-view.ts';
import { misuse } from './misuse.ts';
import { noFaults, readTrace, type TraceFaults } from './read-trace.ts';

export interface ReadRunsOptions {
  readonly stdin: NodeJS.ReadStream;
  /** Told of each run, once nothing more of it can come in its file. */
  readonly onRun: (view: RunView, file: string) => void;
  /** Told of what is damaged or missing. */
  readonly onNotice: (notice: string) => void;
  /** Told before each file. */
  readonly onFile: (index: number, of: number) => void;
  readonly isStopped: () => boolean;
}

/** The files that are named, and those of folders, in the order of their names. Misuse for what is not there, before any is read. */
export async function filesOf(traces: readonly string[]): Promise<readonly string[]> {
  const files: string[] = [];
  for (const trace of traces) {
    if (trace === '-' || !(await isFolder(trace))) files.push(trace);
    else files.push(...(await tracesIn(trace)));
  }
  if (files.length === 0)
    throw misuse(`${traces.join(', ')} holds no *.jsonl.`, 'Name a folder of traces, or the files.');
  return [...new Set(files)];
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (thrown) {
    throw misuse(`${path} cannot be read: ${messageOf(thrown)}.`, 'Name a file that is there, or - for stdin.', thrown);
  }
}

async function tracesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => /\.jsonl$/i.test(name))
    .sort()
    .map((name) => join(folder, name));
}

export async function readRuns(files: readonly string[], options: ReadRunsOptions): Promise<void> {
  for (const [index, file] of files.entries()) {
    if (options.isStopped()) return;
    options.onFile(index, files.length);
    await readFileRuns(file, options);
  }
}

async function readFileRuns(file: string, options: ReadRunsOptions): Promise<void> {
  const { stdin, onNotice, isStopped } = options;
  const faults = noFaults();
  const name = file === '-' ? 'stdin' : file;
  const source = file === '-' ? stdin : createReadStream(file);
  const runs = createOpenRuns((view) => options.onRun(view, file));
  try {
    for await (const event of readTrace(source, name, faults)) {
      if (isStopped()) break;
      runs.take(event);
    }
  } catch (thrown) {
    if (!(thrown instanceof AgentError)) throw thrown;
    onNotice(`${thrown.message} What was read of it before is in the report.`);
  } finally {
    source.destroy();
  }
  runs.end();
  for (const notice of noticesOf(faults)) onNotice(`${name}: ${notice}`);
}

function noticesOf({ torn, gap, dropped, cut }: TraceFaults): readonly string[] {
  return [
    ...(torn === null ? [] : [`the last line, ${torn}, breaks off, and is left out.`]),
    ...(gap === null ? [] : [`before line ${gap} events are missing, or several runs wrote into it at once.`]),
    ...(dropped === 0 ? [] : [`${dropped} events were left out when it was written.`]),
    ...(cut === 0 ? [] : [`in ${cut} events texts were cut when it was written.`]),
  ];
}

/** So many runs that ended, and may go on, are held. */
const mostHeld = 100;

function createOpenRuns(done: (view: RunView) => void) {
  const held = new Map<string, RunView>();
  let current: RunView | null = null;

  const putAside = () => {
    if (current === null) return;
    // Another run of the same name, which began anew: the earlier one is over.
    const earlier = held.get(current.runId);
    if (earlier !== undefined) done(earlier);
    held.delete(current.runId);
    if (current.stopReason === 'final') done(current);
    else held.set(current.runId, current);
    current = null;
    const [oldest] = held.values();
    if (oldest === undefined || held.size <= mostHeld) return;
    held.delete(oldest.runId);
    done(oldest);
  };
  return {
    take(event: Parameters<typeof viewAfter>[1]) {
      if (event.type === 'run.started') putAside();
      if (event.type === 'run.resumed' && current?.runId !== event.runId) {
        putAside();
        current = held.get(event.runId) ?? null;
        held.delete(event.runId);
      }
      current = viewAfter(current, event);
    },
    end() {
      putAside();
      for (const view of held.values()) done(view);
    },
  };
}
