/** The flags of `fuseloop verify`, and its help. Pure. */
import { type Bounds, defaultBounds } from '../verify/budgets.ts';
import type { Flag } from './flag-table.ts';
import { flagLines } from './help.ts';
import { readTable } from './read-flag-table.ts';
import { verifyFlagValues } from './schemas.ts';

const whole = 'It is a whole number from 0 to 1,000; each step more takes about four times as long.';

function bound(what: string, usual: number): Flag & { readonly type: 'string' } {
  return { type: 'string', value: 'N', tells: `${what}, from 0 up to N; default ${usual}`, allowed: whole };
}

export const verifyFlagTable = {
  machine: {
    type: 'string',
    value: 'FILE',
    tells: 'a module whose export is a machine of your own; default: the shipped one',
    allowed: 'It is the path of a JavaScript module that exports a machine, or a function that makes one.',
  },
  'max-steps': bound('budgets of model calls', defaultBounds.maxSteps),
  'max-tool-calls': bound('budgets of tool calls', defaultBounds.maxToolCalls),
  'max-violations': bound('fuses for violations', defaultBounds.maxViolations),
  'max-tool-errors': bound('fuses for failed tool steps', defaultBounds.maxToolErrors),
  'calls-per-reply': {
    type: 'string',
    value: 'N',
    tells: `the most calls in one reply, 1 to 3; default ${defaultBounds.callsPerReply}`,
    allowed: 'It is 1, 2 or 3.',
  },
  json: { type: 'boolean', tells: 'stdout carries the result as one JSON document', allowed: 'It takes no value.' },
  help: { type: 'boolean', short: 'h', tells: 'this text', allowed: 'It takes no value.' },
} as const satisfies { readonly [name: string]: Flag };

export interface VerifyFlags {
  readonly machine: string | undefined;
  readonly bounds: Partial<Bounds>;
  readonly json: boolean;
}

/** Throws misuse. */
export function readVerifyFlags(argv: readonly string[]): 'help' | VerifyFlags {
  const read = readTable(argv, verifyFlagTable, { command: 'verify', schema: verifyFlagValues });
  if (read === 'help' || read === 'version') return 'help';
  const { values } = read;
  const bounds = {
    maxSteps: values['max-steps'],
    maxToolCalls: values['max-tool-calls'],
    maxViolations: values['max-violations'],
    maxToolErrors: values['max-tool-errors'],
    callsPerReply: values['calls-per-reply'],
  };
  const given = Object.entries(bounds).filter(([, value]) => value !== undefined);
  return { machine: values.machine, json: values.json, bounds: Object.fromEntries(given) };
}

export function verifyHelpText(): string {
  return `fuseloop verify: every path of the machine up to a bound: that it ends within its budget, and keeps every law

Usage
  fuseloop verify [flags]

It sends every event, fitting or not, to the machine in every state it can reach, under every budget up to the bounds,
stores and takes up a snapshot in every state, and checks every law on every transition. What is covered is printed; a
law that is broken is drawn as the shortest path of states to it.

Flags
${flagLines(verifyFlagTable)}

Exit codes
  0 every path ends · 1 a law is broken · 2 misuse · 130 stopped with Ctrl-C, 143 with SIGTERM
  141 nobody reads the output any more

Examples
  fuseloop verify
  fuseloop verify --max-steps 4 --calls-per-reply 1
  fuseloop verify --machine ./my-machine.js
`;
}
