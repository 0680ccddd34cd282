/**
 * What waits to be written to a database, in the order in which it was given. All that comes in one turn of the event loop
 * is one transaction, and so one wait for the disk, up to a size; then the event loop has its turn.
 */
import type { JournalLine } from '../core/store.ts';
import { endHold } from './holds.ts';
import { textOfLine } from './journal-line.ts';
import type { Connection } from './sqlite-database.ts';
import { addLines, dropLines, isHeldBy, letRunGo, type NewLines } from './sqlite-runs.ts';
import { letGo, runHeld, shown } from './store-errors.ts';
import { beginningOf, restOf } from './summary.ts';

/** One hold of one run. */
export interface Hold {
  readonly runId: string;
  /** Of its row. */
  readonly id: number;
  readonly token: string;
  /** Why nothing more can be written through it. */
  failure: unknown;
}

export interface Writer {
  append(hold: Hold, lines: readonly JournalLine[]): Promise<void>;
  replace(hold: Hold, lines: readonly JournalLine[]): Promise<void>;
  release(hold: Hold): Promise<void>;
}

interface Task {
  readonly hold: Hold;
  /** In code units. */
  readonly size: number;
  /** In a transaction; may be carried out again where the transaction failed. */
  readonly carryOut: (connection: Connection) => void;
  /** Whether it is carried out although the hold has failed. */
  readonly always: boolean;
  readonly settle: (failure: unknown) => void;
}

/** In code units; a line that is longer is a transaction of its own. */
const mostAtOnce = 4_000_000;

export function createWriter(connection: Connection): Writer {
  const waiting: Task[] = [];
  let isWriting = false;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      await writeTogether(connection, nextOf(waiting));
      await new Promise((resolve) => setImmediate(resolve));
    }
    isWriting = false;
  }

  function give(hold: Hold, task: Pick<Task, 'size' | 'carryOut' | 'always'>): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (failure: unknown) => (failure === null ? resolve() : reject(failure));
      waiting.push({ ...task, hold, settle });
      if (isWriting) return;
      isWriting = true;
      setImmediate(() => void writeAll());
    });
  }

  async function write(hold: Hold, lines: readonly JournalLine[], before?: (connection: Connection) => void) {
    if (hold.failure !== null) throw hold.failure;
    const given = newLines(hold, lines);
    const size = given?.texts.reduce((sum, text) => sum + text.length, 0) ?? 0;
    const carryOut = (to: Connection) => {
      before?.(to);
      if (given !== null) addLines(to, hold.id, given);
    };
    await give(hold, { size, carryOut, always: false });
  }

  return {
    append: (hold, lines) => write(hold, lines),
    replace: (hold, lines) => write(hold, lines, (to) => dropLines(to, hold.id)),
    release(hold) {
      // Nothing is written through one that has failed, and that it is let go may fail as well.
      if (hold.failure !== null) endHold(hold.token);
      return give(hold, { size: 0, carryOut: (to) => letRunGo(to, hold.id, hold.token), always: true }).finally(() => {
        hold.failure = letGo(hold.runId);
        endHold(hold.token);
      });
    },
  };
}

/** They are read now: what becomes of the objects afterwards is nothing to the store. Null for none. */
function newLines(hold: Hold, lines: readonly JournalLine[]): NewLines | null {
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined || last === undefined) return null;
  try {
    return { texts: lines.map(textOfLine), beginning: beginningOf(first), rest: restOf(last) };
  } catch (thrown) {
    hold.failure = thrown;
    throw thrown;
  }
}

function nextOf(waiting: Task[]): readonly Task[] {
  let size = 0;
  const more = waiting.findIndex((task) => {
    size += task.size;
    return size > mostAtOnce;
  });
  return waiting.splice(0, more === -1 ? waiting.length : Math.max(1, more));
}

/** Where they cannot be written together each is tried alone: one line that is too long is nothing to other runs. */
async function writeTogether(connection: Connection, tasks: readonly Task[]): Promise<void> {
  try {
    const failures = await connection.write(() => tasks.map((task) => carriedOut(connection, task)));
    tasks.forEach((task, index) => {
      task.settle(failures[index] ?? null);
    });
  } catch (thrown) {
    const [task] = tasks;
    if (tasks.length > 1) for (const alone of tasks) await writeTogether(connection, [alone]);
    else if (task !== undefined) fail(task, thrown);
  }
}

function fail({ hold, settle }: Task, thrown: unknown): void {
  hold.failure ??= thrown;
  settle(thrown);
}

/** What is wrong, or null. */
function carriedOut(connection: Connection, { hold, carryOut, always }: Task): unknown {
  if (!always) {
    if (hold.failure === null && !isHeldBy(connection, hold.id, hold.token)) hold.failure = takenOver(hold.runId);
    if (hold.failure !== null) return hold.failure;
  }
  carryOut(connection);
  return null;
}

function takenOver(runId: string) {
  return runHeld(
    `The run ${shown(runId)} is no longer held here: somebody else has taken hold of it, or removed it. Nothing more was written.`,
    'Open the run again to go on with what is stored.',
  );
}
