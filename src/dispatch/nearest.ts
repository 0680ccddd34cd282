/** The name that was probably meant. */
import { distance } from 'fastest-levenshtein';

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
