/**
 * Fuzzing: random examples against what must always hold, shrunk where it does not, and found again by seed and path.
 * It covers what lies round the machine (readers, tools, streams, documents); the explorer covers the machine itself.
 */
import type { ReactMachine } from '../../machines/react.machine.ts';
import { AgentError } from '../core/errors.ts';
import { readCount } from '../core/limits.ts';
import type { ToolRecord } from '../core/tool.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { dialectNamed } from '../protocol/read.ts';
import { type FastCheck, loadFastCheck } from './fast-check.ts';
import type { Fault, FuzzTarget, Subject } from './fuzz-target.ts';
import { fuzzTargets } from './fuzz-targets.ts';

export interface FuzzOptions {
  /** `reader`, `machine`, `dispatch`, `sse`, `snapshot`, `journal`, `run`, or `all` (default): each in turn. */
  readonly target?: string;
  /** A whole number; the same seed draws the same examples. Default: a random one, which the result names. */
  readonly seed?: number;
  /** Examples for each target; every target has a default of its own. */
  readonly runs?: number;
  /** With the seed: one example of one target, as a failure names it. */
  readonly path?: string;
  /** For `dispatch`: tools of your own in place of adversarial ones. Their `execute` is really called. */
  readonly tools?: ToolRecord;
  /** For `reader`: a name, or a dialect of your own. Default: all of ours. */
  readonly dialect?: string | Dialect;
  /** For `machine`, `journal` and `run`: a machine that was changed or built anew. */
  readonly machine?: ReactMachine;
  /** Ends it early: the result then says `interrupted`, and how far it came. */
  readonly signal?: AbortSignal;
  /** Called before each example. */
  readonly onProgress?: (progress: FuzzProgress) => void;
}

export interface FuzzProgress {
  readonly target: string;
  /** Examples of this target so far, and how many there are to be. */
  readonly runs: number;
  readonly of: number;
  /** An example failed, and smaller ones are tried. */
  readonly shrinking: boolean;
}

export interface FuzzFailure {
  readonly target: string;
  /** What does not hold. */
  readonly message: string;
  /** The smallest example that was found, as text. */
  readonly example: string;
  /** With the seed it leads to this very example. */
  readonly path: string;
  /** The command that finds it again; tools, dialect and machine of your own have to be named once more. */
  readonly replay: string;
  readonly shrinks: number;
}

/** Survives JSON. */
export interface FuzzResult {
  readonly target: string;
  readonly ok: boolean;
  readonly seed: number;
  /** Examples tried, without those of shrinking. */
  readonly runs: number;
  readonly interrupted: boolean;
  /** The first one. */
  readonly failure: FuzzFailure | null;
  /** One row for each target that was begun. */
  readonly targets: readonly { readonly target: string; readonly runs: number; readonly ok: boolean }[];
}

/** Throws AgentError (`invalid_option`) for an option that cannot be used, and where fast-check is not installed. */
export async function fuzz(options: FuzzOptions = {}): Promise<FuzzResult> {
  return tryTargets(targetsNamed(options.target ?? 'all'), options);
}

/** The same for targets that are at hand. */
export async function tryTargets(targets: readonly FuzzTarget[], options: FuzzOptions): Promise<FuzzResult> {
  const { target = 'all', path = null, signal = null, onProgress = () => {} } = options;
  const seed = options.seed ?? Math.floor(Math.random() * 2 ** 31);
  checkNumbers(options, targets);
  if (options.dialect !== undefined) dialectNamed(options.dialect);
  const { tools = null, dialect = null, machine = null } = options;
  checkTaken(targets, { tools, dialect, machine });
  const fc = await loadFastCheck();
  const rows: Row[] = [];
  for (const each of targets) {
    if (signal?.aborted === true) break;
    const runs = options.runs ?? each.runs;
    const row = await runTarget(each, {
      fc,
      subject: { tools, dialect, machine },
      seed,
      runs,
      path,
      signal,
      onProgress,
    });
    rows.push(row);
  }
  return {
    target,
    ok: rows.every(({ failure }) => failure === null) && signal?.aborted !== true,
    seed,
    runs: rows.reduce((sum, row) => sum + row.runs, 0),
    interrupted: signal?.aborted === true,
    failure: rows.find(({ failure }) => failure !== null)?.failure ?? null,
    targets: rows.map(({ target: name, runs, failure }) => ({ target: name, runs, ok: failure === null })),
  };
}

export const fuzzTargetNames: readonly string[] = [...fuzzTargets.map(({ name }) => name), 'all'];

function targetsNamed(name: string): readonly FuzzTarget[] {
  const found = name === 'all' ? fuzzTargets : fuzzTargets.filter((target) => target.name === name);
  if (found.length > 0) return found;
  throw new AgentError('invalid_option', `target is ${JSON.stringify(name)}.`, {
    hint: `The targets are: ${fuzzTargetNames.join(', ')}.`,
  });
}

function checkNumbers({ seed, runs, path }: FuzzOptions, targets: readonly FuzzTarget[]): void {
  if (runs !== undefined && readCount('runs', runs) < 1)
    throw new AgentError('invalid_option', 'runs is 0.', { hint: 'It is a whole number from 1: nothing tried holds.' });
  if (seed !== undefined && !(Number.isInteger(seed) && Math.abs(seed) <= 2 ** 31))
    throw new AgentError('invalid_option', `seed is ${seed}.`, { hint: 'It is a whole number of up to 32 bits.' });
  if (path === undefined) return;
  if (!/^\d+(?::\d+)*$/.test(path))
    throw new AgentError('invalid_option', `path is ${JSON.stringify(path)}.`, {
      hint: 'It is what a failure names, such as 17:0:3, and goes with the seed of that failure.',
    });
  if (seed === undefined || targets.length > 1)
    throw new AgentError('invalid_option', 'path is given without seed and target.', {
      hint: 'A path leads to an example of one target under one seed: give all three.',
    });
}

/** What no target takes would be tried by none, in silence. */
function checkTaken(targets: readonly FuzzTarget[], subject: Subject): void {
  for (const name of ['tools', 'dialect', 'machine'] as const) {
    if (subject[name] === null || targets.some(({ takes }) => takes.includes(name))) continue;
    const taking = fuzzTargets.filter(({ takes }) => takes.includes(name)).map((target) => target.name);
    throw new AgentError('invalid_option', `${name} is given, and the target ${targets[0]?.name} does not take it.`, {
      hint: `It is taken by ${taking.join(', ')} and all.`,
    });
  }
}

interface Row {
  readonly target: string;
  readonly runs: number;
  readonly failure: FuzzFailure | null;
}

interface Running {
  readonly fc: FastCheck;
  readonly subject: Subject;
  readonly seed: number;
  readonly runs: number;
  readonly path: string | null;
  readonly signal: AbortSignal | null;
  readonly onProgress: (progress: FuzzProgress) => void;
}

/** Signals and timers get their turn after so many milliseconds. */
const turnMs = 20;

async function runTarget({ name, feed }: FuzzTarget, running: Running): Promise<Row> {
  const { fc, subject, seed, runs, path, signal, onProgress } = running;
  let count = 0;
  let first: string | null = null;
  let turnAtMs = performance.now();
  const before = () => {
    if (signal?.aborted === true) return new Promise<void>(() => {}); // nothing more is tried
    onProgress({ target: name, runs: Math.min(count, runs), of: runs, shrinking: first !== null });
    count++;
    if (performance.now() - turnAtMs < turnMs) return null;
    return new Promise<void>((resolve) =>
      setImmediate(() => {
        turnAtMs = performance.now();
        resolve();
      }),
    );
  };
  let soFar: () => Fault | null = () => null;
  const onFault = (fault: () => Pick<Fault, 'message' | 'example'>) => {
    // Until it has been made small its path is that of the example which failed first.
    const firstPath = first ?? path ?? String(count - 1);
    first = firstPath;
    soFar = () => ({ ...fault(), path: firstPath, shrinks: 0 });
  };
  const check = feed(fc, subject).check({ seed, runs, path, before, onFault });
  const fault = await orAborted(check, signal, () => soFar());
  if (fault === null) return { target: name, runs: Math.min(count, runs), failure: null };
  // The first number of a path is that of the example which failed first.
  const tried = Math.min(count, Number(fault.path.split(':')[0]) + 1);
  return { target: name, runs: tried, failure: failureOf(name, seed, fault) };
}

/** The check of a signal that was aborted never settles; it holds no timer and is forgotten. */
function orAborted(
  check: Promise<Fault | null>,
  signal: AbortSignal | null,
  soFar: () => Fault | null,
): Promise<Fault | null> {
  if (signal === null) return check;
  return new Promise((resolve, reject) => {
    const leave = () => resolve(soFar());
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    check.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

function failureOf(target: string, seed: number, { message, example, path, shrinks }: Fault): FuzzFailure {
  const named = seed < 0 ? `--seed=${seed}` : `--seed ${seed}`;
  const replay = `fuseloop fuzz --target ${target} ${named} --path ${path}`;
  return { target, message, example, path, replay, shrinks };
}
