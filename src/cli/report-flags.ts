/** The flags of `fuseloop report`, and its help. Pure. */
import type { Flag } from './flag-table.ts';
import { flagLines } from './help.ts';
import { misuse } from './misuse.ts';
import { pricesFlag } from './price-file.ts';
import { readTable } from './read-flag-table.ts';
import { reportFlagValues } from './schemas.ts';

const none = 'It takes no value.';

const reportFlagTable = {
  json: { type: 'boolean', tells: 'stdout carries the metrics as one JSON document', allowed: none },
  html: {
    type: 'string',
    value: 'FILE',
    tells: 'write the report as a page to FILE, to be sent and opened anywhere; - is stdout',
    allowed: 'It is a file that can be written, in a folder that exists, or - for stdout.',
  },
  prices: pricesFlag,
  help: { type: 'boolean', short: 'h', tells: 'this text', allowed: none },
} as const satisfies { readonly [name: string]: Flag };

export interface ReportFlags {
  /** Files, folders, or `-` for stdin. At least one. */
  readonly traces: readonly string[];
  readonly json: boolean;
  readonly html: string | undefined;
  readonly prices: string | undefined;
}

/** Throws misuse. */
export function readReportFlags(argv: readonly string[]): 'help' | ReportFlags {
  const read = readTable(argv, reportFlagTable, { command: 'report', schema: reportFlagValues, words: true });
  if (read === 'help' || read === 'version') return 'help';
  const { json, html, prices } = read.values;
  const traces = [...new Set(read.words)];
  if (traces.length === 0 || traces.includes(''))
    throw misuse(
      'There is no trace.',
      'Name files that fuseloop run --trace FILE wrote, folders of *.jsonl, or - for stdin: fuseloop report traces.',
    );
  if (json && html === '-')
    throw misuse(
      '--json and --html - are both for stdout.',
      'Name a file: --html report.html, or leave one of them out.',
    );
  return { traces, json, html, prices };
}

export function reportHelpText(): string {
  return `fuseloop report: how runs did: answers, endings, steps, tokens, time, cost, tools, faults, and what failures have in common

Usage
  fuseloop report TRACE… [flags]     files that fuseloop run --trace wrote, and folders of *.jsonl
  fuseloop report - [flags]          a trace from stdin

A table with bars; --json for programs (format fuseloop.report/1), --html for a page that needs nothing else.
Any number of files: one run at a time is held. Percentiles are exact up to 1,000 runs, and behind that right to 1 %.
A file that is damaged is told on stderr; what was read of it before, and all others, are in the report.

Flags
${flagLines(reportFlagTable)}

Prices: for a million tokens, by the name of the model, or PROVIDER/NAME. cachedPerMillion is of input read from a cache.
  {"gpt-4o-mini": {"inputPerMillion": 0.15, "outputPerMillion": 0.6, "cachedPerMillion": 0.075}}

Exit codes
  0 all was read · 1 a file is damaged, holds no events, or lacks some; the rest is in the report
  2 misuse, such as a trace that is not there · 141 nobody reads the output any more

Examples
  fuseloop report traces/*.jsonl
  fuseloop report traces --prices prices.json --html report.html
  fuseloop report traces --json | jq .successRate
`;
}
