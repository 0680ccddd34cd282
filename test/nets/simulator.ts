/** The net `simulator`. */
import { simulate } from '../../src/verify/simulate.ts';
import { cast } from './cast.ts';

void cast(async () => (await simulate({ seed: 1, runs: 1_200 })).failure?.message ?? null);
