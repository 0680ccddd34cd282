/** The name that was probably meant. */

/** Longer names are not compared: the distance costs the product of the lengths. */
const longestName = 100;

/** The known name nearest to a wrong one, or null where none is near: at most a third of it differs, case aside. */
export function nearestName(wrong: string, known: Iterable<string>): string | null {
  if (wrong.length > longestName) return null;
  let nearest: string | null = null;
  let least = Math.floor(Math.max(wrong.length, 3) / 3) + 1;
  for (const name of known) {
    if (name.length > longestName) continue;
    const apart = distance(simple(wrong), simple(name));
    if (apart < least) [nearest, least] = [name, apart];
  }
  return nearest;
}

/** `queryMetrics`, `Query Metrics` and `query-metrics` are one name, written in three ways. */
function simple(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_.-]/g, '');
}

/** Letters that are missing, too many, other, or swapped with their neighbour: what people and models do to a name. */
function distance(one: string, other: string): number {
  let before: readonly number[] = [];
  let above: readonly number[] = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let at = 1; at <= one.length; at++) {
    const row = [at];
    for (let to = 1; to <= other.length; to++) {
      const left = numberAt(row, to - 1) + 1;
      const changed = numberAt(above, to - 1) + (one[at - 1] === other[to - 1] ? 0 : 1);
      const isSwap = at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      const swapped = isSwap ? numberAt(before, to - 2) + 1 : left;
      row.push(Math.min(left, numberAt(above, to) + 1, changed, swapped));
    }
    before = above;
    above = row;
  }
  return numberAt(above, other.length);
}

function numberAt(row: readonly number[], index: number): number {
  return row[index] ?? 0;
}
