/** The net `walks`: the target `machine` of the fuzzer, taken by itself, so that it holds no file of the shell. */
import { loadFastCheck } from '../../src/verify/fast-check.ts';
import { machineTarget } from '../../src/verify/fuzz-machine.ts';
import { cast } from './cast.ts';

void cast(async () => {
  const feed = machineTarget.feed(await loadFastCheck(), { tools: null, dialect: null, machine: null });
  const fault = await feed.check({ seed: 1, runs: 1_000, path: null, before: () => null, onFault: () => {} });
  return fault?.message ?? null;
});
