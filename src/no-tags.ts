/** Stands in for `protocol/tags.ts` in bundles for the edge that do not ask for it. */
import { AgentError } from './core/errors.ts';

export const defaultTags = null;

export function tags(): never {
  throw new AgentError('invalid_option', 'The dialect "tags" is not part of this bundle.', {
    hint: 'Bundle with the condition "fuseloop-tags"; in Node it is always there.',
  });
}
