/** Words of flags, as far as they are read. Pure. */

const secondMs = 1_000;

const unitsMs: ReadonlyMap<string, number> = new Map([
  ['s', secondMs],
  ['min', 60 * secondMs],
  ['h', 3_600 * secondMs],
  ['d', 86_400 * secondMs],
  ['w', 7 * 86_400 * secondMs],
]);

/** Milliseconds of a span such as `7d` or `90 min`; NaN where it is none. */
export function spanMs(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6}) ?([a-z]{1,3})$/.exec(text) ?? [];
  return count === '' ? Number.NaN : Number(count) * (unitsMs.get(unit) ?? Number.NaN);
}

/** Such as `3 min`: the largest unit of which there is one. */
export function spanText(milliseconds: number): string {
  const [unit = 's', ofUnit = secondMs] = [...unitsMs].findLast(([, ms]) => milliseconds >= ms) ?? [];
  return `${Math.max(0, Math.floor(milliseconds / ofUnit))} ${unit}`;
}

/** Those of a list such as `save, send`. */
export function namesIn(text: string): string[] {
  return text.split(',').flatMap((part) => part.trim() || []);
}
