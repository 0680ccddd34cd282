/** From the words behind `run` to what is to be done. Throws misuse, and touches nothing. Pure. */
import type { Language } from '../core/language.ts';
import type { Budget } from '../core/limits.ts';
import type { Policy } from '../core/policy.ts';
import { nearestName } from '../dispatch/nearest.ts';
import type { Demo } from './demos/demo.ts';
import { demoNamed, demos } from './demos/demos.ts';
import { flagTable } from './flag-table.ts';
import { misuse } from './misuse.ts';
import { readTable } from './read-flag-table.ts';
import { flagValues } from './schemas.ts';

/** What an agent is made from; the same for `run` and `resume`. Undefined: not given. */
export interface AgentFlags {
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly dialect: string | undefined;
  readonly tools: string | undefined;
  readonly language: Language | undefined;
  readonly policy: Policy | undefined;
  readonly budget: Partial<Budget>;
  readonly store: string | undefined;
  readonly unattended: boolean;
  readonly json: boolean;
  readonly trace: string | undefined;
  readonly inspect: boolean;
}

export interface RunFlags extends AgentFlags {
  /** Where the task comes from. */
  readonly task: { readonly from: 'argument'; readonly text: string } | { readonly from: 'stdin' } | Demo;
  readonly runId: string | undefined;
  readonly resumeOnCrash: boolean;
}

export type Asked = 'help' | 'version' | RunFlags;

export function readFlags(argv: readonly string[]): Asked {
  const aboutWords = 'A task that begins with a dash stands behind --.';
  const read = readTable(argv, flagTable, { command: 'run', schema: flagValues, words: true, aboutWords });
  if (read === 'help' || read === 'version') return read;
  const { values: given, words } = read;
  if (given['resume-on-crash'] && given.store === undefined)
    throw misuse(
      '--resume-on-crash is given without --store.',
      'What is not stored cannot be gone on with: add --store DIR.',
    );
  return {
    ...agentFlagsOf(given),
    task: taskOf(words, demoOf(given.demo), given.tools),
    runId: given['run-id'],
    resumeOnCrash: given['resume-on-crash'],
  };
}

type Given = ReturnType<typeof flagValues.parse>;

export function agentFlagsOf(given: Omit<Given, 'run-id' | 'resume-on-crash'>): AgentFlags {
  const { model, dialect, tools, language, policy, store, unattended, json, trace, inspect } = given;
  const limits = budgetFlags.map(({ flag, limit }) => [limit, given[flag]] as const);
  return {
    ...{ model, dialect, tools, language, policy, store, unattended, json, trace, inspect },
    baseUrl: given['base-url'],
    budget: Object.fromEntries(limits.filter(([, value]) => value !== undefined)),
  };
}

/** The flags for the limits of a run. */
export const budgetFlags = [
  { flag: 'max-steps', limit: 'maxSteps' },
  { flag: 'max-tokens', limit: 'maxTokens' },
  { flag: 'timeout', limit: 'wallClockMs' },
  { flag: 'max-tool-calls', limit: 'maxToolCalls' },
  { flag: 'max-violations', limit: 'maxViolations' },
  { flag: 'max-tool-errors', limit: 'maxToolErrors' },
] as const satisfies readonly { readonly flag: string; readonly limit: keyof Budget }[];

export function demoOf(name: string | undefined): Demo | undefined {
  if (name === undefined) return undefined;
  const demo = demoNamed(name);
  if (demo !== undefined) return demo;
  const names = demos.map((each) => each.name);
  const nearest = nearestName(name, names);
  throw misuse(
    `There is no demo ${JSON.stringify(name)}.${nearest === null ? '' : ` Did you mean ${nearest}?`}`,
    `The demos are: ${names.join(', ')}.`,
  );
}

function taskOf(words: readonly string[], demo: Demo | undefined, tools: string | undefined): RunFlags['task'] {
  const [text, ...more] = words;
  if (demo !== undefined && text !== undefined)
    throw misuse(
      `Both --demo ${demo.name} and the task ${JSON.stringify(text)} are given.`,
      'A demo brings its own task: leave out one of the two. For a task of your own: fuseloop run "<task>".',
    );
  if (demo !== undefined && tools !== undefined)
    throw misuse('Both --demo and --tools are given.', 'A demo brings its own tools: leave out one of the two.');
  if (demo !== undefined) return demo;
  if (more.length > 0)
    throw misuse(`The task came in ${words.length} pieces.`, `Put it in quotes: fuseloop run "${words.join(' ')}".`);
  if (text === undefined || text.trim() === '')
    throw misuse(
      text === undefined ? 'There is no task.' : 'The task is empty.',
      'Give it in quotes: fuseloop run "<task>"; or - to read it from stdin; or --demo NAME to see a demonstration.',
    );
  return text === '-' ? { from: 'stdin' } : { from: 'argument', text };
}
