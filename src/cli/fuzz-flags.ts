/** The flags of `fuseloop fuzz`, and its help. Pure. */

import { dialectNames } from '../protocol/read.ts';
import { fuzzTargetNames } from '../verify/fuzz.ts';
import { fuzzTargets } from '../verify/fuzz-targets.ts';
import { dialects, type Flag } from './flag-table.ts';
import { flagLines } from './help.ts';
import { misuse } from './misuse.ts';
import { readTable } from './read-flag-table.ts';
import { fuzzFlagValues } from './schemas.ts';

const targetNames = fuzzTargetNames.join(', ');

export const fuzzFlagTable = {
  target: {
    type: 'string',
    value: 'NAME',
    tells: 'what is tried; default all',
    allowed: `The targets are: ${targetNames}.`,
    choices: fuzzTargetNames,
  },
  seed: {
    type: 'string',
    value: 'N',
    tells: 'the same seed draws the same examples; default: a random one, which is told',
    allowed: 'It is a whole number of up to 32 bits, such as 42.',
  },
  runs: {
    type: 'string',
    value: 'N',
    tells: 'examples for each target; each has a default of its own',
    allowed: 'It is a whole number from 1.',
  },
  path: {
    type: 'string',
    value: 'P',
    tells: 'one example, as a failure names it; goes with --target and --seed',
    allowed: 'It is what a failure names, such as 17:0:3.',
  },
  tools: {
    type: 'string',
    value: 'FILE',
    tells: 'a module of tools of your own, for the target dispatch; they are really called',
    allowed: 'It is the path of a JavaScript module whose exports are tools.',
  },
  dialect: {
    type: 'string',
    value: 'NAME|FILE',
    tells: `for the target reader: ${dialects}, or a module of a dialect of your own; default: each of ours`,
    allowed: `It is ${dialects}, or the path of a JavaScript module that exports a dialect.`,
    choices: dialectNames,
  },
  machine: {
    type: 'string',
    value: 'FILE',
    tells: 'a module that exports a machine, for the targets machine, journal and run',
    allowed: 'It is the path of a JavaScript module that exports a machine, or a function that makes one.',
  },
  json: { type: 'boolean', tells: 'stdout carries the result as one JSON document', allowed: 'It takes no value.' },
  help: { type: 'boolean', short: 'h', tells: 'this text', allowed: 'It takes no value.' },
} as const satisfies { readonly [name: string]: Flag };

/** Undefined: not given. */
export interface FuzzFlags {
  readonly target: string;
  readonly seed?: number | undefined;
  readonly runs?: number | undefined;
  readonly path?: string | undefined;
  readonly tools?: string | undefined;
  readonly dialect?: string | undefined;
  readonly machine?: string | undefined;
  readonly json: boolean;
}

/** Throws misuse. */
export function readFuzzFlags(argv: readonly string[]): 'help' | FuzzFlags {
  const read = readTable<FuzzFlags>(argv, fuzzFlagTable, { command: 'fuzz', schema: fuzzFlagValues(fuzzTargetNames) });
  if (read === 'help' || read === 'version') return 'help';
  const { target, seed, path } = read.values;
  if (path !== undefined && (seed === undefined || target === 'all'))
    throw misuse(
      `--path is given without ${seed === undefined ? '--seed' : '--target'}.`,
      'A path leads to an example of one target under one seed: give all three, as the failure names them.',
    );
  return read.values;
}

export function fuzzHelpText(): string {
  return `fuseloop fuzz: random examples against what must always hold; what breaks is made small, and found again by its seed

Usage
  fuseloop fuzz [flags]

Targets
${fuzzTargets.map(({ name, tells }) => `  ${name.padEnd(10)} ${tells}`).join('\n')}
  all        each of them in turn

Flags
${flagLines(fuzzFlagTable)}

Needs the package fast-check: npm install --save-dev fast-check@4

Exit codes
  0 all held · 1 something broke · 2 misuse · 130 stopped with Ctrl-C, 143 with SIGTERM
  141 nobody reads the output any more

Examples
  fuseloop fuzz
  fuseloop fuzz --target reader --runs 100000
  fuseloop fuzz --target dispatch --tools ./my-tools.js
  fuseloop fuzz --target reader --seed 7 --path 12:3:0
`;
}
