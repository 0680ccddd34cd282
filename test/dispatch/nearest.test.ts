/** What was probably meant by a wrong name, and what finding it costs: counted in cells of tables of distances. */
import { describe, expect, it } from 'vitest';
import { nearestName, nearestTool } from '../../src/dispatch/nearest.ts';

/** The plain table, without a band or an early end. */
function plainDistance(one: string, other: string): number {
  const rows: number[][] = [];
  const cell = (at: number, to: number) => rows[at]?.[to] ?? Number.POSITIVE_INFINITY;
  for (let at = 0; at <= one.length; at++) {
    rows.push([]);
    for (let to = 0; to <= other.length; to++) {
      const isSwap = at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      const ways = [
        cell(at - 1, to) + 1,
        cell(at, to - 1) + 1,
        cell(at - 1, to - 1) + (one[at - 1] === other[to - 1] ? 0 : 1),
        isSwap ? cell(at - 2, to - 2) + 1 : Number.POSITIVE_INFINITY,
      ];
      rows[at]?.push(at + to === 0 ? 0 : Math.min(...ways));
    }
  }
  return cell(one.length, other.length);
}

/** All words of these letters up to this length. */
function words(letters: string, longest: number): string[] {
  const shorter = longest === 0 ? [] : words(letters, longest - 1);
  return longest === 0
    ? ['']
    : [...new Set([...shorter, ...shorter.flatMap((word) => [...letters].map((l) => word + l))])];
}

describe('the nearest name', () => {
  it('is the one of the plain table, for all short words', () => {
    const known = words('ab', 4).filter((word) => word !== '');
    for (const wrong of words('abc', 5).filter((word) => word.length > 2)) {
      const limit = Math.floor(wrong.length / 3) + 1;
      const apart = known.map((name) => plainDistance(wrong, name));
      const least = Math.min(...apart);
      expect([wrong, nearestName(wrong, known)]).toEqual([wrong, least < limit ? known[apart.indexOf(least)] : null]);
    }
  });

  it.each([
    ['queyr_metrics', 'query_metrics'],
    ['QueryMetric', 'query_metrics'],
    [`${'long_name_'.repeat(9)}a`, `${'long_name_'.repeat(9)}b`],
    [`${'x'.repeat(60)}${'y'.repeat(12)}`, 'x'.repeat(60)],
    [`${'x'.repeat(60)}${'y'.repeat(13)}`, null],
    ['x'.repeat(101), null],
  ])('of %s is %s', (wrong, nearest) => {
    const known = ['look', 'query_metrics', `${'long_name_'.repeat(9)}b`, 'x'.repeat(60)];
    expect(nearestName(wrong, known)).toBe(nearest);
  });
});

describe('what it costs', () => {
  const tools = new Map(Array.from({ length: 200 }, (_, n) => [`warehouse_${n}_${'lookup_by_id'.repeat(6)}`, n]));
  const cost = (wrong: string, known: Iterable<string>) => {
    const room = { cells: 1e9 };
    nearestName(wrong, known, room);
    return 1e9 - room.cells;
  };

  it('is a small part of the whole table where nothing is near, and grows with the number of names alone', () => {
    const wrong = `unknown_thing_${'q'.repeat(80)}`;
    const table = wrong.length * 85;
    const one = cost(wrong, [...tools.keys()].slice(0, 1));
    expect(one).toBeLessThan(table / 10);
    expect(cost(wrong, tools.keys())).toBeLessThan(200 * (one + 50));
  });

  it('has a bound, also where all names are near', () => {
    const near = Array.from({ length: 20_000 }, (_, n) => `${'abcdefghij'.repeat(8)}${n}`);
    const room = { cells: 100_000 };
    expect(nearestName(`${'abcdefghij'.repeat(8)}xy`, near, room)).toBe(near[0]);
    expect(room.cells).toBeGreaterThan(-10_000);
  });

  it('is paid once for the same wrong name', () => {
    const room = { cells: 1e9 };
    const wrong = [...tools.keys()].map((name) => name.replace('lookup', 'lokoup'));
    const first = wrong.map((name) => nearestTool(name, tools, room));
    expect(first).toEqual([...tools.keys()]);
    const paid = room.cells;
    expect(wrong.map((name) => nearestTool(name, tools, room))).toEqual(first);
    for (let n = 0; n < 3; n++) expect(nearestTool('nothing like it at all', tools, room)).toBeNull();
    expect(paid - room.cells).toBeLessThan(300);
  });
});
