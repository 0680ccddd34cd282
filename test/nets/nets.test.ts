/**
 * A test of the nets: bugs are planted, one at a time, and each must be caught by the nets that say so in its row. The usual
 * run plants one of sixteen; `npm run test:nets` plants them all.
 */
import { expect, test } from 'vitest';
import { type Net, nets } from './bug.ts';
import { bugs } from './bugs.ts';
import { type Caught, plant, planted } from './plant.ts';

const timeout = 300_000;

const netsThatCaught = (caught: Caught): readonly Net[] => nets.filter((net) => caught[net] !== null);

test('nothing is caught where nothing is planted', { timeout }, async () => {
  expect(await plant(null)).toEqual({ explorer: null, walks: null, simulator: null });
});

const isLong = process.env.FUSELOOP_LONG === '1';

test.each(bugs.filter((_bug, place) => isLong || place % 16 === 0))('$what', { timeout }, async (bug) => {
  const caught = await plant(bug);
  expect(netsThatCaught(caught), JSON.stringify(caught, null, 2)).toEqual(bug.caughtBy);
});

test('every bug is caught, and every net catches', () => {
  expect(bugs.filter(({ caughtBy }) => caughtBy.length === 0)).toEqual([]);
  expect(new Set(bugs.flatMap(({ caughtBy }) => caughtBy))).toEqual(new Set(nets));
});

test('a bug whose text is not in its file, or twice, is not planted in silence', () => {
  const bug = { file: 'a.ts', find: 'x', replace: 'y' };
  expect(() => planted('abc', bug)).toThrow('"x" stands 0 times in a.ts.');
  expect(() => planted('xx', bug)).toThrow('"x" stands 2 times in a.ts.');
  expect(planted('axb', bug)).toBe('ayb');
});
