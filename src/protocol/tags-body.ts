/**
 * Follows the inside of a tag while it streams, to tell a tag that ends it from one that is text in a JSON string. Pure;
 * each character is looked at once.
 */
import { isBlank, isSpace, skipSpacesBack } from './labels.ts';
import { createTracker, type Tracker } from './tracker.ts';

/** `plain`: no value has begun. `open`, `string`: inside the value. `closed`: behind it. */
export type BodyState = 'plain' | 'open' | 'string' | 'closed';

export interface Body {
  /** Where it begins in the reply. */
  readonly from: number;
  add(part: string): void;
  /** Where all that was added ends. */
  state(): BodyState;
  /** The last sign that is not white space closes a bracket. */
  endsWithBracket(): boolean;
  /** Only white space was added. */
  isBlank(): boolean;
}

/**
 * What a value may begin with. `bracket`: any bracket in the text. `brace`: a brace, if it comes first. `never`: the text
 * is code or prose, and whatever looks like a value in it is not one.
 */
export type ValueStart = 'bracket' | 'brace' | 'never';

export function createBody(from: number, start: ValueStart): Body {
  let unread = '';
  let tracker: Tracker | null = null;
  let state: BodyState = 'plain';
  let blank = true;
  let last = 0;
  let starts = start;

  /** Where the value begins in a piece, or -1. */
  function valueAt(part: string): number {
    if (starts === 'never') return -1;
    if (starts === 'bracket') return part.search(/[{[(]/);
    let at = 0;
    while (at < part.length && isSpace(part.charCodeAt(at))) at++;
    if (at === part.length) return -1;
    if (part.charCodeAt(at) === 123) return at;
    starts = 'never';
    return -1;
  }

  function follow(part: string): void {
    const at = tracker === null ? valueAt(part) : 0;
    if (at < 0) return;
    tracker ??= createTracker();
    if (tracker.take(part, at) >= 0) state = 'closed';
    else state = tracker.inString() ? 'string' : 'open';
  }

  return {
    from,
    add(part) {
      blank = blank && isBlank(part);
      const end = skipSpacesBack(part, part.length);
      if (end > 0) last = part.charCodeAt(end - 1);
      if (starts !== 'never') unread += part;
    },
    state() {
      const part = unread;
      unread = '';
      if (part !== '' && state !== 'closed') follow(part);
      return state;
    },
    endsWithBracket: () => last === 125 || last === 93,
    isBlank: () => blank,
  };
}
