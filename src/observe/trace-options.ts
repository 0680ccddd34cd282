/** What writers of traces may be told, checked. */
import { AgentError } from '../core/errors.ts';
import { checkKnown } from '../core/known-options.ts';

export interface TraceWriterOptions {
  /** Events that wait for the disk, at most; 10,000 if not given. Of what comes beyond, the number is written. */
  readonly maxQueuedEvents?: number;
  /** Their bytes; 32 MiB if not given. One event that is larger waits where nothing else does. */
  readonly maxQueuedBytes?: number;
  /** The longest line, in code units, from 1,000; 10 million if not given. In a longer one texts are cut in their middle. */
  readonly maxLine?: number;
  /** Lines of one run, from 4; no limit if not given. Beyond it only the end is written, and how many events are not. */
  readonly maxEvents?: number;
  /** How long `close` waits for the disk, in milliseconds; 5,000 if not given. */
  readonly closeWithinMs?: number;
  /** Told at once, and once a file, that it will not be complete. What it throws is heard by nobody. */
  readonly onProblem?: (problem: AgentError) => unknown;
}

export interface TraceFileOptions extends TraceWriterOptions {
  /** Of a trace that is there: `continue`, if not given, writes behind it; `replace` empties it first. */
  readonly existing?: 'continue' | 'replace';
}

export interface Settings {
  readonly maxQueuedEvents: number;
  readonly maxQueuedBytes: number;
  readonly maxLine: number;
  readonly maxEvents: number;
  readonly closeWithinMs: number;
}

const least: { readonly [Name in keyof Settings]: number } = {
  maxQueuedEvents: 1,
  maxQueuedBytes: 1,
  maxLine: 1_000,
  maxEvents: 4,
  closeWithinMs: 0,
};
const usual: Settings = {
  maxQueuedEvents: 10_000,
  maxQueuedBytes: 32 * 2 ** 20,
  maxLine: 10_000_000,
  maxEvents: Number.MAX_SAFE_INTEGER,
  closeWithinMs: 5_000,
};
/** The longest wait of a timer. */
const longestMs = 2 ** 31 - 1;
const names = ['maxQueuedEvents', 'maxQueuedBytes', 'maxLine', 'maxEvents', 'closeWithinMs'] as const;

/** `where` is `traceFile` or `traceFolder`. Throws AgentError (`invalid_option`). */
export function readSettings(where: string, options: TraceFileOptions, more: readonly string[] = []): Settings {
  checkKnown(where, options, [...names, 'onProblem', ...more]);
  const settings = { ...usual };
  for (const name of names) {
    const given = options[name];
    if (given === undefined) continue;
    const most = name === 'closeWithinMs' ? longestMs : Number.MAX_SAFE_INTEGER;
    if (!Number.isSafeInteger(given) || given < least[name] || given > most)
      throw refused(`${name} of ${where} is ${String(given)}.`, `Give a whole number from ${least[name]} to ${most}.`);
    settings[name] = given;
  }
  const { onProblem, existing } = options;
  if (onProblem !== undefined && typeof onProblem !== 'function')
    throw refused(`onProblem of ${where} is no function.`, 'Give a function, or leave it out.');
  if (existing !== undefined && existing !== 'continue' && existing !== 'replace')
    throw refused(`existing of ${where} is ${String(existing)}.`, 'Give continue or replace.');
  return settings;
}

/** Throws AgentError (`invalid_option`). */
export function checkPath(where: string, path: unknown): asserts path is string {
  if (typeof path === 'string' && path !== '' && !path.includes('\0')) return;
  throw refused(`The path that ${where} was given is no path.`, `Give a text, such as ${where}('runs.jsonl').`);
}

function refused(message: string, hint: string): AgentError {
  return new AgentError('invalid_option', message, { hint });
}
