/** The name that was probably meant. */

/** Longer names are not compared. */
const longestName = 100;
/** Letters that may be wrong, also in a long name. */
const mostWrong = 12;
/** Of the tables of distances: what one wrong name may cost, however many names there are. */
const mostCells = 100_000;
/** Wrong names whose nearest is remembered. */
const mostRemembered = 1_000;

/** What comparing may still cost. */
export interface Room {
  cells: number;
}

/**
 * The known name nearest to a wrong one, or null where none is near: at most a third of it differs, case aside, and at most
 * twelve letters.
 */
export function nearestName(wrong: string, known: Iterable<string>, room: Room = { cells: mostCells }): string | null {
  if (wrong.length > longestName) return null;
  const meant = simple(wrong);
  let nearest: string | null = null;
  let least = Math.min(Math.floor(Math.max(wrong.length, 3) / 3), mostWrong) + 1;
  for (const name of known) {
    if (room.cells <= 0) break;
    if (name.length > longestName) continue;
    const apart = distance(meant, simple(name), least, room);
    if (apart < least) [nearest, least] = [name, apart];
  }
  return nearest;
}

const found = new WeakMap<object, Map<string, string | null>>();

/** The same among tools, remembered: a model is often wrong twice in the same way. */
export function nearestTool(wrong: string, tools: ReadonlyMap<string, unknown>, room?: Room): string | null {
  if (wrong.length > longestName) return null;
  const before = found.get(tools);
  const known = before === undefined || before.size >= mostRemembered ? new Map<string, string | null>() : before;
  const nearest = known.get(wrong) ?? (known.has(wrong) ? null : nearestName(wrong, tools.keys(), room));
  found.set(tools, known.set(wrong, nearest));
  return nearest;
}

/** `queryMetrics`, `Query Metrics` and `query-metrics` are one name, written in three ways. */
function simple(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_.-]/g, '');
}

/**
 * Letters that are missing, too many, other, or swapped with their neighbour: what people and models do to a name. Exact
 * below `limit`; from there on it is only known not to be below.
 */
function distance(one: string, other: string, limit: number, room: Room): number {
  room.cells--;
  if (Math.abs(one.length - other.length) >= limit) return limit;
  let before: readonly number[] = [];
  let above: readonly number[] = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let at = 1; at <= one.length; at++) {
    // What is further from the diagonal than the limit is at least as far apart.
    const from = Math.max(1, at - limit);
    const last = Math.min(other.length, at + limit);
    const row: number[] = [];
    row[from - 1] = at - from + 1;
    let least = limit;
    for (let to = from; to <= last; to++) {
      const isSame = one[at - 1] === other[to - 1];
      const isSwap = one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      row[to] = Math.min(
        numberAt(row, to - 1) + 1,
        numberAt(above, to) + 1,
        numberAt(above, to - 1) + (isSame ? 0 : 1),
        isSwap ? numberAt(before, to - 2) + 1 : limit,
      );
      least = Math.min(least, numberAt(row, to));
      room.cells--;
    }
    if (least >= limit && at >= limit) return limit;
    before = above;
    above = row;
  }
  return numberAt(above, other.length);
}

function numberAt(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
