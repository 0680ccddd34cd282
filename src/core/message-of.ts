/** Whatever was thrown, in words. Pure. */
import { plainJson } from './plain-json.ts';

/** Of an object that is no error; the message is for people. */
const mostValues = 200;

/** The message of whatever was thrown: also of a string, an object, or an object whose `message` throws. */
export function messageOf(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return wordsOf(thrown.message) ?? wordsOf(thrown.name) ?? 'an error without words';
    if (typeof thrown === 'string') return thrown;
    return typeof thrown === 'object' ? JSON.stringify(plainJson(thrown, { mostValues })) : String(thrown);
  } catch {
    return 'an error that cannot be shown';
  }
}

/** The message of an error may have been set to anything. */
function wordsOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
