/** `fuseloop inspect`: shows recorded runs, and those that are being recorded, in a page; or writes the page as one file. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { messageOf } from '../core/message-of.ts';
import { recordedRuns } from '../observe/inspect/embedded.ts';
import { createInspector } from '../observe/inspect/inspector.ts';
import type { Prices } from '../observe/report/metrics.ts';
import { type CommandIo, readerGoneCode } from './command-io.ts';
import { fittedHelp } from './help.ts';
import { type InspectFlags, inspectHelpText, readInspectFlags } from './inspect-flags.ts';
import { showTraces } from './inspect-sources.ts';
import { misuse } from './misuse.ts';
import { openBrowser } from './open-browser.ts';
import { oneLine } from './plain-text.ts';
import { pricesIn } from './price-file.ts';

/** Of memory: what is named here is wanted whole. */
const mostBytes = 2_000_000_000;

/** Returns the exit code; throws AgentError for misuse. */
export async function inspectCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const flags = readInspectFlags(argv);
  if (flags === 'help') {
    io.stdout.write(fittedHelp(inspectHelpText(), io.stdout));
    return 0;
  }
  const prices = flags.prices === undefined ? {} : { prices: await pricesIn(flags.prices) };
  return flags.html === undefined ? serve(flags, prices, io) : write(flags, flags.html, prices, io);
}

interface Priced {
  readonly prices?: Prices;
}

async function serve({ traces, port, open, follows }: InspectFlags, priced: Priced, io: CommandIo): Promise<number> {
  const { stdin, stdout, stderr, interrupts } = io;
  const leaving = new AbortController();
  let code = 0;
  const left = new Promise<void>((resolve) => leaving.signal.addEventListener('abort', () => resolve()));
  const bounds = { mostBytes, mostBytesPerRun: mostBytes / 2 };
  const inspector = await createInspector({ port, keepsProcess: true, ...bounds, ...priced });
  interrupts.onFirst(() => leaving.abort());
  io.onOutputClosed(() => {
    code = readerGoneCode;
    leaving.abort();
  });
  const progress = progressOn(stderr);
  try {
    const shown = showTraces({
      ...{ traces, stdin, follows, signal: leaving.signal, show: inspector.show },
      onNotice: (notice) => progress.say(notice),
      onProgress: progress.at,
    });
    await Promise.race([started(shown), left]);
    stdout.write(`Inspector: ${inspector.url}\n`);
    if (stdout.isTTY === true) stdout.write('Ctrl-C ends it.\n');
    if (open) openBrowser(inspector.url, (why) => stderr.write(`fuseloop: no browser was opened: ${oneLine(why)}\n`));
    await Promise.race([shown, left]);
    await left;
  } finally {
    leaving.abort();
    await inspector.close();
  }
  return code;
}

/** Rejects with misuse, which is found before anything is read; a long trace need not be read by then. */
function started(shown: Promise<void>): Promise<void> {
  return Promise.race([shown, new Promise<void>((resolve) => setTimeout(resolve, firstMs))]);
}

/** In milliseconds: the address is printed by then, also where much is to be read. */
const firstMs = 300;

async function write({ traces }: InspectFlags, out: string, priced: Priced, io: CommandIo): Promise<number> {
  const { stdin, stdout, stderr } = io;
  const never = new AbortController();
  const runs = await recordedRuns(priced);
  const progress = progressOn(stderr);
  let isWhole = true;
  await showTraces({
    ...{ traces, stdin, follows: false, signal: never.signal, show: runs.show },
    onNotice: (notice) => {
      isWhole = false;
      progress.say(notice);
    },
    onProgress: progress.at,
  });
  if (runs.count() === 0)
    throw misuse('There is no run to write.', 'Nothing was written. Name a trace that holds one.');
  let bytes = 0;
  const counted = function* () {
    for (const piece of runs.html()) {
      bytes += Buffer.byteLength(piece);
      yield piece;
    }
  };
  try {
    if (out === '-') await pipeline(Readable.from(counted()), stdout, { end: false });
    else await pipeline(Readable.from(counted()), createWriteStream(out));
  } catch (thrown) {
    if (out === '-') return readerGoneCode;
    throw misuse(
      `--html ${out} cannot be written: ${messageOf(thrown)}.`,
      'The folder must exist, and you must be allowed to write there.',
      thrown,
    );
  }
  const count = runs.count();
  stderr.write(`${oneLine(out)}: ${count} ${count === 1 ? 'run' : 'runs'}, ${sizeText(bytes)}\n`);
  return isWhole ? 0 : 1;
}

function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** A line that is redrawn at a terminal; elsewhere notices alone. */
function progressOn(stderr: NodeJS.WriteStream) {
  const isTerminal = stderr.isTTY === true && process.env.TERM !== 'dumb';
  const clear = isTerminal ? '\r\u001b[K' : '';
  return {
    at(read: number, of: number) {
      if (isTerminal && of > 1) stderr.write(`${clear}${read === of ? '' : `Read ${read} of ${of} files`}`);
    },
    say(notice: string) {
      stderr.write(`${clear}fuseloop: ${oneLine(notice)}\n`);
    },
  };
}
