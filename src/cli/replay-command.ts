/** `fuseloop replay`: carries out recorded runs again, one trace after the other, and says where they differ. */
import { Console } from 'node:console';
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TraceEvent } from '../core/trace.ts';
import type { ReplayTraceOptions } from '../record/replay-options.ts';
import { replayTrace } from '../record/replay-trace.ts';
import { type CommandIo, readerGoneCode } from './command-io.ts';
import { fittedHelp } from './help.ts';
import { loadTools } from './load-tools.ts';
import { misuse } from './misuse.ts';
import { noFaults, readTrace } from './read-trace.ts';
import { readReplayFlags, replayHelpText } from './replay-flags.ts';
import { isAsRecorded, type Replayed, replayLines, replaySummary } from './replay-lines.ts';
import { styleFor, wantsColour } from './style.ts';

/** Returns the exit code; throws AgentError for misuse. */
export async function replayCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const { stdout } = io;
  const flags = readReplayFlags(argv);
  if (flags === 'help') {
    stdout.write(fittedHelp(replayHelpText(), stdout));
    return 0;
  }
  // What a module of tools prints must not get into the lines.
  if (flags.json) globalThis.console = new Console(io.stderr, io.stderr);
  const reader = { isGone: false };
  io.onOutputClosed(() => {
    reader.isGone = true;
  });
  const options = flags.tools === undefined ? {} : { tools: await loadTools(flags.tools) };
  const style = styleFor(wantsColour({ isTerminal: stdout.isTTY === true, variables: process.env }));
  const all: Replayed[] = [];
  for (const trace of flags.traces.flatMap(tracesAt)) {
    const replayed = await replayOne(trace, options, io);
    if (reader.isGone) return readerGoneCode;
    stdout.write(flags.json ? jsonLine(replayed) : replayLines(replayed, style));
    all.push(replayed);
  }
  if (!flags.json && all.length > 1) stdout.write(replaySummary(all, style));
  return all.every(isAsRecorded) ? 0 : 1;
}

/** The files of a folder, by name. */
function tracesAt(path: string): readonly string[] {
  if (path === '-' || statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [path];
  const files = readdirSync(path).filter((file) => file.endsWith('.jsonl'));
  if (files.length > 0) return files.sort().map((file) => join(path, file));
  throw misuse(`The folder ${path} holds no file that ends with .jsonl.`, 'Name the traces themselves.');
}

async function replayOne(trace: string, options: ReplayTraceOptions, { stdin }: CommandIo): Promise<Replayed> {
  const faults = noFaults();
  const [source, name] = trace === '-' ? [stdin, 'stdin'] : [createReadStream(trace), trace];
  const events: TraceEvent[] = [];
  for await (const event of readTrace(source, name, faults)) events.push(event);
  return { trace, replay: await replayTrace(events, options), faults };
}

function jsonLine({ trace, replay, faults }: Replayed): string {
  return `${JSON.stringify({ trace, ...replay, missingBeforeLine: faults.gap, tornLine: faults.torn })}\n`;
}
