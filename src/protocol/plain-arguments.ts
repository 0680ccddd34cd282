/** Words in the parentheses of call syntax: `search(the tide table)`. Pure. */
import { argumentEnd, type InputRead, readInput, unreadable } from './input-text.ts';
import { skipSpacesBack } from './labels.ts';
import { valueEnd } from './tracker.ts';

/** `(the tide table)`: words without quotes are the input as text; several arguments, or an open end, cannot be read. */
export function plainArguments(text: string): InputRead {
  const closed = text.startsWith('(') ? valueEnd(text, 0) : -1;
  if (closed < 0) return { ...unreadable(skipSpacesBack(text, text.length)), plain: true };
  const inside = text.slice(1, closed - 1).trim();
  if (inside.startsWith('[')) return { ...readInput(inside), end: closed };
  if (isList(inside)) return unreadable(closed);
  return { input: inside, repaired: false, plain: true, end: closed };
}

/** Several arguments, of which one is a number, a quoted text or has a name; commas between words are text. */
function isList(inside: string): boolean {
  let at = 0;
  let values = 0;
  let parts = 0;
  while (at <= inside.length) {
    const end = argumentEnd(inside, at);
    if (isArgument.test(inside.slice(at, Math.min(end, at + 90)))) values++;
    parts++;
    at = end + 1;
  }
  return parts > 1 && values > 0;
}

/** A quoted text, a value in brackets, a number, or a name with a value. */
const isArgument = /^\s{0,4}(?:["'{[]|-?\d[\d.]{0,40}\s{0,4}$|[A-Za-z_]\w{0,60}\s{0,4}=[^=])/;
