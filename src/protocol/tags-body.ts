/**
 * Follows the inside of a tag while it streams, to tell a tag that ends it from one that is text in a JSON string. Pure;
 * each character is looked at once.
 */
import { isBlank, isSpace, skipSpaces, skipSpacesBack } from './labels.ts';
import { beginsParameters } from './tags-parameters.ts';
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
  /** A value, or a call in tags of its own, has begun. */
  isBegun(): boolean;
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
  let inTags: boolean | null = null;

  /** Where the value begins in a piece, or -1. */
  function valueAt(part: string): number {
    if (starts === 'never') return -1;
    if (starts === 'bracket') noticeTags(part);
    if (starts === 'bracket') return part.search(/[{[(]/);
    if (inTags !== null) return -1;
    let at = 0;
    while (at < part.length && isSpace(part.charCodeAt(at))) at++;
    if (at === part.length) return -1;
    if (part.charCodeAt(at) === 123) return at;
    starts = 'never';
    return -1;
  }

  /** A call in tags of its own begins with one, or with a name and one; an argument in such a tag may be any text. */
  function noticeTags(part: string): void {
    if (inTags !== null || isBlank(part)) return;
    const isParameters = beginsParameters(part);
    inTags = isParameters || part.charCodeAt(skipSpaces(part, 0)) === 60;
    if (isParameters) starts = 'never';
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
    isBegun: () => tracker !== null || inTags === true,
  };
}
