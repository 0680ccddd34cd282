/**
 * Dates and times of day as they are written, in English and Chinese and in figures. Each is read by what it means; where day
 * and month may be either, as both. Patterns see at most 48 code units. Pure; no clock is read.
 */
import { isDigit } from './figure-signs.ts';
import type { Figure, Value } from './figures.ts';

const longest = 48;

/** The date or the time that begins here, or null. */
export function momentAt(text: string, from: number): Figure | null {
  const isNumeric = isDigit(text.charCodeAt(from));
  if (!isNumeric && monthNamed(text.slice(from, from + 3)) === null) return null;
  const head = text.slice(from, from + longest);
  for (const read of isNumeric ? numericForms : namedForms) {
    const moment = read(head);
    if (moment !== null)
      return { isSmall: false, any: [], parts: [], also: [], ...moment, from, to: from + moment.length };
  }
  return null;
}

type Moment = Partial<Pick<Figure, 'any' | 'parts' | 'also'>> & { readonly length: number };
type Form = (head: string) => Moment | null;

const zone = String.raw`(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?: ?(Z|UTC|[+-]\d{2}:?\d{2}))?)?`;
const isoPattern = new RegExp(String.raw`^(\d{4})-(\d{2})-(\d{2})${zone}(?![\d-])`);

/** `2026-11-30`, `2026-11-30T10:00:00+01:00`: with a zone, what it is in UTC as well. */
const iso: Form = (head) => {
  const found = isoPattern.exec(head);
  if (found === null) return null;
  const [whole, year, month, day, hour, minute, second, offset] = found;
  const date = dateOf(Number(year), Number(month), Number(day));
  if (date === null) return null;
  if (hour === undefined || minute === undefined) return { length: whole.length, ...date };
  const time = timeOf(Number(hour), Number(minute), second);
  if (time === null) return null;
  const elsewhere = offset === undefined ? null : inUtc(`${year}-${month}-${day}T${hour}:${minute}`, second, offset);
  return {
    length: whole.length,
    parts: [
      [...date.any, ...(elsewhere?.date.any ?? [])],
      [...time, ...(elsewhere?.time ?? [])],
    ],
    also: [...date.also, ...date.parts.flat(), minuteOf(Number(hour), Number(minute)), ...(elsewhere?.date.also ?? [])],
  };
};

function inUtc(local: string, second: string | undefined, offset: string) {
  const shift = /^([+-])(\d{2}):?(\d{2})$/.exec(offset);
  if (shift === null) return null;
  const minutes = (Number(shift[2]) * 60 + Number(shift[3])) * (shift[1] === '-' ? -1 : 1);
  const at = new Date(Date.parse(`${local}:00Z`) - minutes * 60_000);
  const date = dateOf(at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate());
  const time = timeOf(at.getUTCHours(), at.getUTCMinutes(), second);
  return date === null || time === null ? null : { date, time };
}

/** `2026/11/30`, `2026.11.30`, `2026年11月30日`, `2026年11月` */
const yearFirst: Form = (head) => {
  const found =
    /^(\d{4})([/.])(\d{1,2})\2(\d{1,2})(?![\d./])/.exec(head) ??
    /^(\d{4}) ?(年) ?(\d{1,2}) ?月(?: ?(\d{1,2}) ?[日号])?/.exec(head);
  if (found === null) return null;
  const [whole, year, , month, day] = found;
  return sized(
    whole,
    day === undefined ? monthOf(Number(year), Number(month)) : dateOf(Number(year), Number(month), Number(day)),
  );
};

/** `2026-11`: a month, or an id, or from one number to another. */
const yearAndMonth: Form = (head) => {
  const found = /^(\d{4})-(\d{2})(?![\w-])/.exec(head);
  if (found === null) return null;
  const month = monthOf(Number(found[1]), Number(found[2]));
  return month === null ? null : { length: found[0].length, any: [...month.any, { word: found[0] }], also: month.also };
};

/** `11/30/2026`, `30.11.2026`, `30-11-2026`, `11/30/26` */
const yearLast: Form = (head) => {
  const found =
    /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?![\w./-]\d)/.exec(head) ??
    /^(\d{1,2})(\/)(\d{1,2})\/(\d{2})(?![\d/])/.exec(head);
  if (found === null) return null;
  const [whole, first, , second, written = ''] = found;
  const year = written.length === 2 ? 2000 + Number(written) : Number(written);
  const readings = [dateOf(year, Number(first), Number(second)), dateOf(year, Number(second), Number(first))];
  const dates = readings.filter((date) => date !== null);
  if (dates.length === 0) return null;
  return {
    length: whole.length,
    any: dates.flatMap(({ any }) => any),
    also: dates.flatMap(({ also, parts }) => [...also, ...parts.flat()]),
  };
};

/** `11月30日` */
const chineseDay: Form = (head) => {
  const found = /^(\d{1,2}) ?月 ?(\d{1,2}) ?[日号]/.exec(head);
  return found === null ? null : sized(found[0], dayOf(Number(found[1]), Number(found[2])));
};

/** `30 Nov 2026`, `30th of November` */
const dayFirst: Form = (head) => {
  const found = /^(\d{1,2})(?:st|nd|rd|th|\.)?[ -](?:of )?([A-Z][a-z]{2,8})\b\.?(?:,?[ -](\d{4})\b)?/.exec(head);
  return found === null ? null : withMonth(found[0], found[2], found[1], found[3]);
};

/** `November 30, 2026`, `Nov 30` */
const monthFirst: Form = (head) => {
  const found = /^([A-Z][a-z]{2,8})\b\.? (\d{1,2})(?:st|nd|rd|th)?\b(?![.:]\d)(?:,? (\d{4})\b)?/.exec(head);
  return found === null ? null : withMonth(found[0], found[1], found[2], found[3]);
};

/** `November 2026` */
const monthAndYear: Form = (head) => {
  const found = /^([A-Z][a-z]{2,8})\b\.?,? (\d{4})\b/.exec(head);
  const month = monthNamed(found?.[1] ?? '');
  return found === null || month === null ? null : sized(found[0], monthOf(Number(found[2]), month));
};

/** `10:00`, `10:00:15`, `3 pm`, `3:30 p.m.` */
const timeOfDay: Form = (head) => {
  const found = /^(\d{1,2})(?::(\d{2})(?::(\d{2}))?)?(?![\d:])(?: ?([ap])\.?m\b\.?)?/i.exec(head);
  if (found === null) return null;
  const [whole, hour = '', minute, second, half] = found;
  if (minute === undefined && half === undefined) return null;
  const given = Number(hour);
  if (half !== undefined && (given < 1 || given > 12)) return null;
  const shift = half === undefined ? 0 : (half.toLowerCase() === 'p' ? 12 : 0) - (given === 12 ? 12 : 0);
  const any = timeOf(given + shift, Number(minute ?? 0), second);
  if (any === null) return null;
  const numbers = [hour, minute, second].flatMap((part) => (part === undefined ? [] : [[counted(Number(part))]]));
  return {
    length: whole.length,
    any,
    parts: half === undefined ? numbers : [],
    also: [minuteOf(given + shift, Number(minute ?? 0)), ...numbers.flat()],
  };
};

const numericForms: readonly Form[] = [iso, yearFirst, yearAndMonth, yearLast, chineseDay, dayFirst, timeOfDay];
const namedForms: readonly Form[] = [monthFirst, monthAndYear];

function withMonth(whole: string, name = '', day = '', year: string | undefined): Moment | null {
  const month = monthNamed(name);
  if (month === null) return null;
  return sized(whole, year === undefined ? dayOf(month, Number(day)) : dateOf(Number(year), month, Number(day)));
}

function sized(whole: string, moment: Dated | null): Moment | null {
  return moment === null ? null : { length: whole.length, ...moment };
}

// What is compared.

interface Dated {
  readonly any: readonly Value[];
  readonly parts: readonly (readonly Value[])[];
  readonly also: readonly Value[];
}

/** The day and the year may be said in two places. */
function dateOf(year: number, month: number, day: number): Dated | null {
  const inYear = dayOf(month, day);
  if (inYear === null) return null;
  const months = monthOf(year, month);
  return {
    any: [{ word: `date ${year}-${month}-${day}` }],
    parts: [inYear.any, [counted(year)]],
    also: [...inYear.also, ...(months?.any ?? []), counted(year)],
  };
}

function dayOf(month: number, day: number): Dated | null {
  if (month < 1 || month > 12 || day < 1 || day > 31) return null;
  return { any: [{ word: `day ${month}-${day}` }], parts: [], also: [counted(day)] };
}

function monthOf(year: number, month: number): Dated | null {
  if (month < 1 || month > 12) return null;
  return { any: [{ word: `month ${year}-${month}` }], parts: [], also: [counted(year)] };
}

/** The minute; with seconds the second alone, in whose minute it is. */
function timeOf(hour: number, minute: number, second: string | undefined): readonly Value[] | null {
  if (hour > 24 || minute > 59) return null;
  if (second === undefined || Number(second) === 0) return [minuteOf(hour, minute)];
  return [{ word: `time ${hour}:${minute}:${Number(second)}` }];
}

function minuteOf(hour: number, minute: number): Value {
  return { word: `time ${hour}:${minute}` };
}

function counted(number: number): Value {
  return { number, step: 1 };
}

const fullNames = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const monthNames = fullNames.map((name) => name.slice(0, 3));

/** From 1; null where it is no name of a month. Three letters are enough, but what follows must fit. */
function monthNamed(written: string): number | null {
  const name = written.toLowerCase();
  const month = monthNames.indexOf(name.slice(0, 3));
  const fits = name === 'sept' || name.length === 3 || name === fullNames[month];
  return month >= 0 && fits ? month + 1 : null;
}
