/** A short text that stands for a long one, so that what is kept for comparing stays bounded. Pure. */

const shortEnough = 120;

/**
 * Texts up to 120 code units stand for themselves; a longer one becomes its first 80, its length and a 106-bit hash.
 * Equal texts always agree. Two different long texts agree by accident with a chance of about 2^-106; the hash is not
 * made to withstand someone who looks for such a pair.
 */
export function fingerprint(text: string): string {
  if (text.length <= shortEnough) return text;
  return `${text.slice(0, 80)}…${text.length}:${hashOf(text)}`;
}

/** 106 bits of a text, in base 36. */
export function hashOf(text: string): string {
  return hash53(text, 0) + hash53(text, 0x9e3779b9);
}

/** A number from 0 up to 1 that follows from the text, spread evenly over texts. */
export function fractionOf(text: string): number {
  return Number.parseInt(hashOf(text).slice(-4), 36) / 36 ** 4;
}

/** 53 bits from two multiply-xor lanes with a final avalanche (the scheme known as cyrb53, public domain). */
function hash53(text: string, seed: number): string {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}
