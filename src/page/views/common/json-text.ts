/** What a person must see of a text of models and tools: also the characters that are made not to be seen. */

/** JSON as text, for copying and editing. Such characters are written as escapes, and so read as the same value. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2).replace(unseen, escaped);
  } catch {
    // Too deep for the stack of the browser.
    return String(value);
  }
}

/** A text to look at: what commands a terminal or turns the line around stands as an escape. */
export const visible = (text: string): string => text.replace(commands, (one) => (plain.has(one) ? one : escaped(one)));

const escaped = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Controls, marks of direction, spaces without width. Each is one code unit, and so has an escape of JSON. */
const unseen = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** Controls, and what overrides the direction. Joiners stay: letters need them. */
const commands = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

const plain: ReadonlySet<string> = new Set(['\n', '\t', '\r']);
