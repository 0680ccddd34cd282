/** How long an observation may be: in tokens, by our own count, and in characters. The smaller limit holds. */
import { endWithin, isWithin, startWithin, tokenUnits, unitsOfTokens } from '../context/tokens.ts';
import type { Sizes } from '../core/limits.ts';
import type { Cutter } from '../dispatch/cut.ts';

export function observationCutter({ maxObservationTokens, maxObservationChars }: Sizes): Cutter {
  const units = unitsOfTokens(maxObservationTokens);
  const unitsFor = (share: number, besides: string) => shareOf(units - tokenUnits(besides), share);
  const charsFor = (share: number, besides: string) => shareOf(maxObservationChars - besides.length, share);
  return {
    fits: (text) => text.length <= maxObservationChars && isWithin(text, units),
    start: (text, share, besides) => startWithin(firstOf(text, charsFor(share, besides)), unitsFor(share, besides)),
    end: (text, share, besides) => endWithin(lastOf(text, charsFor(share, besides)), unitsFor(share, besides)),
  };
}

function shareOf(limit: number, share: number): number {
  return Math.max(0, Math.floor(limit * share));
}

/** At most so many code units, not cut inside a character. */
function firstOf(text: string, length: number): string {
  if (text.length <= length) return text;
  return text.slice(0, isPairAt(text, length - 1) ? length - 1 : length);
}

function lastOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const from = text.length - length;
  return text.slice(isPairAt(text, from - 1) ? from + 1 : from);
}

/** Whether a character of two code units begins there. */
function isPairAt(text: string, index: number): boolean {
  return (text.codePointAt(index) ?? 0) > 0xffff;
}
