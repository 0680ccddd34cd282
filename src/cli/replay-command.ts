/** `fuseloop replay`: carries out recorded runs again, one trace after the other, and says where they differ. */
import { Console } from 'node:console';
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AgentError } from '../core/errors.ts';
import type { TraceEvent } from '../core/trace.ts';
import { replayEvents } from '../record/replay-trace.ts';
import type { ReplayTraceOptions } from '../record/trace-options.ts';
import { type CommandIo, readerGoneCode } from './command-io.ts';
import { fittedHelp } from './help.ts';
import { loadTools } from './load-tools.ts';
import { misuse } from './misuse.ts';
import { oneLine } from './plain-text.ts';
import { noFaults, readTrace } from './read-trace.ts';
import { type ReplayFlags, readReplayFlags, replayHelpText } from './replay-flags.ts';
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
  const options = await optionsOf(flags);
  const style = styleFor(wantsColour({ isTerminal: stdout.isTTY === true, variables: process.env }));
  const all: Replayed[] = [];
  const failed: Unreplayed[] = [];
  for (const trace of flags.traces.flatMap(tracesAt)) {
    const one = await replayOne(trace, options, io);
    if (reader.isGone) return readerGoneCode;
    if ('error' in one) {
      failed.push(one);
      continue;
    }
    stdout.write(flags.json ? jsonLine(one) : replayLines(one, style));
    all.push(one);
  }
  if (!flags.json && all.length > 1) stdout.write(replaySummary(all, style));
  throwWhatFailed(failed, all.length);
  for (const { trace } of failed) io.stderr.write(`${oneLine(trace)} is ${recordingWords}, and passed over.\n`);
  return all.every(isAsRecorded) ? 0 : 1;
}

async function optionsOf({ tools, unfinished }: ReplayFlags): Promise<ReplayTraceOptions> {
  return { unfinished, ...(tools === undefined ? {} : { tools: await loadTools(tools) }) };
}

const recordingWords = 'a recording, of what a model said, for replay(file) of fuseloop/record';

/** What was no trace. */
interface Unreplayed {
  readonly trace: string;
  readonly error: AgentError;
  readonly isRecording: boolean;
}

/** Of what was no trace, recordings beside traces are no misuse. All is told at once, behind the replay of the others. */
function throwWhatFailed(failed: readonly Unreplayed[], replayed: number): void {
  const wrong = replayed === 0 ? failed : failed.filter(({ isRecording }) => !isRecording);
  const [first] = wrong;
  if (first === undefined) return;
  if (wrong.length === 1) throw first.error;
  const each = (name: 'message' | 'hint') => [...new Set(wrong.map(({ error }) => error[name]))].join('\n');
  throw misuse(each('message'), each('hint'), first.error);
}

/** The files of a folder, by name. */
function tracesAt(path: string): readonly string[] {
  if (path === '-' || statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [path];
  const files = readdirSync(path).filter((file) => file.endsWith('.jsonl'));
  if (files.length > 0) return files.sort().map((file) => join(path, file));
  throw misuse(`The folder ${path} holds no file that ends with .jsonl.`, 'Name the traces themselves.');
}

async function replayOne(
  trace: string,
  options: ReplayTraceOptions,
  { stdin }: CommandIo,
): Promise<Replayed | Unreplayed> {
  const faults = noFaults();
  const [source, name] = trace === '-' ? [stdin, 'stdin'] : [createReadStream(trace), trace];
  try {
    const events: TraceEvent[] = [];
    for await (const event of readTrace(source, name, faults)) events.push(event);
    return { trace, replay: await replayEvents(events, { isTorn: faults.torn !== null }, options), faults };
  } catch (thrown) {
    if (!(thrown instanceof AgentError)) throw thrown;
    return { trace, error: thrown, isRecording: faults.isRecording };
  }
}

function jsonLine({ trace, replay, faults }: Replayed): string {
  return `${JSON.stringify({ trace, ...replay, tornLine: faults.torn })}\n`;
}
