/** Numbers of a report as people read them; the same in every locale. Pure. */

/** `1,234`; one decimal below ten where it is not whole. */
export function numberText(value: number): string {
  const digits = value < 10 && !Number.isInteger(value) ? 1 : 0;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** `120 ms`, `1.2 s`, `3.4 min`, `2.1 h`. */
export function spanText(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 120_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  if (milliseconds < 7_200_000) return `${(milliseconds / 60_000).toFixed(1)} min`;
  return `${numberText(milliseconds / 3_600_000)} h`;
}

/** `83 %`; of what is not all, and not nothing, neither `100 %` nor `0 %` is said. */
export function shareText(share: number): string {
  const percent = Math.round(share * 100);
  if (percent === 100 && share < 1) return '>99 %';
  return percent === 0 && share > 0 ? '<1 %' : `${percent} %`;
}

/** Of money: two digits that count. */
export function costText(cost: number): string {
  if (cost >= 1 || cost === 0) return cost.toFixed(2);
  return cost.toPrecision(2).replace(/e-(\d+)$/, 'e-$1');
}

/** `2026-01-31 09:30`, in UTC. */
export function instantText(wallMs: number): string {
  const date = new Date(wallMs);
  return Number.isFinite(date.getTime()) ? date.toISOString().slice(0, 16).replace('T', ' ') : '?';
}

/** `1 run`, `2 runs`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${numberText(count)} ${count === 1 ? one : many}`;
}
