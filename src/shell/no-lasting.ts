/** Stands in for `lasting.ts` in bundles for the edge that do not ask for it. */
import { AgentError } from '../core/errors.ts';

export function lastingRuns(): never {
  throw new AgentError('invalid_option', 'store is given, and this bundle holds nothing that could use it.', {
    hint: 'Bundle it with the condition fuseloop-lasting.',
  });
}
