/** What `fuseloop inspect` is to show: files, the files of folders, stdin; read one after the other, then followed. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { AgentError } from '../core/errors.ts';
import { messageOf } from '../core/message-of.ts';
import type { TraceEvent } from '../core/trace.ts';
import { beginningOf, followFile, untilAnother } from './follow-file.ts';
import { misuse } from './misuse.ts';
import { noFaults, readTrace, type TraceFaults } from './read-trace.ts';

export interface ShowTracesOptions {
  readonly traces: readonly string[];
  readonly stdin: NodeJS.ReadStream;
  readonly follows: boolean;
  readonly signal: AbortSignal;
  readonly show: (events: AsyncIterable<TraceEvent>, options: { readonly file: string }) => Promise<void>;
  /** Told of what is damaged or missing. */
  readonly onNotice: (notice: string) => void;
  /** Told of how many files are read, of those that are known. */
  readonly onProgress: (read: number, of: number) => void;
}

/** In milliseconds: how often folders are looked at for new files. */
const folderLookMs = 1_000;
const traceName = /\.jsonl$/i;

/**
 * Settles when all that stands there is shown; where files are followed it goes on behind that until the signal. Rejects with
 * misuse for a trace that is not there, before anything is shown.
 */
export async function showTraces(options: ShowTracesOptions): Promise<void> {
  const { traces, follows, signal, onProgress } = options;
  const known = new Set<string>();
  const folders: string[] = [];
  const paths: string[] = [];
  for (const trace of traces) {
    if (trace === '-' || !(await isFolder(trace))) paths.push(trace);
    else folders.push(trace);
  }
  for (const folder of folders) paths.push(...(await tracesIn(folder)));
  if (paths.length === 0 && !follows)
    throw misuse(`${folders.join(', ')} holds no *.jsonl.`, 'Name a folder of traces, or the files themselves.');
  if (paths.length === 0) options.onNotice(`${folders.join(', ')} holds no *.jsonl yet.`);
  const showNew = async (found: readonly string[]) => {
    const fresh = found.filter((path) => !known.has(path));
    for (const [index, path] of fresh.entries()) {
      if (signal.aborted) return;
      known.add(path);
      await (path === '-' ? showStdin(options) : showFile(path, options));
      onProgress(index + 1, fresh.length);
    }
  };
  await showNew(paths);
  if (follows && folders.length > 0) void lookForMore(folders, signal, showNew);
}

async function lookForMore(
  folders: readonly string[],
  signal: AbortSignal,
  showNew: (found: readonly string[]) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    await after(folderLookMs, undefined, { signal }).catch(() => {});
    // A folder may be gone for a while.
    for (const folder of folders) await showNew(await tracesIn(folder).catch(() => []));
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (thrown) {
    throw misuse(
      `${path} cannot be read: ${messageOf(thrown)}.`,
      'Name a file or a folder that is there, or - for stdin.',
      thrown,
    );
  }
}

async function tracesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory() && traceName.test(entry.name));
  return files.map(({ name }) => join(folder, name)).sort();
}

/** Settles when all that stands there is shown, or nothing more can be. */
function showFile(path: string, options: ShowTracesOptions): Promise<void> {
  return new Promise((resolve) => {
    const { follows, signal } = options;
    const again = async () => {
      // A file that was replaced by another is read anew, as runs of its own; a damaged one, when it is replaced.
      do {
        const before = await beginningOf(path);
        const isRead = await showPieces(followFile(path, { follows, signal, onCaughtUp: resolve }), path, options);
        resolve();
        if (!isRead && follows) await untilAnother(path, before, signal);
      } while (follows && !signal.aborted);
    };
    void again();
  });
}

function showStdin(options: ShowTracesOptions): Promise<void> {
  const shown = showPieces(options.stdin, 'stdin', options);
  // A pipe may be open for as long as the run goes.
  return options.follows ? Promise.resolve() : shown.then(() => {});
}

/** False where it is damaged, or cannot be read: that is told. */
async function showPieces(
  pieces: AsyncIterable<Uint8Array>,
  file: string,
  { show, onNotice, signal }: ShowTracesOptions,
): Promise<boolean> {
  const faults = noFaults();
  try {
    await show(readTrace(pieces, file, faults), { file });
    if (!signal.aborted) for (const notice of noticesOf(faults)) onNotice(`${file}: ${notice}`);
    return true;
  } catch (thrown) {
    if (!(thrown instanceof AgentError)) throw thrown;
    if (!signal.aborted) onNotice(thrown.message);
    return false;
  }
}

function noticesOf({ gap, torn, dropped, cut }: TraceFaults): readonly string[] {
  return [
    ...(gap === null ? [] : [`before line ${gap} events are missing, or several runs wrote into one file.`]),
    ...(dropped === 0 ? [] : [`its writer left ${dropped} events out.`]),
    ...(cut === 0 ? [] : [`its writer cut texts in ${cut} events.`]),
    ...(torn === null ? [] : [`the last line, ${torn}, breaks off, and is left out.`]),
  ];
}
