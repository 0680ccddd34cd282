/** Tries what is to be tried, a few processes at once, and counts. */
import { availableParallelism } from 'node:os';
import { messageOf } from '../../src/core/message-of.ts';
import type { StoreKind } from './child.ts';
import { problemsOf, unknownIn } from './judge.ts';
import { type Played, play, type Trial } from './play.ts';
import { mustBeKilled, nameOf } from './trials.ts';

export interface Result {
  readonly trial: Trial;
  readonly problems: readonly string[];
  readonly killed: number;
  /** Calls of which nobody knows, and those of them whose effect had happened. */
  readonly unknown: { readonly told: number; readonly happened: number };
  /** What the last process found. */
  readonly found: Played['report']['found'] | null;
}

export interface MatrixOptions {
  readonly child: string;
  /** The runs that nobody killed. */
  readonly whole: ReadonlyMap<StoreKind, Played>;
  readonly signal?: AbortSignal;
  readonly onResult?: (result: Result) => void;
}

/** In the order in which they ended. Stops where the signal is aborted. */
export async function tryAll(trials: readonly Trial[], options: MatrixOptions): Promise<readonly Result[]> {
  const waiting = trials.values();
  const results: Result[] = [];
  const work = async () => {
    for (const trial of waiting) {
      const result = await tryOne(trial, options);
      if (options.signal?.aborted) return;
      results.push(result);
      options.onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));
  return results;
}

async function tryOne(trial: Trial, { child, whole, signal }: MatrixOptions): Promise<Result> {
  try {
    const before = whole.get(trial.kind);
    if (before === undefined) throw new Error(`There is no whole run of ${trial.kind}.`);
    const played = await play(trial, child, signal);
    const missed = mustBeKilled(trial) && played.killed === 0 ? ['it was never killed'] : [];
    const problems = [...missed, ...problemsOf(played, before)];
    return { trial, problems, killed: played.killed, unknown: unknownIn(played), found: played.report.found };
  } catch (thrown) {
    return { trial, problems: [messageOf(thrown)], killed: 0, unknown: { told: 0, happened: 0 }, found: null };
  }
}

export function describe({ trial, problems }: Result): string {
  return [`FAILED  ${nameOf(trial)}`, ...problems.map((problem) => `        ${problem}`)].join('\n');
}
