/** Numbers as they are written: groups, decimals, percent, thousands and millions, units. Pure. */
import { isDigit, joinedEnd, thin } from './figure-signs.ts';
import type { Figure, Value } from './figures.ts';

/** More digits than a number keeps: such a run is compared as a text. */
const mostDigits = 15;
/** In code units: of what stands behind a number. */
const behind = 12;

/**
 * The number that begins here, or the numbers of a list such as `1,2,3`; null where an id begins.
 */
export function numberAt(text: string, from: number): readonly Figure[] | null {
  const end = numberEnd(text, from);
  const tail = text.slice(end, joinedEnd(text, end));
  if (!isUnit(tail)) return null;
  const written = text.slice(from, end);
  const readings = readingsOf(written);
  const pieces = written.split(',');
  if (readings.length === 0 && pieces.length > 1) return listOf(pieces, from);
  if (readings.length === 0) return null; // a version, an address, a run of many digits
  const scale = scaleAt(text, end, tail);
  const isPercent = /^ ?(?:%|per ?cent\b)/i.test(text.slice(end, end + behind)) || text.endsWith('百分之', from);
  const values = readings.flatMap((reading) => [
    reading,
    ...(scale === 1 ? [] : [scaled(reading, scale)]),
    ...(isPercent ? [scaled(reading, 0.01)] : []),
  ]);
  const isBare = scale === 1 && !isPercent && (tail === '' || isOrdinal(tail) || tail.startsWith('-'));
  const isPriced =
    money.includes(text.charAt(from - 1) || ' ') ||
    money.includes(
      text
        .slice(end, end + 2)
        .trimStart()
        .charAt(0) || ' ',
    );
  return [
    {
      from,
      to: end + tail.length,
      any: [...values, { word: written }],
      parts: pieces.length > 1 ? pieces.map(readingsOf) : [],
      also: [{ word: (written + tail).toLowerCase() }, ...pieces.flatMap(readingsOf)],
      isSmall: isBare && !isPriced && /^(?:\d|10)$/.test(written),
    },
  ];
}

/** The numbers that a run of digits may stand for, inside an id. */
export function numbersIn(written: string): readonly Value[] {
  return written.length <= mostDigits ? readingsOf(written) : [];
}

function listOf(pieces: readonly string[], from: number): readonly Figure[] {
  let at = from;
  return pieces.map((piece) => {
    const begins = at;
    at += piece.length + 1;
    const any = readingsOf(piece);
    const word = { word: piece };
    return {
      from: begins,
      to: begins + piece.length,
      any: any.length === 0 ? [word] : any,
      parts: [],
      also: [word],
      isSmall: /^(?:\d|10)$/.test(piece),
    };
  });
}

/** Behind the digits, and the signs between them that are each followed by a digit. A long run is left at a sign. */
function numberEnd(text: string, from: number): number {
  let at = from;
  while (isDigitAt(text, at) || (at - from < longestRun && isJoined(text, at))) at++;
  return at;
}

function isJoined(text: string, at: number): boolean {
  return joins.includes(text.charAt(at) || ' ') && isDigitAt(text, at + 1);
}

/** In code units: whoever reads it again must not read far. */
const longestRun = 64;
const joins = `.,'${thin}`;
const money = '$€£¥₹₩';

type Quantity = Extract<Value, { number: number }>;

/**
 * `1.234` is one and a bit, or a thousand and more. None where it is no number: a list, a version, an address, or more digits
 * than a number keeps.
 */
function readingsOf(written: string): readonly Quantity[] {
  if (written.length > 40 || !isDigitAt(written, 0)) return [];
  const grouped = written.replaceAll("'", thin).split(thin);
  if (grouped.length > 1 && !grouped.slice(1).every((group, index) => isGroup(group, index === grouped.length - 2)))
    return [];
  const joined = grouped.join('');
  const last = Math.max(joined.lastIndexOf('.'), joined.lastIndexOf(','));
  if (last < 0) return quantity(joined, '');
  const sign = joined.charAt(last);
  const before = joined.slice(0, last);
  const decimals = joined.slice(last + 1);
  const other = sign === '.' ? ',' : '.';
  if (before.includes(other)) return isGrouped(before, other) ? quantity(before.replaceAll(other, ''), decimals) : [];
  if (before.includes(sign)) return isGrouped(joined, sign) ? quantity(joined.replaceAll(sign, ''), '') : [];
  const asGroups = isGrouped(joined, sign) ? quantity(before + decimals, '') : [];
  return [...quantity(before, decimals), ...asGroups];
}

/** The last group may have decimals behind it. */
function isGroup(group: string, isLast: boolean): boolean {
  return isLast ? /^\d{3}(?:[.,]\d+)?$/.test(group) : /^\d{3}$/.test(group);
}

function isGrouped(written: string, sign: string): boolean {
  const [first = '', ...groups] = written.split(sign);
  return /^[1-9]\d{0,2}$/.test(first) && groups.every((group) => /^\d{3}$/.test(group));
}

function quantity(whole: string, decimals: string): readonly Quantity[] {
  if (whole.length > mostDigits) return [];
  const number = Number(decimals === '' ? whole : `${whole}.${decimals}`);
  return Number.isFinite(number) ? [{ number, step: 10 ** -decimals.length }] : [];
}

function scaled({ number, step }: Quantity, by: number): Quantity {
  return { number: number * by, step: step * by };
}

/** Nothing, a unit such as `ms`, the end of `1st` and of `3-month`, or the power of `1e6`. */
function isUnit(tail: string): boolean {
  return tail.length <= 40 && (/^[A-Za-z-]*$/.test(tail) || isPower(tail));
}

function isPower(tail: string): boolean {
  return /^[eE]-?\d{1,3}$/.test(tail);
}

function isOrdinal(tail: string): boolean {
  return ['st', 'nd', 'rd', 'th'].includes(tail);
}

/** 1 where no word for a power of ten follows. */
function scaleAt(text: string, end: number, tail: string): number {
  if (isPower(tail)) return 10 ** Number(tail.slice(1));
  const word = /^ ?([a-z]{1,9})\b/i.exec(text.slice(end, end + behind))?.[1] ?? '';
  const power = tail !== '' || word.length > 1 ? (powers.get(word) ?? powers.get(word.toLowerCase())) : undefined;
  if (power !== undefined) return power;
  const chinese = text.slice(end, end + 3).trimStart();
  return chinesePowers.find(([sign]) => chinese.startsWith(sign))?.[1] ?? 1;
}

const powers: ReadonlyMap<string, number> = new Map([
  ...(['k', 'K', 'thousand'] as const).map((word) => [word, 1e3] as const),
  ...(['M', 'mn', 'mio', 'million', 'millions'] as const).map((word) => [word, 1e6] as const),
  ...(['B', 'bn', 'billion', 'billions'] as const).map((word) => [word, 1e9] as const),
  ...(['T', 'tn', 'trillion', 'trillions'] as const).map((word) => [word, 1e12] as const),
]);

const chinesePowers = [
  ['万亿', 1e12],
  ['千万', 1e7],
  ['百万', 1e6],
  ['亿', 1e8],
  ['万', 1e4],
  ['千', 1e3],
] as const;

function isDigitAt(text: string, at: number): boolean {
  return isDigit(text.charCodeAt(at));
}
