/** A person's word about a call may come when the time to decide is over, or twice: then it decides nothing. */
import { AgentError } from '../core/errors.ts';

/** Says it. Whether the call did not wait for a decision; anything else that is thrown goes on. */
export function isTooLate(say: () => void): boolean {
  try {
    say();
    return false;
  } catch (thrown) {
    if (thrown instanceof AgentError && thrown.code === 'not_awaiting') return true;
    throw thrown;
  }
}
