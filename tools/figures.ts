/**
 * Finds the numbers, dates and ids of a text, and what each may mean. One scan: each place is looked at a bounded number of
 * times, and patterns see slices of bounded length. Pure and total.
 */
import { momentAt } from './figure-moments.ts';
import { numberAt, numbersIn } from './figure-numbers.ts';
import { hasDigit, idEnd, isDigit, isWordCode, plainSigns, wordEnd } from './figure-signs.ts';

/** A quantity with the size of its last digit, or what is compared as a text: a date, a time of day, an id. */
export type Value = { readonly number: number; readonly step: number } | { readonly word: string };

export interface Figure {
  readonly from: number;
  readonly to: number;
  /** What it may mean: one of them is enough. */
  readonly any: readonly Value[];
  /** Or, of each part, one of its meanings. */
  readonly parts: readonly (readonly Value[])[];
  /** What else is said where it stands. */
  readonly also: readonly Value[];
  /** A whole number from 0 to 10 that stands for itself: a count. */
  readonly isSmall: boolean;
}

/** Figures in their order. The places are those of the text, code unit for code unit. */
export function figuresIn(source: string): readonly Figure[] {
  const text = plainSigns(source);
  const figures: Figure[] = [];
  let listed = 0;
  let at = 0;
  while (at < text.length) {
    const number = startsLine(text, at) ? listNumber(text, at) : null;
    if (number !== null && (number === 1 || number === listed + 1)) {
      listed = number;
      at = wordEnd(text, at);
      continue;
    }
    at = takeAt(text, at, figures);
  }
  return figures;
}

/** Takes what begins here, and gives the place behind it. */
function takeAt(text: string, at: number, figures: Figure[]): number {
  const code = text.charCodeAt(at);
  if (code === 92) return isEscape(text.charAt(at + 1)) ? at + 2 : at + 1; // `\n` in a text of JSON
  if (!isWordCode(code)) return at + 1;
  const moment = momentAt(text, at);
  if (moment !== null) {
    figures.push(moment);
    return moment.to;
  }
  const end = idEnd(text, at);
  const numbers = isDigit(code) ? numberAt(text, at) : null;
  if (numbers !== null) {
    figures.push(...numbers);
    return numbers.at(-1)?.to ?? end;
  }
  const written = text.slice(at, end);
  if (hasDigit(written) && !isKey(text, end)) figures.push(idOf(written, at));
  return end;
}

/** An id is compared without case. Where the whole is said, its parts are said as well. */
function idOf(written: string, from: number): Figure {
  const word = written.toLowerCase();
  const dotted = word.split('.').filter(hasDigit);
  const pieces = [...dotted, ...word.split('-').filter(hasDigit), ...word.split(/[-_.]/).filter(hasDigit)];
  const ends = word.split('-');
  const isNumeric = ends.every(isWhole);
  return {
    from,
    to: from + written.length,
    any: isNumeric ? [{ word }, { word: ends.join('') }] : [{ word }],
    parts: isNumeric && ends.length === 2 ? ends.map(numbersIn) : named(dotted),
    also: [...pieces.map((piece) => ({ word: piece })), ...pieces.flatMap(numbersIn)],
    isSmall: false,
  };
}

/** `prod-1.example.com`: it is enough to know each part. Of a version or an address it is not. */
function named(dotted: readonly string[]): readonly (readonly Value[])[] {
  return dotted.some(isWhole) ? [] : dotted.map((piece) => [{ word: piece }]);
}

function isWhole(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (!isDigit(text.charCodeAt(at))) return false;
  return text !== '';
}

/** `"q3": …`: a name of the form, not of the world. */
function isKey(text: string, end: number): boolean {
  return text.startsWith('":', end) || text.startsWith('" :', end);
}

// Lists.

function startsLine(text: string, at: number): boolean {
  if (!isDigit(text.charCodeAt(at))) return false;
  let before = at - 1;
  while (before >= 0 && at - before <= 12 && text.charAt(before) === ' ') before--;
  return before < 0 || text.charAt(before) === '\n';
}

/** `3. `, `3) ` or `3、` at the beginning of a line. */
function listNumber(text: string, at: number): number | null {
  const found = /^(\d{1,3})(?:[.)]{1,2} |、)/.exec(text.slice(at, at + 8));
  return found === null ? null : Number(found[1]);
}

function isEscape(sign: string): boolean {
  return sign !== '' && 'nrtbf'.includes(sign);
}
