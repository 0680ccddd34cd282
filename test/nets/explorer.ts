/** The net `explorer`, small. */
import { explore } from '../../src/verify/explore.ts';
import { cast } from './cast.ts';

const bounds = { maxSteps: 2, maxToolCalls: 2, maxViolations: 1, maxToolErrors: 1 };

void cast(async () => explore({ bounds }).counterexample?.broken.join('; ') ?? null);
