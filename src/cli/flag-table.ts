/** The flags of `fuseloop run`: one table for reading them, for what is told of a wrong one, and for the help. Pure. */
import { defaults } from '../core/limits.ts';
import { policyNames } from '../dispatch/policy.ts';
import { dialectNames } from '../protocol/read.ts';
import { demos } from './demos/demos.ts';

export interface Flag {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  /** Whether it may stand there several times. */
  readonly multiple?: boolean;
  /** How its value is called in the help. */
  readonly value?: string;
  /** For the help. */
  readonly tells: string;
  /** What values there are, as a sentence. */
  readonly allowed: string;
  /** The values, where they are a few words: the nearest is offered in place of a wrong one. */
  readonly choices?: readonly string[];
}

export const dialects = `${dialectNames.slice(0, -1).join(', ')} or ${dialectNames.at(-1)}`;
const { maxSteps, maxTokens, wallClockMs, maxToolCalls, maxViolations, maxToolErrors } = defaults.budget;
const demoNames = demos.map(({ name }) => name).join(', ');
const whole = 'It is a whole number from 0 to 2^50; 0 allows nothing, and there is no value for "no limit".';

export const flagTable = {
  demo: {
    type: 'string',
    value: 'NAME',
    tells: `run a demonstration: ${demoNames}`,
    allowed: `The demos are: ${demoNames}.`,
  },
  tools: {
    type: 'string',
    value: 'FILE',
    tells: 'an ES module or .cjs that exports the tools; default: calculator, clock',
    allowed: 'It is the path of a JavaScript module whose exports are tools.',
  },
  language: {
    type: 'string',
    value: 'LANG',
    tells: 'en or zh: the language in which the loop talks to the model',
    allowed: 'It is en or zh.',
  },
  model: {
    type: 'string',
    value: 'NAME',
    tells: "as its server calls it, openai:NAME or anthropic:NAME; default: FUSELOOP_MODEL, or the server's first",
    allowed:
      'It is the name of a model as its server knows it, such as gpt-4o-mini, openai:gpt-4o-mini or anthropic:claude-sonnet-4-5.',
  },
  'base-url': {
    type: 'string',
    value: 'URL',
    tells: 'its server; default: OPENAI_BASE_URL or api.openai.com; of anthropic: its own',
    allowed: 'It is an http or https URL up to the version, such as http://127.0.0.1:11434/v1.',
  },
  dialect: {
    type: 'string',
    value: 'NAME',
    tells: `how the model writes a step: ${dialects}; default labelled`,
    allowed: `It is ${dialects}.`,
    choices: dialectNames,
  },
  policy: {
    type: 'string',
    value: 'POLICY',
    tells: 'what runs unasked: readOnly, dryRun, ask, all or allow:NAME,NAME; default: as marked',
    allowed: `It is ${policyNames.join(', ')}, or allow: and names of tools, such as allow:save,send.`,
    choices: policyNames,
  },
  'max-steps': {
    type: 'string',
    value: 'N',
    tells: `model calls in the whole run; default ${grouped(maxSteps)}`,
    allowed: whole,
  },
  'max-tokens': {
    type: 'string',
    value: 'N',
    tells: `tokens of all prompts and replies; default ${grouped(maxTokens)}`,
    allowed: whole,
  },
  timeout: {
    type: 'string',
    value: 'SECONDS',
    tells: `running time, such as 90 or 2.5; default ${grouped(wallClockMs / 1_000)}`,
    allowed: 'It is a number of seconds, 0 or more, such as 90 or 2.5.',
  },
  'max-tool-calls': {
    type: 'string',
    value: 'N',
    tells: `tool calls in the whole run; default ${grouped(maxToolCalls)}`,
    allowed: whole,
  },
  'max-violations': {
    type: 'string',
    value: 'N',
    tells: `replies in a row without a usable step; default ${grouped(maxViolations)}`,
    allowed: whole,
  },
  'max-tool-errors': {
    type: 'string',
    value: 'N',
    tells: `steps in a row in which every call failed; default ${grouped(maxToolErrors)}`,
    allowed: whole,
  },
  store: {
    type: 'string',
    value: 'DIR',
    tells: 'keep the run, to go on with it later: a folder, or FILE.db (SQLite, needs better-sqlite3)',
    allowed: 'It is a folder, which is made where it is not there, or a file whose name ends with .db or .sqlite.',
  },
  'run-id': {
    type: 'string',
    value: 'ID',
    tells: 'how the run is called; default: a random one',
    allowed: 'It is a text that is not empty.',
  },
  unattended: {
    type: 'boolean',
    tells: 'nobody is asked, also at a terminal: a call that needs a person suspends the run',
    allowed: 'It takes no value.',
  },
  'resume-on-crash': {
    type: 'boolean',
    tells: 'where the process is killed or crashes, another one goes on; needs --store',
    allowed: 'It takes no value.',
  },
  json: { type: 'boolean', tells: 'stdout carries the outcome as one JSON document', allowed: 'It takes no value.' },
  trace: {
    type: 'string',
    value: 'FILE',
    tells: 'write the events of the run to FILE as they happen, one JSON object a line',
    allowed: 'It is a file that can be written, in a folder that exists.',
  },
  inspect: {
    type: 'boolean',
    tells: 'show the run in a page on this machine, and decide there; its address is told on stderr',
    allowed: 'It takes no value.',
  },
  help: { type: 'boolean', short: 'h', tells: 'this text', allowed: 'It takes no value.' },
  version: { type: 'boolean', tells: 'the version', allowed: 'It takes no value.' },
} as const satisfies { readonly [name: string]: Flag };

/** `300,000`: the same in every locale of the machine. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
