/** What must not be seen, read once when the agent is made. The one place where the environment is read. */
import { AgentError } from '../core/errors.ts';
import { createRedactor, type Redaction, type Redactor } from '../core/redact.ts';

/** A shorter text would be found in half of all words. */
const shortest = 4;

/** Throws AgentError that says which entry cannot be used, and never shows it. */
export function readSecrets(redact: Redaction = []): Redactor {
  const secrets = redact.map((each, index) => {
    const secret = isNamed(each) ? variable(each.env) : each;
    if (typeof secret !== 'string' || secret === '' || secret.trim().length >= shortest) return secret;
    throw new AgentError('invalid_option', `redact[${index}] is shorter than ${shortest} characters.`, {
      hint: 'It would be replaced in ordinary words. Leave it out, or give a pattern that says what stands round it.',
    });
  });
  return createRedactor(secrets);
}

function isNamed(each: Redaction[number]): each is { readonly env: string } {
  return typeof each !== 'string' && !(each instanceof RegExp);
}

/** Empty where it is not set, or where there is no environment. */
function variable(name: string): string {
  const variables = globalThis.process?.env ?? {};
  return (Object.hasOwn(variables, name) && variables[name]) || '';
}
