/**
 * `fuseloop run --resume-on-crash`: the run is driven by a process of its own, and where that dies in the middle of the run,
 * another one goes on with it. Whether a run is over is told by its store alone: a process that crashes may end with any code.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { JournalLine, Store } from '../core/store.ts';
import type { CommandIo } from './command-io.ts';
import type { RunFlags } from './flags.ts';
import { resumeCommand, resumeWords } from './going-on.ts';
import { oneLine } from './plain-text.ts';
import { supervisedVariable } from './supervised.ts';

/** So many times in a row the run may crash without getting further. */
const mostCrashes = 5;
const misuseCode = 2;

export interface Supervised {
  /** The words behind `run`. */
  readonly argv: readonly string[];
  readonly flags: RunFlags;
  readonly runId: string;
  readonly store: Store;
  readonly io: CommandIo;
}

/** Returns the exit code of the process that ended the run. */
export async function supervise(supervised: Supervised): Promise<number> {
  const { flags, runId, store, io } = supervised;
  let words = firstWords(supervised);
  let reached = -1;
  for (let crashes = 0; ; ) {
    const died = await childOf(words, io);
    if (io.interrupts.exitCode() !== null || died.code === misuseCode) return codeOf(died);
    const lines = await store.read(runId);
    if (isOver(lines, died)) return codeOf(died);
    const now = reachedIn(lines ?? []);
    crashes = now > reached ? 1 : crashes + 1;
    reached = Math.max(reached, now);
    if (crashes >= mostCrashes) {
      io.stderr.write(
        `fuseloop: the run crashed ${mostCrashes} times without getting further; the last time it ${how(died)}.\n` +
          `What it did is kept. To go on: ${resumeCommand(runId, flags)}\n`,
      );
      return codeOf(died);
    }
    io.stderr.write(`fuseloop: the process of run ${oneLine(runId)} ${how(died)}; another one goes on.\n`);
    if (lines !== null) words = laterWords(supervised);
  }
}

function firstWords({ argv, flags, runId }: Supervised): readonly string[] {
  const end = argv.indexOf('--');
  const [own, behind] = end === -1 ? [argv, []] : [argv.slice(0, end), argv.slice(end)];
  const kept = own.filter((word) => word !== '--resume-on-crash');
  return ['run', ...kept, ...(flags.runId === undefined ? [`--run-id=${runId}`] : []), ...behind];
}

/** The budget is that of the run. */
function laterWords({ flags, runId }: Supervised): readonly string[] {
  const { unattended, json, trace, inspect } = flags;
  return resumeWords(runId, flags, [
    ...(unattended ? ['--unattended'] : []),
    ...(json ? ['--json'] : []),
    ...(inspect ? ['--inspect'] : []),
    ...(trace === undefined ? [] : [`--trace=${trace}`]),
  ]);
}

interface Died {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Settles when it is gone. Screen, keyboard and signals are those of this process, and it does not outlive this one. */
function childOf(words: readonly string[], { interrupts }: CommandIo): Promise<Died> {
  const [, program = ''] = process.argv;
  const child = spawn(process.execPath, [...process.execArgv, program, ...words], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [supervisedVariable]: '1' },
  });
  interrupts.onFirst((signal) => child.kill(signal));
  const onExit = () => child.kill('SIGKILL');
  process.once('exit', onExit);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      process.off('exit', onExit);
      resolve({ code, signal });
    });
  });
}

/** Ended, or suspended; or it was left before anything was stored, by a process that was not killed. */
function isOver(lines: readonly JournalLine[] | null, { signal }: Died): boolean {
  return lines === null ? signal === null : lines.at(-1)?.type === 'run.ended';
}

/**
 * The number of the last event that came of work; -1 where there is none. A checkpoint may stand in the place of what came
 * before the run went on: then there is none until it gets further.
 */
function reachedIn(lines: readonly JournalLine[]): number {
  const last = lines.findLast(({ type }) => further.has(type));
  return last === undefined || last.type === 'checkpoint' ? -1 : last.sequence;
}

/** What comes of work that is done. Asking the model and starting a call come again after each crash. */
const further: ReadonlySet<JournalLine['type']> = new Set<JournalLine['type']>([
  'reply.ended',
  'reply.truncated',
  'calls.checked',
  'approval.granted',
  'approval.denied',
  'call.settled',
  'answer.accepted',
  'answer.rejected',
]);

function how({ code, signal }: Died): string {
  return signal === null ? `ended with code ${code}` : `was killed by ${signal}`;
}

/** 128 and the number of the signal, as shells have it. */
function codeOf({ code, signal }: Died): number {
  return code ?? 128 + (signal === null ? 0 : (constants.signals[signal] ?? 0));
}
