/** Stands in for `as-tool.ts` in bundles for the edge that do not ask for it. */
import { AgentError } from './core/errors.ts';

export function asTool(): never {
  throw new AgentError('invalid_option', 'Agents as tools are not part of this bundle.', {
    hint: 'Bundle with the condition "fuseloop-as-tool"; in Node they are always there.',
  });
}
