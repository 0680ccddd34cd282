/** Misuse of the command line: found before a run begins, told on stderr, and exit code 2. Pure. */
import { AgentError } from '../core/errors.ts';

/** What happened; then what is allowed and what to do next. */
export function misuse(message: string, hint: string, cause?: unknown): AgentError {
  return new AgentError('invalid_option', message, { hint, cause });
}
