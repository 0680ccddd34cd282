/**
 * The simulator: whole runs through the real shell on a virtual clock, drawn from one seed. Model, tools, person, observer
 * and the process itself are against the run; then they turn calm, and every run must come to its end with all promises
 * kept. What fails is shrunk to a small script, and found again by seed and path.
 */
import type { ReactMachine } from '../../machines/react.machine.ts';
import { type FuzzFailure, type FuzzProgress, tryTargets } from './fuzz.ts';
import { promises } from './simulation-promises.ts';
import { simulationTarget } from './simulation-target.ts';

export interface SimulateOptions {
  /** A whole number; the same seed draws the same scripts. Default: a random one, which the result names. */
  readonly seed?: number;
  /** How many runs; default 1,000. */
  readonly runs?: number;
  /** With the seed: one script, as a failure names it. */
  readonly path?: string;
  /** A machine that was changed or built anew. */
  readonly machine?: ReactMachine;
  /** Ends it early. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: FuzzProgress) => void;
}

export interface Simulation {
  /** Every run ended, and no promise was broken. */
  readonly ok: boolean;
  readonly seed: number;
  readonly runs: number;
  readonly interrupted: boolean;
  /** The names of the promises that each run was held to. */
  readonly promises: readonly string[];
  /** How often runs ended with each stop reason. */
  readonly endings: { readonly [stopReason: string]: number };
  /** Processes that died in the middle of a run, which went on in another. */
  readonly crashes: number;
  /** The first run that broke a promise: the shrunk script, and the command that replays it. */
  readonly failure: FuzzFailure | null;
}

/** Throws AgentError (`invalid_option`) for an option that cannot be used, and where fast-check is not installed. */
export async function simulate(options: SimulateOptions = {}): Promise<Simulation> {
  const endings = new Map<string, number>();
  let crashes = 0;
  const target = simulationTarget(({ outcome, processes }) => {
    endings.set(outcome.stopReason, 1 + (endings.get(outcome.stopReason) ?? 0));
    crashes += processes - 1;
  });
  const { ok, seed, runs, interrupted, failure } = await tryTargets([target], { ...options, target: target.name });
  const counted = [...endings].sort(([one], [other]) => (one < other ? -1 : 1));
  const names = Object.keys(promises);
  return { ok, seed, runs, interrupted, promises: names, endings: Object.fromEntries(counted), crashes, failure };
}
