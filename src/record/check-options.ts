/** Options as they may come from a program without types. What is wrong with one is never shown: it may be a secret. Pure. */
import { AgentError } from '../core/errors.ts';
import { isJsonObject } from '../core/json.ts';
import { checkKnown } from '../core/known-options.ts';
import { kindOf } from '../models/common/given-model.ts';

export interface Kind {
  /** In words. */
  readonly allowed: string;
  /** In words, behind the name of the option; null where nothing is wrong. */
  readonly problem: (value: unknown) => string | null;
}

export const flag = kind('true or false', (value) => typeof value === 'boolean');
export const callable = kind('a function', (value) => typeof value === 'function');

export const clockWith = (method: string) =>
  kind(
    `a clock with ${method}`,
    (value) => typeof value === 'object' && value !== null && typeof Reflect.get(value, method) === 'function',
  );

export const oneOf = (...words: readonly string[]): Kind => ({
  allowed: words.map((word) => JSON.stringify(word)).join(' or '),
  problem: (value) => {
    if (words.some((word) => word === value)) return null;
    return ` is ${typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : kindOf(value)}`;
  },
});

/** A misspelt `env` would hide nothing. */
export const redaction: Kind = {
  allowed: "a list of texts, patterns, and variables such as { env: 'OPENAI_API_KEY' }",
  problem: (value) => {
    if (!Array.isArray(value)) return ` is ${kindOf(value)}`;
    const wrong = value.findIndex((each: unknown) => !isSecret(each));
    return wrong === -1 ? null : `[${wrong}] is ${kindOf(value[wrong])}`;
  },
};

/** Throws AgentError (`invalid_option`) for an option that is not in `kinds`, or not of its kind. */
export function checkOptions(where: string, options: object, kinds: ReadonlyMap<string, Kind>): void {
  checkKnown(where, options, [...kinds.keys()]);
  for (const [name, value] of Object.entries(options)) {
    const known = kinds.get(name);
    const problem = known === undefined || value === undefined ? null : known.problem(value);
    if (problem !== null)
      throw new AgentError('invalid_option', `The option ${name}${problem}, for ${where}.`, {
        hint: `${name} is ${known?.allowed}.`,
      });
  }
}

function kind(allowed: string, fits: (value: unknown) => boolean): Kind {
  return { allowed, problem: (value) => (fits(value) ? null : ` is ${kindOf(value)}`) };
}

function isSecret(each: unknown): boolean {
  return typeof each === 'string' || each instanceof RegExp || (isJsonObject(each) && typeof each.env === 'string');
}
