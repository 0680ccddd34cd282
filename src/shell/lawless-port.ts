/** Stands in for `lawful-port.ts` in bundles for platforms other than Node, which are to be small. */
import { AgentError } from '../core/errors.ts';
import type { Port } from '../step.ts';

export function lawfulPort(_port: Port): Port {
  throw new AgentError('invalid_option', 'checkLaws is true, and the laws are not part of this bundle.', {
    hint: 'Leave checkLaws out, or bundle for Node (the condition "node"): there the laws are part of fuseloop.',
  });
}

export function checksByDefault(): boolean {
  return false;
}
