/** Reads the words behind a command by its table of flags: every command says the same of a wrong one. Pure. */
import { parseArgs } from 'node:util';
import { messageOf } from '../core/message-of.ts';
import { nearestName } from '../dispatch/nearest.ts';
import type { Flag } from './flag-table.ts';
import { misuse } from './misuse.ts';

/** Holds `help`; may hold `version`. */
export type FlagTable = { readonly [name: string]: Flag };

/** A zod schema of the values, as far as it is used here: one member for each flag. */
export interface ValuesSchema<Values> {
  safeParse(given: unknown):
    | { readonly success: true; readonly data: Values }
    | {
        readonly success: false;
        readonly error: { readonly issues: readonly { readonly path: readonly PropertyKey[] }[] };
      };
}

export interface ReadTableOptions<Values> {
  /** Its name, such as `fuzz`. */
  readonly command: string;
  readonly schema: ValuesSchema<Values>;
  /** Whether words that are no flags may stand there; default false. */
  readonly words?: boolean;
  /** Added to what is told of a flag that does not exist. */
  readonly aboutWords?: string;
}

export type Read<Values> = 'help' | 'version' | { readonly values: Values; readonly words: readonly string[] };

/** Throws misuse for a flag that does not exist, a value that is missing, not allowed or too much, and words. */
export function readTable<Values>(
  argv: readonly string[],
  table: FlagTable,
  options: ReadTableOptions<Values>,
): Read<Values> {
  const { values, positionals } = parsed(argv, table, options.aboutWords ?? '');
  if (values.help === true) return 'help';
  if (values.version === true) return 'version';
  const [word] = positionals;
  if (options.words !== true && word !== undefined)
    throw misuse(
      `fuseloop ${options.command} takes flags only, and there is ${JSON.stringify(word)}.`,
      `The flags are: ${flagNames(table)}. See fuseloop ${options.command} --help.`,
    );
  const checked = options.schema.safeParse(values);
  if (!checked.success) throw wrongValue(checked.error.issues[0]?.path[0], values, table);
  return { values: checked.data, words: positionals };
}

/** Node names the flag that it does not like in quotes; its words speak of options, so that ours are used. */
function parsed(argv: readonly string[], table: FlagTable, aboutWords: string) {
  try {
    return parseArgs({ args: [...argv], options: table, allowPositionals: true, strict: true });
  } catch (thrown) {
    const written = /'(?:-\w, )?(-[^'\s]*)/.exec(messageOf(thrown))?.[1] ?? '';
    const name = written.replace(/^-+/, '');
    const flag = flagNamed(table, name);
    throw flag === undefined ? unknownFlag(written, table, aboutWords) : badUse(name, flag);
  }
}

function flagNamed(table: FlagTable, name: string): Flag | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function badUse(name: string, { type, allowed }: Flag): Error {
  if (type === 'boolean') return misuse(`--${name} is given a value.`, `${allowed} Write --${name} alone.`);
  return misuse(
    `--${name} is given no value.`,
    `${allowed} A value that begins with a dash is written --${name}=-value.`,
  );
}

function unknownFlag(written: string, table: FlagTable, aboutWords: string): Error {
  const nearest = nearestName(written.replace(/^-+/, ''), Object.keys(table));
  return misuse(
    `There is no flag ${written}.${nearest === null ? '' : ` Did you mean --${nearest}?`}`,
    `The flags are: ${flagNames(table)}.${aboutWords === '' ? '' : ` ${aboutWords}`}`,
  );
}

function flagNames(table: FlagTable): string {
  return Object.keys(table)
    .map((name) => `--${name}`)
    .join(', ');
}

/** Where its value is one of a few words, the nearest of them is offered. */
function wrongValue(key: PropertyKey | undefined, values: Readonly<Record<string, unknown>>, table: FlagTable): Error {
  const name = String(key);
  const flag = flagNamed(table, name);
  const given = values[name];
  const nearest = typeof given === 'string' ? nearestName(given, flag?.choices ?? []) : null;
  return misuse(
    `--${name} is ${JSON.stringify(given)}.${nearest === null ? '' : ` Did you mean ${nearest}?`}`,
    `${flag?.allowed ?? ''} Correct it, or leave it out.`,
  );
}
