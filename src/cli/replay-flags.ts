/** The flags of `fuseloop replay`, and its help. Pure. */
import type { Flag } from './flag-table.ts';
import { flagLines } from './help.ts';
import { misuse } from './misuse.ts';
import { readTable } from './read-flag-table.ts';
import { replayFlagValues } from './schemas.ts';

const replayFlagTable = {
  tools: {
    type: 'string',
    value: 'FILE',
    tells: "a module with today's tools: their schemas and marks; nothing is run",
    allowed: 'It is the path of a JavaScript module whose exports are tools.',
  },
  unfinished: {
    type: 'boolean',
    tells: 'a trace may end before its run does, as after a crash',
    allowed: 'It takes no value.',
  },
  json: {
    type: 'boolean',
    tells: 'stdout carries each trace as one JSON object a line',
    allowed: 'It takes no value.',
  },
  help: { type: 'boolean', short: 'h', tells: 'this text', allowed: 'It takes no value.' },
} as const satisfies { readonly [name: string]: Flag };

export interface ReplayFlags {
  /** Paths of files and folders; `-` is stdin. At least one. */
  readonly traces: readonly string[];
  readonly tools: string | undefined;
  readonly unfinished: boolean;
  readonly json: boolean;
}

/** Throws misuse. */
export function readReplayFlags(argv: readonly string[]): 'help' | ReplayFlags {
  const read = readTable(argv, replayFlagTable, { command: 'replay', schema: replayFlagValues, words: true });
  if (read === 'help' || read === 'version') return 'help';
  const { values, words } = read;
  if (words.length === 0 || words.includes(''))
    throw misuse(
      words.length === 0 ? 'There is no trace.' : 'The name of a trace is empty.',
      'Name files that fuseloop run --trace FILE wrote, or a folder of them: fuseloop replay FILE; or - to read one from stdin.',
    );
  if (words.filter((word) => word === '-').length > 1)
    throw misuse('Stdin is named twice.', 'Name it once; what stands there may hold several runs.');
  return { traces: words, ...values, tools: values.tools };
}

export function replayHelpText(): string {
  return `fuseloop replay: a recorded run carried out again, offline, and where today's run differs from it

Usage
  fuseloop replay TRACE... [flags]   files that fuseloop run --trace wrote, or folders of such files (*.jsonl)
  fuseloop replay - [flags]          a trace from stdin

Today's machine, reader, gates and checks work on what was recorded: the replies of the model, what tools gave, what
people decided, and when. No model is asked, no tool is run, and no time passes. Limits, policy and prompt are those of
the recording. Without --tools every input is taken that was taken then.

A line for each trace, and below it what differs, the first difference first; so a folder of traces is a regression test.
Events that are missing are differences, and so is an end that is. Recordings, of what a model said, are passed over.
What the trace of an agent of your own does not hold (answerSchema, requireTools, sizes, ...) is given to replayTrace of
fuseloop/record, in a test.

Flags
${flagLines(replayFlagTable)}

Exit codes
  0 nothing differs · 1 something does, or is missing · 2 misuse, such as what is no trace; the others are replayed
  141 nobody reads the output any more

Examples
  fuseloop run --demo incident --trace incident.jsonl && fuseloop replay incident.jsonl
  fuseloop replay traces/ --tools ./my-tools.js
`;
}
