/** What stands in square brackets behind a name, as in `Search[x]`, where labels are the form that is asked for. Pure. */
import { skipSpaces } from './labels.ts';
import { objectOpens, valueEnd } from './tracker.ts';

export interface Bracketed {
  /** Where the inside ends. */
  readonly to: number;
  /** Behind the closing bracket. */
  readonly end: number;
  readonly isClosed: boolean;
}

/** `from` is behind the opening bracket. Where none closes it, the inside goes on to the end of the text. */
export function bracketedEnd(text: string, from: number): Bracketed {
  const start = skipSpaces(text, from);
  const behind = objectOpens(text, start) ? valueEnd(text, start) : from;
  let depth = 1;
  for (let at = Math.max(behind, from); at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 91) depth++;
    else if (code === 93) depth--;
    if (depth === 0) return { to: at, end: at + 1, isClosed: true };
  }
  return { to: text.length, end: text.length, isClosed: false };
}
