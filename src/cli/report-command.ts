/** `fuseloop report`: how the runs of any number of trace files did. */
import { writeFile } from 'node:fs/promises';
import { messageOf } from '../core/message-of.ts';
import { createMetrics } from '../observe/report/measure.ts';
import type { Metrics } from '../observe/report/metrics.ts';
import { reportPage } from '../observe/report/page.ts';
import { type CommandIo, readerGoneCode } from './command-io.ts';
import { grouped } from './flag-table.ts';
import { fittedHelp } from './help.ts';
import { misuse } from './misuse.ts';
import { oneLine, visible } from './plain-text.ts';
import { pricesIn } from './price-file.ts';
import { filesOf, readRuns } from './report-files.ts';
import { type ReportFlags, readReportFlags, reportHelpText } from './report-flags.ts';
import { reportText } from './report-text.ts';
import { terminalScreen } from './screen.ts';
import { styleFor, wantsColour } from './style.ts';

/** Returns the exit code; throws AgentError for misuse. */
export async function reportCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const { stdout, stderr } = io;
  const flags = readReportFlags(argv);
  if (flags === 'help') {
    stdout.write(fittedHelp(reportHelpText(), stdout));
    return 0;
  }
  const reader = { isGone: false };
  io.onOutputClosed(() => {
    reader.isGone = true;
  });
  const prices = flags.prices === undefined ? undefined : await pricesIn(flags.prices);
  const files = await filesOf(flags.traces);
  const measuring = createMetrics(prices === undefined ? {} : { prices });
  const notices: string[] = [];
  const progress = progressOn(stderr);
  let runs = 0;
  await readRuns(files, {
    stdin: io.stdin,
    onRun: (view, file) => {
      measuring.add(view, file);
      runs++;
      progress.runs(runs);
    },
    onNotice: (notice) => notices.push(notice),
    onFile: progress.file,
    isStopped: () => reader.isGone,
  });
  progress.end();
  if (reader.isGone) return readerGoneCode;
  await show(measuring.metrics(), flags, stdout);
  stderr.write(notices.map((notice) => `fuseloop: ${visible(notice)}\n`).join(''));
  if (reader.isGone) return readerGoneCode;
  return notices.length === 0 ? 0 : 1;
}

async function show(metrics: Metrics, { json, html }: ReportFlags, stdout: NodeJS.WriteStream): Promise<void> {
  if (html === '-') stdout.write(reportPage(metrics));
  else if (html !== undefined) await writePage(html, reportPage(metrics));
  if (json) stdout.write(`${JSON.stringify(metrics, null, 2)}\n`);
  else if (html === undefined) stdout.write(textFor(stdout, metrics));
  else if (html !== '-') stdout.write(`Written: ${oneLine(html)}\n`);
}

function textFor(stdout: NodeJS.WriteStream, metrics: Metrics): string {
  const isTerminal = stdout.isTTY === true;
  const style = styleFor(wantsColour({ isTerminal, variables: process.env }));
  return reportText(metrics, { style, columns: isTerminal ? stdout.columns || 80 : 100, quote });
}

/** As a shell takes it. Names with other signs are quoted, as both kinds of shells read it. */
function quote(file: string): string {
  const name = oneLine(file);
  return /^[\w@%+=:,./\\-]+$/.test(name) ? name : `"${name}"`;
}

async function writePage(path: string, page: string): Promise<void> {
  try {
    await writeFile(path, page);
  } catch (thrown) {
    throw misuse(
      `--html ${path} cannot be written: ${messageOf(thrown)}.`,
      'The folder must exist, and you must be allowed to write there.',
      thrown,
    );
  }
}

/** At a terminal, after a moment: short work says nothing. */
function progressOn(stderr: NodeJS.WriteStream) {
  const silentMs = 500;
  const everyMs = 100;
  const startedAt = performance.now();
  let [drawnAt, file, files, runs] = [startedAt, 0, 0, 0];
  const screen = stderr.isTTY === true ? terminalScreen(stderr, styleFor(false)) : null;
  const draw = () => {
    const now = performance.now();
    if (screen === null || now - startedAt < silentMs || now - drawnAt < everyMs) return;
    drawnAt = now;
    screen.status(`reading file ${grouped(file + 1)} of ${grouped(files)} · ${grouped(runs)} runs`);
  };
  return {
    file(index: number, of: number) {
      [file, files] = [index, of];
      draw();
    },
    runs(count: number) {
      runs = count;
      draw();
    },
    end: () => screen?.status(''),
  };
}
