/** The signs of words and digits, and other dress for them. Pure. */

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isWordCode(code: number): boolean {
  return isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
}

export function hasDigit(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (isDigit(text.charCodeAt(at))) return true;
  return false;
}

export function wordEnd(text: string, from: number): number {
  let at = from;
  while (isWordCode(text.charCodeAt(at))) at++;
  return at;
}

/** Behind a word and what is joined to it: `A-7`, `inc_0012`, `v1.2.3`. */
export function idEnd(text: string, from: number): number {
  let at = wordEnd(text, from);
  while ('-.'.includes(text.charAt(at) || ' ') && isWordCode(text.charCodeAt(at + 1))) at = wordEnd(text, at + 1);
  return at;
}

/** Behind the letters and digits that are joined to a number, also with dashes. */
export function joinedEnd(text: string, from: number): number {
  let at = wordEnd(text, from);
  while (text.charAt(at) === '-' && isWordCode(text.charCodeAt(at + 1))) at = wordEnd(text, at + 1);
  return at;
}

/** Full-width signs as plain ones, and one sign for each space that may stand inside a number. */
export function plainSigns(text: string): string {
  const signs: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 128) signs.push(text.charAt(at));
    else if (isWide(code)) signs.push(String.fromCharCode(code - 0xfee0));
    else signs.push(otherSigns.get(code) ?? text.charAt(at));
  }
  return signs.join('');
}

/** The comma is not among them: in Chinese it ends a clause. */
function isWide(code: number): boolean {
  return code > 0xff00 && code <= 0xff5e && code !== 0xff0c;
}

export const thin = '\u2009';
const otherSigns: ReadonlyMap<number, string> = new Map([
  ...[0xa0, 0x2007, 0x2009, 0x202f].map((code) => [code, thin] as const),
  ...[0x2010, 0x2011, 0x2212].map((code) => [code, '-'] as const),
  [0x2019, "'"],
]);
