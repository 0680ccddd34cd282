/** From the words behind `run` to what is to be done. Throws misuse, and touches nothing. Pure. */
import { parseArgs } from 'node:util';
import type { Language } from '../core/language.ts';
import type { Budget } from '../core/limits.ts';
import { messageOf } from '../core/message-of.ts';
import { nearestName } from '../dispatch/nearest.ts';
import type { Demo } from './demos/demo.ts';
import { demoNamed, demos } from './demos/demos.ts';
import { flagTable, isFlagName } from './flag-table.ts';
import { misuse } from './misuse.ts';
import { flagValues } from './schemas.ts';

/** Undefined: not given. */
export interface RunFlags {
  /** Where the task comes from. */
  readonly task: { readonly from: 'argument'; readonly text: string } | { readonly from: 'stdin' } | Demo;
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly dialect: 'labelled' | 'json' | undefined;
  readonly tools: string | undefined;
  readonly language: Language | undefined;
  readonly budget: Partial<Budget>;
  readonly json: boolean;
  readonly trace: string | undefined;
}

export type Asked = 'help' | 'version' | RunFlags;

export function readFlags(argv: readonly string[]): Asked {
  const { values, positionals } = parsed(argv);
  if (values.help === true) return 'help';
  if (values.version === true) return 'version';
  const checked = flagValues.safeParse(values);
  if (!checked.success) throw wrongValue(checked.error.issues[0]?.path[0], values);
  const given = checked.data;
  const { 'max-steps': maxSteps, 'max-tokens': maxTokens, timeout: wallClockMs } = given;
  return {
    task: taskOf(positionals, demoOf(given.demo), given.tools),
    model: given.model,
    baseUrl: given['base-url'],
    dialect: given.dialect,
    tools: given.tools,
    language: given.language,
    budget: Object.fromEntries(
      Object.entries({ maxSteps, maxTokens, wallClockMs }).filter(([, limit]) => limit !== undefined),
    ),
    json: given.json,
    trace: given.trace,
  };
}

/** Node names the flag that it does not like in quotes; its words speak of options, so that ours are used. */
function parsed(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: flagTable, allowPositionals: true, strict: true });
  } catch (thrown) {
    const flag = /'(?:-\w, )?(-[^'\s]*)/.exec(messageOf(thrown))?.[1] ?? '';
    const name = flag.replace(/^-+/, '');
    throw isFlagName(name) ? badUse(name) : unknownFlag(flag);
  }
}

function badUse(name: keyof typeof flagTable): Error {
  const { type, allowed } = flagTable[name];
  if (type === 'boolean') return misuse(`--${name} is given a value.`, `${allowed} Write --${name} alone.`);
  return misuse(
    `--${name} is given no value.`,
    `${allowed} A value that begins with a dash is written --${name}=-value.`,
  );
}

function unknownFlag(flag: string): Error {
  const names = Object.keys(flagTable);
  const nearest = nearestName(flag.replace(/^-+/, ''), names);
  return misuse(
    `There is no flag ${flag}.${nearest === null ? '' : ` Did you mean --${nearest}?`}`,
    `The flags are: ${names.map((name) => `--${name}`).join(', ')}. A task that begins with a dash stands behind --.`,
  );
}

function wrongValue(name: PropertyKey | undefined, values: Readonly<Record<string, unknown>>): Error {
  const flag = String(name);
  const allowed = isFlagName(flag) ? flagTable[flag].allowed : '';
  return misuse(`--${flag} is ${JSON.stringify(values[flag])}.`, `${allowed} Correct it, or leave it out.`);
}

function demoOf(name: string | undefined): Demo | undefined {
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
