/** The flags of `fuseloop runs`, and its help. Pure. */
import { type RunStatus, runStatuses } from '../core/store.ts';
import { type Flag, flagTable } from './flag-table.ts';
import { flagLines } from './help.ts';
import { misuse } from './misuse.ts';
import { readTable } from './read-flag-table.ts';
import { runsFlagValues } from './schemas.ts';

const statuses = `${runStatuses.slice(0, -1).join(', ')} or ${runStatuses.at(-1)}`;

const runsFlagTable = {
  store: { ...flagTable.store, tells: 'where the runs are kept: what run --store was given' },
  status: {
    type: 'string',
    multiple: true,
    value: 'STATUS',
    tells: `only those that are ${statuses}; may be repeated`,
    allowed: `It is ${statuses}.`,
    choices: runStatuses,
  },
  limit: {
    type: 'string',
    value: 'N',
    tells: 'the most that are listed; default: all, at a terminal 50',
    allowed: 'It is a whole number, 0 or more.',
  },
  delete: {
    type: 'string',
    multiple: true,
    value: 'RUN',
    tells: 'delete this run, which nobody may hold; may be repeated',
    allowed: 'It is the id of a run, or so much of its beginning that it is the only one.',
  },
  'delete-ended': {
    type: 'string',
    value: 'AGE',
    tells: 'delete the runs that ended and did not change for so long, such as 7d',
    allowed: 'It is a number and s, min, h, d or w, such as 90min or 7d.',
  },
  json: { type: 'boolean', tells: 'stdout carries each run as one JSON object a line', allowed: 'It takes no value.' },
  help: { type: 'boolean', short: 'h', tells: 'this text', allowed: 'It takes no value.' },
} as const satisfies { readonly [name: string]: Flag };

export interface RunsFlags {
  readonly store: string;
  /** Empty: any. */
  readonly status: readonly RunStatus[];
  readonly limit: number | undefined;
  readonly delete: readonly string[];
  /** Milliseconds. */
  readonly deleteEnded: number | undefined;
  readonly json: boolean;
}

/** Throws misuse. */
export function readRunsFlags(argv: readonly string[]): 'help' | RunsFlags {
  const read = readTable(argv, runsFlagTable, { command: 'runs', schema: runsFlagValues });
  if (read === 'help' || read === 'version') return 'help';
  const { store, status = [], limit, delete: named = [], 'delete-ended': deleteEnded, json } = read.values;
  if (store === undefined)
    throw misuse('There is no --store.', `${runsFlagTable.store.allowed} Such as: fuseloop runs --store runs.`);
  if (named.length > 0 && deleteEnded !== undefined)
    throw misuse('Both --delete and --delete-ended are given.', 'Leave out one of the two.');
  if ((named.length > 0 || deleteEnded !== undefined) && (status.length > 0 || limit !== undefined))
    throw misuse(
      'What is to be deleted is told by --delete or --delete-ended alone, and --status or --limit is given, too.',
      'Leave those out. Nothing was deleted.',
    );
  return { store, status, limit, delete: named, deleteEnded, json };
}

export function runsHelpText(): string {
  return `fuseloop runs: the runs that a store keeps, those that changed last first

Usage
  fuseloop runs --store DIR [flags]

A run is running (a process drives it), suspended (it waits for a person), interrupted (its process is gone, such as after
a crash), ended, or unreadable. At a terminal the ids of random runs are cut to what tells them apart; every command takes
such a beginning of an id. Elsewhere each run is one line of fields between tabs:
  run, status, why it stopped or what it waits for, started, changed (UTC), task

Flags
${flagLines(runsFlagTable)}

Exit codes
  0 listed or deleted · 2 misuse, such as a run that is not there; or the store cannot be read
  141 nobody reads the output any more

Examples
  fuseloop runs --store runs --status suspended
  fuseloop runs --store runs --status interrupted | cut -f1
  fuseloop runs --store runs --delete-ended 7d
`;
}
