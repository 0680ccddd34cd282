/** The net `simulator`. */
import { simulate } from '../../src/verify/simulate.ts';
import { cast } from './cast.ts';

void cast(async () => (await simulate({ seed: 2, runs: 2_000 })).failure?.message ?? null);
