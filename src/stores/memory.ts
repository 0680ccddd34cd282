/** Runs in the memory of this process, kept as texts: what comes out is what a file would give, and shares nothing with what went in. */
import type { HeldRun, Store } from '../core/store.ts';
import { lineOf, textOfLine } from './journal-line.ts';
import { readJournal } from './read-journal.ts';
import { checkRunId, letGo, runHeld, shown } from './store-errors.ts';
import { listed, storedRunOf } from './summary.ts';

interface KeptRun {
  texts: string[];
  epoch: number;
  held: HeldRun | null;
}

const name = 'the memory of this process';

/** For tests, and for runs that need not outlast the process. Gone with it. */
export function memoryStore(): Store {
  const runs = new Map<string, KeptRun>();

  const kept = (runId: string) => {
    const run: KeptRun = runs.get(runId) ?? { texts: [], epoch: 0, held: null };
    if (run.held !== null) throw heldHere(runId);
    return run;
  };

  return {
    name,
    async open(runId) {
      checkRunId(runId);
      const run = kept(runId);
      run.epoch++;
      run.held = holdOf(runId, run, () => {
        if (run.texts.length === 0) runs.delete(runId);
      });
      runs.set(runId, run);
      return run.held;
    },
    async read(runId) {
      checkRunId(runId);
      const texts = runs.get(runId)?.texts ?? [];
      return texts.length === 0 ? null : readJournal(texts, { runId, store: name });
    },
    async list(filter) {
      return listed([...runs].flatMap(summary), filter);
    },
    async delete(runId) {
      checkRunId(runId);
      const { texts } = kept(runId);
      runs.delete(runId);
      return texts.length > 0;
    },
    async close() {
      await Promise.all([...runs.values()].map(({ held }) => held?.release()));
    },
  };
}

/** One hold of a run; `released` is told once. */
function holdOf(runId: string, run: KeptRun, released: () => void): HeldRun {
  let isReleased = false;
  let failure: unknown = null;
  const write = async (change: () => void) => {
    if (failure !== null) throw failure;
    try {
      change();
    } catch (thrown) {
      failure = thrown;
      throw thrown;
    }
  };
  return {
    epoch: run.epoch,
    lines: readJournal(run.texts, { runId, store: name }),
    append: (lines) =>
      write(() => {
        for (const text of lines.map(textOfLine)) run.texts.push(text);
      }),
    replace: (lines) =>
      write(() => {
        run.texts = lines.map(textOfLine);
      }),
    async release() {
      if (isReleased) return;
      isReleased = true;
      failure = letGo(runId);
      run.held = null;
      released();
    },
  };
}

function summary([runId, { texts, held }]: readonly [string, KeptRun]) {
  const [first, last] = [texts.at(0), texts.at(-1)].map((text = '') => lineOf(text) ?? undefined);
  if (first === undefined || last === undefined) return [];
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
  return [storedRunOf(first, last, { runId, heldBy: held === null ? null : 'this process', bytes })];
}

function heldHere(runId: string) {
  return runHeld(
    `The run ${shown(runId)} is held by this process already.`,
    'Let it go first (release, or close of the store), or wait until its run has ended.',
  );
}
