/** The flags of `fuseloop resume`, and its help. Pure. */
import { type Decision, decisionFlagTable, readDecisions } from './decisions.ts';
import type { Demo } from './demos/demo.ts';
import { flagTable } from './flag-table.ts';
import { type AgentFlags, agentFlagsOf, demoOf } from './flags.ts';
import { flagLines } from './help.ts';
import { misuse } from './misuse.ts';
import { readTable } from './read-flag-table.ts';
import { resumeFlagValues } from './schemas.ts';

const { 'run-id': _, 'resume-on-crash': __, version: ___, store, trace, ...ofAgent } = flagTable;

const resumeFlagTable = {
  store: { ...store, tells: 'where the run is kept: what run --store was given' },
  ...decisionFlagTable,
  ...ofAgent,
  trace: { ...trace, tells: 'write the events to FILE; what it holds of the run already stays' },
};

export interface ResumeFlags extends AgentFlags {
  /** The id of a run, or its beginning. */
  readonly run: string;
  readonly store: string;
  readonly demo: Demo | undefined;
  readonly decisions: readonly Decision[];
}

const which = 'fuseloop runs --store DIR lists the runs; name one: fuseloop resume RUN --store DIR.';

/** Throws misuse. */
export function readResumeFlags(argv: readonly string[]): 'help' | ResumeFlags {
  if (argv.some((word) => word === '--help' || word === '-h')) return 'help';
  const { decisions, rest } = readDecisions(argv);
  const read = readTable(rest, resumeFlagTable, { command: 'resume', schema: resumeFlagValues, words: true });
  if (read === 'help' || read === 'version') return 'help';
  const { values, words } = read;
  const [run, more] = words;
  if (run === undefined || run === '') throw misuse('There is no run.', which);
  if (more !== undefined)
    throw misuse(
      `There is ${JSON.stringify(more)} behind the run ${JSON.stringify(run)}.`,
      `One run at a time, and one decision behind each flag. ${decisionFlagTable.edit.allowed}`,
    );
  if (values.store === undefined) throw misuse('There is no --store.', `${store.allowed} ${which}`);
  return { ...agentFlagsOf(values), run, store: values.store, demo: demoOf(values.demo), decisions };
}

export function resumeHelpText(): string {
  return `fuseloop resume: goes on with a stored run: one that waits for a person, was stopped, crashed, or reached a limit

Usage
  fuseloop resume RUN --store DIR [flags]    RUN is the id, or so much of its beginning that it is the only one

What the run did stays done. A call that waits is decided by --approve, --deny or --edit, each as often as there are
calls; what stays undecided waits on, and the run is suspended again. Without a decision the person at the terminal is
asked; where there is none, what waits is told, and nothing changes.
A run that reached a limit needs a larger one, such as --max-steps. Other limits stay as they were.
A run that is over, such as one with its answer, is told again as run told it; nothing runs.

The store keeps the run and not the agent: give --tools, --model, --base-url and --policy as they were given to run. The
commands that run prints have them. The dialect and the language are known from the run itself.

Flags
${flagLines(resumeFlagTable)}

Exit codes
  those of run: 0 answered · 1 ended without an answer · 3 a call waits for a person
  2 misuse: nothing was changed, also where another process drives the run
  130 stopped with Ctrl-C, 143 with SIGTERM

Examples
  fuseloop resume 3f2a --store runs --approve 2.1
  fuseloop resume 3f2a --store runs --deny 2.1 --why "not before Monday" --approve 2.2
  fuseloop resume 3f2a --store runs --edit 2.1 '{"to":"ada"}' --tools ./my-tools.js
  fuseloop resume 3f2a --store runs --max-steps 24
`;
}
