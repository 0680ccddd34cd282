export interface Units {
  readonly ms: string;
  readonly s: string;
  readonly min: string;
  readonly h: string;
}

/** Milliseconds as a person reads them: `412 ms`, `3.92 s`, `2 min 05 s`, `3 h 07 min`. */
export function durationText(ms: number, units: Units): string {
  if (ms < 1_000) return `${Math.round(ms)} ${units.ms}`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(2)} ${units.s}`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} ${units.s}`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return twoUnits(seconds, 60, units.min, units.s);
  return twoUnits(Math.round(seconds / 60), 60, units.h, units.min);
}

/** The smaller unit is left out where it is nothing. */
function twoUnits(count: number, per: number, large: string, small: string): string {
  const rest = count % per;
  return `${Math.floor(count / per)} ${large}${rest === 0 ? '' : ` ${two(rest)} ${small}`}`;
}

const two = (value: number) => String(value).padStart(2, '0');
