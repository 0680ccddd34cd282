/** Reading a whole reply at once, and the dialects by name. Pure. */
import { AgentError } from '../core/errors.ts';
import type { Reading } from '../core/reading.ts';
import type { ViolationCode } from '../core/stop-reasons.ts';
import type { Dialect, Language, ReadOptions, Scanner, ShippedDialect } from './dialect.ts';
import { hint } from './hints.ts';
import { labelled } from './labelled.ts';
import { native } from './native.ts';
import { type PlainText, withSecondLook } from './second-look.ts';
import { foreignForms, textDialects } from './text-dialects.ts';

const known: ReadonlyMap<string, ShippedDialect> = new Map(
  [...textDialects, native].map((dialect) => [dialect.name, dialect]),
);

/** The names of the dialects that ship. */
export const dialectNames: readonly string[] = [...known.keys()];

export interface ReadReplyOptions {
  /** A name such as `labelled`, or a dialect of your own. */
  readonly dialect: string | Dialect;
  /** The names of the tools that exist. */
  readonly tools: readonly string[];
  /** For the dialect `id`: all names that were ever registered, in order; default `tools`. */
  readonly registered?: readonly string[];
  /** Of the hint behind a violation; default `en`. */
  readonly language?: Language;
  /** What text without any label is; default `violation`. */
  readonly plainText?: PlainText;
}

/** The reading of a whole reply. Total: any text gives calls, an answer or a violation. Throws for an unknown dialect. */
export function readReply(text: string, options: ReadReplyOptions): Reading {
  const scanner = createReader(options);
  scanner.feed(text);
  return scanner.end().reading;
}

/** Reads one reply as it streams: what the loop and `readReply` both read with. Throws for an unknown dialect. */
export function createReader(options: ReadReplyOptions): Scanner {
  const { plainText = 'violation' } = options;
  const dialect = dialectNamed(options.dialect);
  return withSecondLook({ dialect, others: foreignForms, options: readOptions(options), plainText });
}

/** The dialect of a name. A dialect is given back as it is; an unknown name throws `invalid_option`. */
export function dialectNamed(dialect: string | Dialect): Dialect {
  if (typeof dialect !== 'string') return dialect;
  const found = known.get(dialect);
  if (found !== undefined) return found;
  throw new AgentError('invalid_option', `There is no dialect ${JSON.stringify(dialect)}.`, {
    hint: `Known: ${[...known.keys()].join(', ')}.${parts.has(dialect) ? notInBundle(dialect) : ''}`,
  });
}

/** Left out of bundles for the edge that do not ask for them. */
const parts: ReadonlySet<string> = new Set(['id', 'paper', 'tags']);

function notInBundle(dialect: string): string {
  return ` Bundle with the condition "fuseloop-${dialect}"; in Node it is always there.`;
}

export interface ViolationHintOptions extends ReadReplyOptions {
  readonly seen?: string;
  readonly tool?: string;
}

/** The hint for a violation that the reader cannot see, such as `truncated` and `too_long`. Has no `[FormatError]`. */
export function violationHint(code: ViolationCode, options: ViolationHintOptions): string {
  const { dialect } = options;
  const meant = typeof dialect === 'string' ? known.get(dialect) : dialect;
  const form = meant?.form ?? known.get(meant?.name ?? '')?.form ?? labelled.form;
  const { language } = readOptions(options);
  return hint(code, { ...options, form, language, tools: meant?.shown?.(readOptions(options)) ?? options.tools });
}

function readOptions({ tools, registered = tools, language = 'en' }: ReadReplyOptions): ReadOptions {
  return { tools, registered, language };
}
