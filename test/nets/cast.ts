/** Casts the nets over the sources that this was bundled from, and writes what each caught as one JSON document. */
import { explore } from '../../src/verify/explore.ts';
import { fuzz } from '../../src/verify/fuzz.ts';
import { simulate } from '../../src/verify/simulate.ts';

const bounds = { maxSteps: 2, maxToolCalls: 2, maxViolations: 1, maxToolErrors: 1 };

/** What a net says where it caught something; null where it did not. A net that falls over has caught something too. */
async function cast(net: () => Promise<string | null>): Promise<string | null> {
  try {
    return await net();
  } catch (thrown) {
    return String(thrown);
  }
}

const caught = {
  explorer: await cast(async () => explore({ bounds }).counterexample?.broken.join('; ') ?? null),
  walks: await cast(async () => (await fuzz({ target: 'machine', seed: 1, runs: 1_000 })).failure?.message ?? null),
  simulator: await cast(async () => (await simulate({ seed: 1, runs: 600 })).failure?.message ?? null),
};
process.stdout.write(JSON.stringify(caught));
