/** The flags of `fuseloop inspect`, and its help. Pure. */
import type { Flag } from './flag-table.ts';
import { flagLines } from './help.ts';
import { misuse } from './misuse.ts';
import { pricesFlag } from './price-file.ts';
import { readTable } from './read-flag-table.ts';
import { inspectFlagValues } from './schemas.ts';

const none = 'It takes no value.';

const inspectFlagTable = {
  port: {
    type: 'string',
    value: 'N',
    tells: 'the port of the page on 127.0.0.1; default: any that is free',
    allowed: 'It is a whole number from 0 to 65535.',
  },
  open: { type: 'boolean', tells: 'open the page in the browser', allowed: none },
  'no-follow': { type: 'boolean', tells: 'show what the files hold now, and not what comes', allowed: none },
  html: {
    type: 'string',
    value: 'FILE',
    tells: 'write the page with the runs inside to FILE, to be sent and opened anywhere; - is stdout',
    allowed: 'It is a file that can be written, in a folder that exists, or - for stdout.',
  },
  prices: pricesFlag,
  help: { type: 'boolean', short: 'h', tells: 'this text', allowed: none },
} as const satisfies { readonly [name: string]: Flag };

export interface InspectFlags {
  /** Files, folders, or `-` for stdin. At least one. */
  readonly traces: readonly string[];
  readonly port: number;
  readonly open: boolean;
  readonly follows: boolean;
  readonly html: string | undefined;
  readonly prices: string | undefined;
}

const whatToName =
  'Name files that fuseloop run --trace FILE wrote, folders of *.jsonl, or - for stdin: fuseloop inspect traces. ' +
  'To see a run as it goes: fuseloop run --inspect.';

/** Throws misuse. */
export function readInspectFlags(argv: readonly string[]): 'help' | InspectFlags {
  const read = readTable(argv, inspectFlagTable, { command: 'inspect', schema: inspectFlagValues, words: true });
  if (read === 'help' || read === 'version') return 'help';
  const { port, open, 'no-follow': noFollow, html, prices } = read.values;
  const traces = [...new Set(read.words)];
  if (traces.length === 0 || traces.includes('')) throw misuse('There is no trace.', whatToName);
  if (html !== undefined && (port !== undefined || open))
    throw misuse(
      `--html is given with ${open ? '--open' : '--port'}.`,
      'It writes a file, and opens no page: leave one of the two out.',
    );
  return { traces, port: port ?? 0, open, follows: !noFollow, html, prices };
}

export function inspectHelpText(): string {
  return `fuseloop inspect: a page on this machine that shows runs: states, steps, prompts, calls, budgets

Usage
  fuseloop inspect TRACE… [flags]    files that fuseloop run --trace wrote, and folders of *.jsonl
  fuseloop inspect - [flags]         a trace from stdin, such as of a run that goes on in a pipe
  fuseloop run … --inspect           a run as it goes: watch it, and decide about calls that wait

Prints the address of the page, and serves it until Ctrl-C. The address holds a token: who has it sees the runs. Nothing
leaves this machine. Files that grow are followed, and so are folders that get new files.
A file that is damaged is told on stderr; what was read of it before, and all others, are shown.

Flags
${flagLines(inspectFlagTable)}

Exit codes
  0 shown until Ctrl-C, or written with --html · 1 with --html: a file is damaged or holds no events, and the rest is written
  2 misuse, such as a trace that is not there · 141 nobody reads the output any more

Examples
  fuseloop inspect run.jsonl --open
  fuseloop inspect traces --port 7000 --prices prices.json
  fuseloop inspect traces/2026-01-31*.jsonl --html runs.html
`;
}
