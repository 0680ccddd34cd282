/** A long result keeps its head and its tail, cut at characters and line ends, and says how much is missing. */
import { fc, it as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { countTokens } from '../../src/context/tokens.ts';
import { gives, told } from './told.ts';

const mark = /… \[truncated: (\d+) of (\d+) characters are not shown here\] …/;

/** Head, tail, and the two numbers of the mark. */
function parts(observation: string): { head: string; tail: string; missing: number; whole: number } {
  const found = mark.exec(observation);
  if (found === null) throw new Error(`There is no mark in ${JSON.stringify(observation.slice(0, 200))}`);
  const head = observation.slice(0, found.index).replace(/\n$/, '');
  const tail = observation.slice(found.index + found[0].length).replace(/^\n/, '');
  return { head, tail, missing: Number(found[1]), whole: Number(found[2]) };
}

const cutTo = async (value: string, sizes: { maxObservationTokens?: number; maxObservationChars?: number }) =>
  (await told(gives(value), { sizes })).observation;

describe('cutting', () => {
  it('leaves alone what fits, to the last character', async () => {
    expect(await cutTo('x'.repeat(500), { maxObservationChars: 500 })).toBe('x'.repeat(500));
    expect(await cutTo('x'.repeat(400), { maxObservationTokens: 100 })).toBe('x'.repeat(400));
  });

  it('shows the first 60 % and the last 40 % of what fits beside the mark', async () => {
    const text = Array.from({ length: 10_000 }, (_, index) => String.fromCharCode(97 + (index % 26))).join('');
    const observation = await cutTo(text, { maxObservationChars: 1_000 });
    const { head, tail, missing, whole } = parts(observation);
    expect(observation.length).toBeGreaterThan(980);
    expect(observation.length).toBeLessThanOrEqual(1_000);
    expect(head.length / (head.length + tail.length)).toBeCloseTo(0.6, 2);
    expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
    expect([missing, whole]).toEqual([10_000 - head.length - tail.length, 10_000]);
  });

  it.each([
    ['characters', { maxObservationChars: 800, maxObservationTokens: 100_000 }],
    ['tokens', { maxObservationChars: 100_000, maxObservationTokens: 200 }],
  ])('keeps the smaller limit: %s', async (_what, sizes) => {
    const observation = await cutTo('word '.repeat(5_000), sizes);
    expect(observation.length).toBeLessThanOrEqual(800);
    expect(observation.length).toBeGreaterThan(780);
  });

  it('cuts at line ends where one is near', async () => {
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index} of the log`);
    const { head, tail } = parts(await cutTo(lines.join('\n'), { maxObservationChars: 2_000 }));
    for (const line of [...head.split('\n'), ...tail.split('\n')]) expect(lines).toContain(line);
  });

  it('does not look far for a line end', async () => {
    const { head, tail } = parts(await cutTo(`a\n${'x'.repeat(5_000)}\nb`, { maxObservationChars: 1_000 }));
    expect(head.length).toBeGreaterThan(500);
    expect(tail.length).toBeGreaterThan(300);
  });

  it.each(Array.from({ length: 8 }, (_, index) => 200 + index))(
    'never cuts inside a character: limit %i',
    async (maxObservationChars) => {
      const { head, tail, missing } = parts(await cutTo('\u{1f600}'.repeat(1_000), { maxObservationChars }));
      expect(head + tail).toBe('\u{1f600}'.repeat((2_000 - missing) / 2));
    },
  );

  it.each([0, 1, 5])('says so even where nothing fits: limit %i', async (maxObservationChars) => {
    expect(await cutTo('x'.repeat(100), { maxObservationChars })).toBe(
      '… [truncated: 100 of 100 characters are not shown here] …',
    );
  });

  it('says it in Chinese where the agent speaks it', async () => {
    const { observation } = await told(gives('价'.repeat(9_000)), { language: 'zh' });
    expect(observation).toMatch(/… \[已截断：共 9000 个字符，其中 \d+ 个未显示\] …/);
  });

  it('counts what is not legible as it will be sent', async () => {
    expect(countTokens(await cutTo('\0'.repeat(9_000), { maxObservationTokens: 300 }))).toBeLessThanOrEqual(300);
  });
});

const pieces = fc.constantFrom(
  'a',
  ' ',
  '\n',
  '\r\n',
  '价',
  '\u{1f600}',
  '\0',
  '\ud800',
  '{"x":1}',
  'word '.repeat(50),
);
const texts = fc.array(pieces, { maxLength: 400 }).map((each) => each.join(''));

property.prop([texts, fc.integer({ min: 100, max: 2_000 }), fc.integer({ min: 40, max: 500 })], { numRuns: 150 })(
  'any text keeps both limits, loses nothing silently, and is well formed',
  async (text, maxObservationChars, maxObservationTokens) => {
    const { observation } = await told(gives(`>${text}`), { sizes: { maxObservationChars, maxObservationTokens } });
    expect(observation.length).toBeLessThanOrEqual(maxObservationChars);
    expect(countTokens(observation)).toBeLessThanOrEqual(maxObservationTokens);
    expect(encodeURIComponent(observation)).not.toBe('');
    if (!mark.test(observation)) {
      expect(observation.length).toBe(text.length + 1);
      return;
    }
    const { head, tail, missing, whole } = parts(observation);
    expect(whole).toBe(text.length + 1);
    // A line end beside the mark belongs to the mark.
    expect(head.length + tail.length + missing).toBeLessThanOrEqual(whole);
    expect(head.length + tail.length + missing).toBeGreaterThanOrEqual(whole - 2);
  },
);
