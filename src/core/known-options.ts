/** A misspelt option would change nothing and say nothing: it is refused. Pure. */
import { AgentError } from './errors.ts';

/**
 * Throws an AgentError (`invalid_option`) unless `options` is an object all of whose own names are among `known`.
 * `where` is what they were given to, such as `openai`.
 */
export function checkKnown(where: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw refused('options is not an object.', `${where} takes an object.`);
  const stranger = Object.keys(options).find((name) => !known.includes(name));
  if (stranger !== undefined) throw refused(`${stranger} is not an option of ${where}.`, `Known: ${known.join(', ')}.`);
}

function refused(message: string, hint: string): AgentError {
  return new AgentError('invalid_option', message, { hint });
}
