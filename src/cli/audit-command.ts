/** `fuseloop audit`: prints the decisions that a trace records, as they are read. */
import { createReadStream } from 'node:fs';
import type { TraceEvent } from '../core/trace.ts';
import { createAudit } from '../observe/audit.ts';
import type { AuditRecord } from '../observe/audit-record.ts';
import { auditHelpText, readAuditFlags } from './audit-flags.ts';
import { auditLine } from './audit-line.ts';
import { createTally, type Tally } from './audit-tally.ts';
import type { CommandIo } from './command-io.ts';
import { readTrace, type TraceFaults } from './read-trace.ts';
import { styleFor, wantsColour } from './style.ts';

/** Returns the exit code; throws AgentError for misuse. */
export async function auditCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const flags = readAuditFlags(argv);
  if (flags === 'help') {
    io.stdout.write(auditHelpText());
    return 0;
  }
  const { stdin, stdout, stderr } = io;
  const fromStdin = flags.trace === '-';
  const source = fromStdin ? stdin : createReadStream(flags.trace);
  const reader = { isGone: false };
  io.onOutputClosed(() => {
    reader.isGone = true;
    source.destroy();
  });
  const faults: TraceFaults = { torn: null, gap: null };
  const tally = createTally();
  try {
    const events = readTrace(source, fromStdin ? 'stdin' : flags.trace, faults);
    await print(recordsOf(events, tally), flags.json ? jsonLine : lineFor(stdout), stdout);
  } catch (thrown) {
    // A source that was closed for want of a reader cannot be read, and that is no misuse.
    if (!reader.isGone) throw thrown;
  }
  if (reader.isGone) return 1;
  if (!flags.json) stdout.write(`${tally.line()}\n`);
  stderr.write(notices(faults));
  return faults.gap === null ? 0 : 1;
}

async function* recordsOf(events: AsyncIterable<TraceEvent>, tally: Tally): AsyncGenerator<AuditRecord> {
  const audit = createAudit();
  for await (const event of events)
    for (const record of audit.take(event)) {
      tally.add(record);
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

/** The terminal may be made narrower meanwhile. */
function lineFor(stdout: NodeJS.WriteStream): (record: AuditRecord) => string {
  const isTerminal = stdout.isTTY === true;
  const style = styleFor(wantsColour({ isTerminal, variables: process.env }));
  return (record) => auditLine(record, { style, columns: isTerminal ? stdout.columns || 80 : null });
}

function notices({ torn, gap }: TraceFaults): string {
  const lines = [
    ...(gap === null
      ? []
      : [`Before line ${gap} events are missing, or several runs wrote into one file: give each its own.`]),
    ...(torn === null ? [] : [`The last line, ${torn}, breaks off, and is left out.`]),
  ];
  return lines.map((line) => `fuseloop: ${line}\n`).join('');
}

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
