/** The flags of `fuseloop audit`, and its help. Pure. */
import type { Flag } from './flag-table.ts';
import { flagLines } from './help.ts';
import { misuse } from './misuse.ts';
import { readTable } from './read-flag-table.ts';
import { auditFlagValues } from './schemas.ts';

const auditFlagTable = {
  json: {
    type: 'boolean',
    tells: 'stdout carries each record as one JSON object a line',
    allowed: 'It takes no value.',
  },
  help: { type: 'boolean', short: 'h', tells: 'this text', allowed: 'It takes no value.' },
} as const satisfies { readonly [name: string]: Flag };

export interface AuditFlags {
  /** A path; `-` is stdin. */
  readonly trace: string;
  readonly json: boolean;
}

const whatATraceIs =
  'Name a file that fuseloop run --trace FILE wrote: fuseloop audit FILE; or - to read it from stdin.';

/** Throws misuse. */
export function readAuditFlags(argv: readonly string[]): 'help' | AuditFlags {
  const read = readTable(argv, auditFlagTable, { command: 'audit', schema: auditFlagValues, words: true });
  if (read === 'help' || read === 'version') return 'help';
  const [trace, ...more] = read.words;
  if (trace === undefined || trace === '') throw misuse('There is no trace.', whatATraceIs);
  if (more.length > 0)
    throw misuse(
      `There are ${read.words.length} traces.`,
      'One at a time; or cat them all: cat *.jsonl | fuseloop audit -',
    );
  return { trace, json: read.values.json };
}

export function auditHelpText(): string {
  return `fuseloop audit: every decision about the calls of a run: who, what, why, when, and about which input

Usage
  fuseloop audit TRACE [flags]       a file that fuseloop run --trace wrote, or that onEvent wrote line by line
  fuseloop audit - [flags]           the trace from stdin

One line a decision, then the counts; a terminal has the titles as well:
  time (UTC)           call decision  tool       input   why
  2026-01-31T09:30:00Z 2.1  asked     save       #9f2c1a marked sideEffect
  2026-01-31T09:30:07Z 2.1  approved  save       #9f2c1a by ada

The input is not shown: its hash is equal for equal calls. --json has the whole hash and the whole reason.

Flags
${flagLines(auditFlagTable)}

Exit codes
  0 all was read · 1 events are missing: a gap, several runs at once, a last line that breaks off, a run without its end
  2 misuse, such as what is no trace · 141 nobody reads the output any more
`;
}
