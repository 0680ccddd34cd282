/** The targets of the fuzzer, in the order in which `all` goes through them. A new target is one line here. */
import { dispatchTarget } from './fuzz-dispatch.ts';
import { journalTarget } from './fuzz-journal.ts';
import { machineTarget } from './fuzz-machine.ts';
import { readerTarget } from './fuzz-reader.ts';
import { snapshotTarget } from './fuzz-snapshot.ts';
import { sseTarget } from './fuzz-sse.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import { simulationTarget } from './simulation-target.ts';

export const fuzzTargets: readonly FuzzTarget[] = [
  readerTarget,
  machineTarget,
  dispatchTarget,
  sseTarget(),
  snapshotTarget(),
  journalTarget(),
  simulationTarget(),
];
