/**
 * Our own count of tokens: an estimate that needs no vocabulary, for texts that no provider has counted yet. Pure.
 *
 * It is additive (the count of two pieces is the sum of their counts, before rounding), so that a stream can be counted
 * as it comes and a conversation by its messages. Rules of thumb: four Latin letters, digits or spaces make a token; two
 * signs of punctuation; two letters of another alphabet; one Chinese, Japanese or Korean character.
 */

const unitsPerToken = 4;
/** What a provider adds for the role and the ends of a message. */
const unitsPerMessage = 4 * unitsPerToken;

/** Quarter tokens of a text; additive. One pass. */
export function tokenUnits(text: string): number {
  let units = 0;
  for (let index = 0; index < text.length; index++) units += unitsOf(text.charCodeAt(index));
  return units;
}

export function messageUnits(text: string): number {
  return tokenUnits(text) + unitsPerMessage;
}

export function tokensOfUnits(units: number): number {
  return Math.ceil(units / unitsPerToken);
}

export function countTokens(text: string): number {
  return tokensOfUnits(tokenUnits(text));
}

/** The longest start of a text with at most `units`, not cut inside a character. */
export function startWithin(text: string, units: number): string {
  let left = units;
  for (let index = 0; index < text.length; index++) {
    left -= unitsOf(text.charCodeAt(index));
    if (left < 0) return text.slice(0, isLowSurrogate(text.charCodeAt(index)) ? Math.max(0, index - 1) : index);
  }
  return text;
}

/** The longest end of a text with at most `units`, not cut inside a character. */
export function endWithin(text: string, units: number): string {
  let left = units;
  for (let index = text.length - 1; index >= 0; index--) {
    left -= unitsOf(text.charCodeAt(index));
    if (left < 0) return text.slice(isLowSurrogate(text.charCodeAt(index + 1)) ? index + 2 : index + 1);
  }
  return text;
}

/** Whether a text is worth at most `units`; looks no further than it has to. */
export function isWithin(text: string, units: number): boolean {
  // No character is worth more than one token.
  if (text.length * unitsPerToken <= units) return true;
  return startWithin(text, units).length === text.length;
}

/** Quarter tokens of a count of tokens. */
export function unitsOfTokens(tokens: number): number {
  return tokens * unitsPerToken;
}

function unitsOf(codeUnit: number): number {
  if (codeUnit < 0x80) return isPunctuation(codeUnit) ? 2 : 1;
  return codeUnit < 0x2e80 ? 2 : 4;
}

/** Printable ASCII that is neither a letter, a digit nor a space. */
function isPunctuation(codeUnit: number): boolean {
  return (
    (codeUnit > 0x20 && codeUnit < 0x30) ||
    (codeUnit > 0x39 && codeUnit < 0x41) ||
    (codeUnit > 0x5a && codeUnit < 0x61) ||
    (codeUnit > 0x7a && codeUnit < 0x7f)
  );
}

function isLowSurrogate(codeUnit: number): boolean {
  return codeUnit >= 0xdc00 && codeUnit <= 0xdfff;
}
