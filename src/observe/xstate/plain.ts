/**
 * What goes to an inspector, as JSON of bounded size. What comes from a trace has passed the redaction of its run; what comes
 * from other actors has not, and its credentials are hidden here. Total: foreign getters, cycles and the like become words.
 */
import type { JsonValue } from '../../core/json.ts';
import { plainJson } from '../../core/plain-json.ts';
import { createRedactor } from '../../core/redact.ts';
import { englishValues } from '../../core/value-words.ts';

/** Of one event, context or output: values, and code units of all texts together. */
const bounds = { mostValues: 2_000, mostCharacters: 20_000 };

export function plainOfTrace(value: unknown): JsonValue {
  return plainJson(value, bounds);
}

const redactor = createRedactor([]);
/** Words for what is no JSON, and for credentials. */
export const redacting = { ...englishValues, redact: (text: string) => redactor.text(text) };

export function plainOfOthers(value: unknown): JsonValue {
  return redactor.value(plainJson(value, { ...bounds, words: redacting }));
}
