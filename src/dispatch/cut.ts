/** Cuts a text to the size of an observation: its head and its tail, with a mark between them. Pure. */
import { legible } from './legible.ts';
import type { Messages } from './messages.ts';

/** How long a text may be. */
export interface Cutter {
  fits(text: string): boolean;
  /** The longest start of the text that takes at most this share of the limit; `besides` stands beside it and counts. */
  start(text: string, share: number, besides: string): string;
  /** The longest end. */
  end(text: string, share: number, besides: string): string;
}

const headShare = 0.6;
/** A line end is near where at most this much of a part stands behind it (or, in the tail, before it). */
const near = { share: 0.2, characters: 300 } as const;

/**
 * The first 60 % and the last 40 % of what fits beside a mark, which says how long the whole is and how much is missing.
 * Cut at a line end where one is near, and never inside a character. The costs do not grow with the length of the text.
 */
export function cut(text: string, cutter: Cutter, messages: Messages): string {
  return wholeIfFits(text, cutter) ?? headAndTail(text, cutter, messages);
}

/** The text as it can be read; null where it has to be cut. */
export function wholeIfFits(text: string, cutter: Cutter): string | null {
  if (!cutter.fits(text)) return null;
  const whole = legible(text);
  return whole === text || cutter.fits(whole) ? whole : null;
}

export function headAndTail(text: string, cutter: Cutter, messages: Messages): string {
  const longestMark = `\n${messages.cut(0, text.length)}\n`;
  // What makes a text legible may take more room: then the part is cut once more.
  const start = (part: string) => cutter.start(part, headShare, longestMark);
  const end = (part: string) => cutter.end(part, 1 - headShare, longestMark);
  const head = toLineEnd(start(legible(start(text))));
  const tail = fromLineStart(end(legible(end(text.slice(head.length)))));
  const mark = messages.cut(head.length + tail.length, text.length);
  return [head.replace(/\r?\n$/, ''), mark, tail].filter((part) => part !== '').join('\n');
}

/** The head up to its last line end, where that is near. */
function toLineEnd(head: string): string {
  const last = head.lastIndexOf('\n');
  return last !== -1 && head.length - last - 1 <= nearIn(head) ? head.slice(0, last + 1) : head;
}

/** The tail from its first line on, where that begins near. */
function fromLineStart(tail: string): string {
  const first = tail.indexOf('\n');
  return first !== -1 && first <= nearIn(tail) ? tail.slice(first + 1) : tail;
}

function nearIn(part: string): number {
  return Math.min(near.characters, part.length * near.share);
}
