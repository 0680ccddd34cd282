/**
 * Takes the strings that hold brackets and other signs of JSON out of a text while it is repaired: `jsonrepair` takes such
 * a sign for the end of a string whose quote is missing, also in a string that is whole. Pure.
 */

export interface Masked {
  readonly text: string;
  /** Puts the strings back into the repaired text. */
  unmask(repaired: string): string;
}

const begin = '\ue000';
const end = '\ue001';

/** Every string must be spelled as in JSON, and closed. */
export function maskStrings(text: string): Masked {
  if (text.includes(begin)) return { text, unmask: (repaired) => repaired };
  const bodies: string[] = [];
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', from)) {
    const closeAt = stringEnd(text, at + 1);
    const body = text.slice(at + 1, closeAt);
    parts.push(text.slice(from, at + 1), holdsSign(body) ? `${begin}${bodies.push(body) - 1}${end}` : body, '"');
    from = closeAt + 1;
  }
  parts.push(text.slice(from));
  return { text: parts.join(''), unmask: (repaired) => unmask(repaired, bodies) };
}

/** Signs between which `jsonrepair` looks for the ends of values. */
const signs: ReadonlySet<number> = new Set([...',:[]/{}()+\\'].map((sign) => sign.charCodeAt(0)));

function holdsSign(body: string): boolean {
  for (let at = 0; at < body.length; at++) if (signs.has(body.charCodeAt(at))) return true;
  return false;
}

function unmask(repaired: string, bodies: readonly string[]): string {
  if (bodies.length === 0) return repaired;
  return repaired
    .split(begin)
    .map((part, index) => {
      const close = index === 0 ? -1 : part.indexOf(end);
      return close < 0 ? part : `${bodies[Number(part.slice(0, close))] ?? ''}${part.slice(close + 1)}`;
    })
    .join('');
}

function stringEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) !== 34) at += text.charCodeAt(at) === 92 ? 2 : 1;
  return Math.min(at, text.length);
}
