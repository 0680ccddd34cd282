/** The texts of the language that is chosen, and numbers and times as it writes them. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { LanguageName } from '../state/preferences.ts';
import { chinese } from './chinese.ts';
import { durationText } from './duration.ts';
import { english, type Texts } from './english.ts';
import type { Words } from './english-words.ts';

const languages: { readonly [name in LanguageName]: Texts } = { en: english, zh: chinese };

export const LanguageContext = createContext<LanguageName>('en');

export const textsOf = (language: LanguageName): Texts => languages[language];

export const useTexts = (): Texts => languages[useContext(LanguageContext)];

/** The word's text, or the word itself where it is of a later version. */
export function wordIn(words: Words, word: string): string {
  return Object.hasOwn(words, word) ? (words[word] ?? word) : word;
}

export interface Format {
  count(value: number): string;
  /** Short: `12.3k`. */
  short(value: number): string;
  /** Milliseconds: `412 ms`, `3.92 s`, `2 min 05 s`. */
  time(ms: number): string;
  /** Milliseconds since 1970, as a time of the day. */
  clock(ms: number): string;
  day(ms: number): string;
}

export function useFormat(): Format {
  return formats[useContext(LanguageContext)];
}

const formats: { readonly [name in LanguageName]: Format } = { en: formatOf(english), zh: formatOf(chinese) };

function formatOf({ locale, units }: Texts): Format {
  const count = new Intl.NumberFormat(locale);
  const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
  return {
    count: (value) => count.format(value),
    short: (value) => (value < 10_000 ? count.format(value) : short.format(value)),
    time: (ms) => durationText(ms, units),
    clock: (ms) => dated(clock, ms),
    day: (ms) => dated(day, ms),
  };
}

/** An instant that no calendar has throws in `format`. */
function dated(format: Intl.DateTimeFormat, ms: number): string {
  return Math.abs(ms) <= 8.64e15 ? format.format(ms) : String(ms);
}
