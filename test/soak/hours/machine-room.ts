/**
 * A process that can die at any moment: its timers never fire again, what it waits for never comes, and of what it was
 * writing a part is on the disk. Its holds of runs are free, as the lock of a dead process is.
 */
import type { Clock } from '../../../src/core/clock.ts';
import type { HeldRun, JournalLine, Store } from '../../../src/store.ts';
import type { Random } from '../../support/random.ts';

export interface Process {
  readonly clock: Clock;
  readonly store: Store;
  readonly random: Random;
  isDead(): boolean;
  /** Timers of the library that are armed. */
  armed(): number;
  die(): void;
  /** What the promise comes to, or that the process has died by then. Never rejects for the latter. */
  survives<Value>(promise: Promise<Value>): Promise<Value | 'died'>;
  /** Never comes back in a process that has died. */
  sleep(ms: number): Promise<void>;
}

/** Milliseconds that a group of lines takes to the disk. */
const longestWriteMs = 30;

export function startProcess(machine: Clock, disk: Store, random: Random): Process {
  /** Of the library, and of the tools and the model, whose timers are their own. */
  const [timers, sleepers] = [new Set<() => void>(), new Set<() => void>()];
  const mourners = new Set<() => void>();
  const holds = new Set<{ die(): void }>();
  let dead = false;
  const arm = (set: Set<() => void>, delayMs: number, fire: () => void) => {
    if (dead) return () => {};
    const cancel = machine.setTimer(delayMs, () => {
      set.delete(cancel);
      fire();
    });
    set.add(cancel);
    return () => {
      set.delete(cancel);
      cancel();
    };
  };
  const { monotonicMs, wallMs } = machine;
  const clock: Clock = { monotonicMs, wallMs, setTimer: (delayMs, fire) => arm(timers, delayMs, fire) };
  const isDead = () => dead;
  const store: Store = {
    ...disk,
    async open(runId) {
      const held = await disk.open(runId);
      if (dead) {
        await held.release();
        return await never();
      }
      const hold = delayedHold(held, { clock, random, isDead, released: () => holds.delete(hold) });
      holds.add(hold);
      return hold.run;
    },
  };
  return {
    clock,
    store,
    random,
    isDead,
    armed: () => timers.size,
    die() {
      dead = true;
      for (const cancel of [...timers, ...sleepers]) cancel();
      for (const hold of holds) hold.die();
      for (const mourn of [...mourners]) mourn();
      for (const all of [timers, sleepers, holds, mourners]) all.clear();
    },
    survives: (promise) =>
      new Promise((resolve, reject) => {
        if (dead) return resolve('died');
        const mourn = () => resolve('died');
        mourners.add(mourn);
        const over = () => dead || mourners.delete(mourn);
        promise.then(
          (value) => over() && resolve(value),
          (thrown: unknown) => over() && reject(thrown),
        );
      }),
    sleep: (ms) => new Promise((resolve) => void arm(sleepers, ms, resolve)),
  };
}

interface Work {
  readonly write: () => Promise<void>;
  readonly done: () => void;
  readonly failed: (thrown: unknown) => void;
}

interface Around extends Pick<Process, 'clock' | 'random' | 'isDead'> {
  readonly released: () => void;
}

/** Lines that come while others are on their way go with the next group, as in a file. */
function delayedHold(held: HeldRun, { clock, random, isDead, released }: Around) {
  let waiting: Work[] = [];
  let writing: Work[] = [];
  const flush = async () => {
    for (const { write, done, failed } of writing.splice(0)) await write().then(done, failed);
    next();
  };
  const next = () => {
    if (isDead() || writing.length > 0 || waiting.length === 0) return;
    [writing, waiting] = [waiting, []];
    clock.setTimer(1 + random(longestWriteMs), () => void flush());
  };
  const add = (write: () => Promise<void>) =>
    new Promise<void>((resolve, reject) => {
      if (isDead()) return; // nobody is there to hear of it
      waiting.push({ write, done: () => isDead() || resolve(), failed: (thrown) => isDead() || reject(thrown) });
      next();
    });
  const run: HeldRun = {
    epoch: held.epoch,
    lines: held.lines,
    append: (lines: readonly JournalLine[]) => add(() => held.append(lines)),
    replace: (lines: readonly JournalLine[]) => add(() => held.replace(lines)),
    release: () =>
      add(async () => {
        released();
        await held.release();
      }),
  };
  return {
    run,
    die() {
      const open = [...writing, ...waiting];
      for (const { write } of open.slice(0, random(open.length + 1))) void write();
      void held.release();
    },
  };
}

function never<Value>(): Promise<Value> {
  return new Promise<Value>(() => {});
}
