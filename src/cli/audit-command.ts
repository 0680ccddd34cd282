/** `fuseloop audit`: prints the decisions that a trace records, as they are read. */
import { createReadStream } from 'node:fs';
import type { TraceEvent } from '../core/trace.ts';
import { createAudit } from '../observe/audit.ts';
import type { AuditRecord } from '../observe/audit-record.ts';
import { auditHelpText, readAuditFlags } from './audit-flags.ts';
import { auditLine, auditTitles } from './audit-line.ts';
import { createTally, type Tally } from './audit-tally.ts';
import { type CommandIo, readerGoneCode } from './command-io.ts';
import { fittedHelp } from './help.ts';
import { visible, wrapped } from './plain-text.ts';
import { noFaults, readTrace, type TraceFaults } from './read-trace.ts';
import { styleFor, wantsColour } from './style.ts';

/** Returns the exit code; throws AgentError for misuse. */
export async function auditCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const { stdin, stdout, stderr } = io;
  const flags = readAuditFlags(argv);
  if (flags === 'help') {
    stdout.write(fittedHelp(auditHelpText(), stdout));
    return 0;
  }
  const fromStdin = flags.trace === '-';
  const source = fromStdin ? stdin : createReadStream(flags.trace);
  const reader = { isGone: false };
  io.onOutputClosed(() => {
    reader.isGone = true;
    source.destroy();
  });
  const seen: Seen = { faults: noFaults(), tally: createTally(), open: { count: 0, named: [] } };
  try {
    const events = readTrace(source, fromStdin ? 'stdin' : flags.trace, seen.faults);
    await print(recordsOf(events, seen), flags.json ? jsonLine : linesFor(stdout), stdout);
  } catch (thrown) {
    // A source that was closed for want of a reader cannot be read, and that is no misuse.
    if (!reader.isGone) throw thrown;
  }
  if (reader.isGone) return readerGoneCode;
  if (!flags.json) stdout.write(`${tallyFor(stdout, seen.tally.line())}\n`);
  const notices = noticesOf(seen);
  stderr.write(notices.map((notice) => `fuseloop: ${visible(notice)}\n`).join(''));
  return notices.length === 0 ? 0 : 1;
}

interface Seen {
  readonly faults: TraceFaults;
  readonly tally: Tally;
  /** The calls of which a trace does not tell the end because it breaks off; the first of them by id and tool. */
  readonly open: { count: number; readonly named: string[] };
}

async function* recordsOf(events: AsyncIterable<TraceEvent>, seen: Seen): AsyncGenerator<AuditRecord> {
  const audit = createAudit();
  for await (const event of events) yield* noted(audit.take(event), event.type !== 'run.ended', seen);
  yield* noted(audit.end(), true, seen);
}

function* noted(records: readonly AuditRecord[], isCutOff: boolean, { tally, open }: Seen): Generator<AuditRecord> {
  for (const record of records) {
    tally.add(record);
    if (isCutOff && record.decision === 'unsettled' && ++open.count <= mostNamed)
      open.named.push(`${record.callId} ${record.tool}`);
    yield record;
  }
}

async function print(
  records: AsyncIterable<AuditRecord>,
  textOf: (record: AuditRecord) => string,
  stdout: NodeJS.WriteStream,
): Promise<void> {
  for await (const record of records) if (!stdout.write(textOf(record)) && !stdout.destroyed) await drained(stdout);
}

function jsonLine(record: AuditRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/** A terminal has titles above the first line, and may be made narrower meanwhile. */
function linesFor(stdout: NodeJS.WriteStream): (record: AuditRecord) => string {
  const isTerminal = stdout.isTTY === true;
  const style = styleFor(wantsColour({ isTerminal, variables: process.env }));
  if (!isTerminal) return (record) => auditLine(record, { style, columns: null });
  let isTitled = false;
  return (record) => {
    const columns = stdout.columns || 80;
    const titles = isTitled ? '' : auditTitles({ style, columns });
    isTitled = true;
    return titles + auditLine(record, { style, columns });
  };
}

function tallyFor(stdout: NodeJS.WriteStream, line: string): string {
  // A count stays with what it counts.
  const wordsOf = (text: string) => text.split(/(?<=[,:]) | (?=·)/);
  return stdout.isTTY === true ? wrapped(line, (stdout.columns || 80) - 1, wordsOf) : line;
}

function noticesOf({ faults: { torn, gap, endless }, open }: Seen): readonly string[] {
  return [
    ...(gap === null
      ? []
      : [`Before line ${gap} events are missing, or several runs wrote into one file: give each its own.`]),
    ...(torn === null ? [] : [`The last line, ${torn}, breaks off, and is left out.`]),
    ...(endless === null
      ? []
      : [
          `The trace ends before the run does: run ${endless.runId} has no end after line ${endless.line}.${told(open)}`,
        ]),
  ];
}

/** Such as ` Open: 1.2 save, 2.1 send.` */
function told({ count, named }: Seen['open']): string {
  const more = count > named.length ? ` and ${count - named.length} more` : '';
  return count === 0 ? ' No call is open.' : ` Open: ${named.join(', ')}${more}.`;
}

const mostNamed = 5;

/** Settles also when nobody reads any more. */
function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    const events = ['drain', 'close', 'error'] as const;
    const settle = () => {
      for (const event of events) stream.off(event, settle);
      resolve();
    };
    for (const event of events) stream.once(event, settle);
  });
}
