/** Numbers from a seed, and bytes cut by them. */

export type Random = (below: number) => number;

/** mulberry32 (public domain): small, and the same on every machine. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export function cut(bytes: Buffer, random: Random): readonly Buffer[] {
  const pieces: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = start + 1 + random(24);
    pieces.push(bytes.subarray(start, end));
    start = end;
  }
  return pieces;
}

/** Tokens of one to six characters; of four without a seed. */
export function tokens(text: string, random: Random | null): readonly string[] {
  const characters = Array.from(text);
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; ) {
    const end = start + 1 + (random?.(6) ?? 3);
    pieces.push(characters.slice(start, end).join(''));
    start = end;
  }
  return pieces;
}
