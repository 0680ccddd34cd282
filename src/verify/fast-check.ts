/**
 * fast-check, which draws the random parts and shrinks what fails. An optional peer, and this is the one file that knows
 * it: everything else in `src/verify/` is handed the module or a type from here.
 */
import type * as fastCheck from 'fast-check';
import { AgentError } from '../core/errors.ts';

export type FastCheck = typeof fastCheck;
export type Arbitrary<Value> = fastCheck.Arbitrary<Value>;

/** Throws AgentError (`invalid_option`) where the package is not installed. */
export async function loadFastCheck(): Promise<FastCheck> {
  try {
    return await import('fast-check');
  } catch (cause) {
    throw new AgentError('invalid_option', 'The package fast-check is not installed.', {
      hint: 'It is an optional peer of fuseloop: npm install --save-dev fast-check@4',
      cause,
    });
  }
}
