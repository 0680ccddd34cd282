/**
 * Cuts a stream into the tags of the dialect `tags`, the labels that begin a line, and the text between.
 * What counts as a tag does not depend on where it stands; that is for the reader to judge. Pure, one pass: of each
 * piece only a short end, in which a tag or a label may be unfinished, is looked at again.
 */
import { isDecoration, type Label, labelAt, labelHeadLength, mayBecomeLabel, mayBeginLabel } from './labels.ts';
import { isNameCode, type NameTable, type TagRole } from './tags-names.ts';

export interface Tag {
  readonly role: TagRole;
  /** In lower case. */
  readonly name: string;
  readonly closes: boolean;
  /** Where it stands in the reply, and behind it. */
  readonly at: number;
  readonly end: number;
  readonly text: string;
  /** Only white space stands before it on its line. */
  readonly startsLine: boolean;
}

export interface TagHandler {
  /** Text between, in pieces that depend on how the stream is cut. */
  text(part: string): void;
  tag(tag: Tag): void;
  /** A label such as `Observation:` begins a line here; how much white space behind it is in `text` depends on the cut. */
  label(label: Label, at: number, text: string): void;
}

export interface TagFeed {
  feed(chunk: string): void;
  end(): void;
}

/** Longer tags, in code units, are text. */
const longestTag = 240;
/** White space inside `< / name`. */
const longestGap = 4;

interface State {
  readonly handler: TagHandler;
  readonly names: NameTable;
  /** What was not handed on yet. */
  pending: string;
  /** Where it stands in the reply. */
  base: number;
  /** A line begins here, and was not looked at. */
  lineStarts: boolean;
  /** Only white space so far on this line. */
  lineBlank: boolean;
  /** The next `<` and the next line break in what is pending, or its end; -1 where they must be looked for. */
  bracketAt: number;
  breakAt: number;
  ended: boolean;
}

/** `base`: where in the reply the text begins that is fed. */
export function createTagFeed(handler: TagHandler, names: NameTable, base = 0): TagFeed {
  const line = { lineStarts: base === 0, lineBlank: true };
  const state: State = { handler, names, pending: '', base, ...line, bracketAt: -1, breakAt: -1, ended: false };
  return {
    feed(chunk) {
      if (chunk === '') return;
      state.pending = state.pending === '' ? chunk : state.pending + chunk;
      advance(state);
    },
    end() {
      state.ended = true;
      advance(state);
    },
  };
}

function advance(state: State): void {
  const { pending, base, handler } = state;
  state.bracketAt = -1;
  state.breakAt = -1;
  let from = 0;
  let at = 0;
  while (at < pending.length) {
    const found = state.lineStarts ? labelHere(state, at) : tagHere(state, at);
    if (found === 'unknown') break;
    if (found === null) {
      at = pass(state, at);
      continue;
    }
    if (at > from) handler.text(pending.slice(from, at));
    from = handOn(state, found, at);
    at = from;
  }
  if (at > from) handler.text(pending.slice(from, at));
  state.pending = pending.slice(at);
  state.base = base + at;
}

/** Returns the position in what is pending behind the tag or label. */
function handOn(state: State, found: Tag | Label, at: number): number {
  const { pending, base, handler } = state;
  const isTag = 'role' in found;
  const end = isTag ? found.end - base : at + found.contentAt;
  // What stands behind a thought begins anew: a label may follow on the same line.
  state.lineStarts = isTag && found.closes && (found.role === 'thought' || found.role === 'thinking');
  state.lineBlank = false;
  if (isTag) handler.tag(found);
  else handler.label(found, base + at, pending.slice(at, end));
  return end;
}

/** No label begins at the start of a line, or no tag at a character: goes on to where the next one may. */
function pass(state: State, at: number): number {
  if (state.lineStarts) {
    state.lineStarts = false;
    return at;
  }
  const { pending } = state;
  if (pending.charCodeAt(at) === 10) {
    state.lineStarts = true;
    state.lineBlank = true;
    return at + 1;
  }
  const next = nextStart(state, at + 1);
  for (let index = at; state.lineBlank && index < next; index++)
    state.lineBlank = isLineSpace(pending.charCodeAt(index));
  return next;
}

/** The next `<` or line break from a position, or the end of what is pending. Each is looked for once. */
function nextStart(state: State, from: number): number {
  const { pending } = state;
  if (state.bracketAt < from) state.bracketAt = orEnd(pending, pending.indexOf('<', from));
  if (state.breakAt < from) state.breakAt = orEnd(pending, pending.indexOf('\n', from));
  return Math.min(state.bracketAt, state.breakAt);
}

function orEnd(text: string, at: number): number {
  return at < 0 ? text.length : at;
}

function isLineSpace(code: number): boolean {
  return code === 32 || code === 9 || code === 13;
}

/** `unknown`: more text decides. */
type Found<T> = T | null | 'unknown';

/** The label with which the line goes on. No sign of a label is a bracket, so that one decides. */
function labelHere({ pending, ended }: State, at: number): Found<Label> {
  const limit = Math.min(at + labelHeadLength, pending.length);
  const first = skipFiller(pending, at, limit);
  if (first < limit && !mayBeginLabel(pending.charAt(first))) return null;
  const head = pending.slice(at, limit);
  const stop = head.search(/[\n<]/);
  const line = stop < 0 ? head : head.slice(0, stop);
  const label = labelAt(line);
  if (label !== null) return label;
  return stop >= 0 || ended || head.length === labelHeadLength || !mayBecomeLabel(line) ? null : 'unknown';
}

/** Over white space, Markdown and digits. A line break is none of them. */
function skipFiller(text: string, from: number, limit: number): number {
  let index = from;
  while (index < limit && isFiller(text.charCodeAt(index))) index++;
  return index;
}

function isFiller(code: number): boolean {
  return isLineSpace(code) || isDecoration(code) || (code >= 48 && code <= 57) || code === 11 || code === 12;
}

function tagHere(state: State, at: number): Found<Tag> {
  const { pending, base, names, ended } = state;
  if (pending.charCodeAt(at) !== 60) return null;
  const unfinished = ended ? null : 'unknown';
  let index = skipGap(pending, at + 1);
  const closes = pending.charCodeAt(index) === 47;
  if (closes) index = skipGap(pending, index + 1);
  const nameAt = index;
  while (index - nameAt <= names.longest && index < pending.length && isNameCode(pending.charCodeAt(index))) index++;
  if (index === pending.length) return unfinished;
  const name = pending.slice(nameAt, index).toLowerCase();
  const role = names.roles.get(name);
  if (role === undefined || pending.charCodeAt(index) === 61) return null;
  const close = closingBracket(pending, index, at + longestTag);
  if (close < 0) return close === -1 ? null : unfinished;
  const attributes = pending.slice(index, close).trim();
  if (attributes !== '' && (closes || !attributes.includes('='))) return null;
  const text = pending.slice(at, close + 1);
  return { role, name, closes, at: base + at, end: base + close + 1, text, startsLine: state.lineBlank };
}

function skipGap(text: string, from: number): number {
  let index = from;
  while (index - from < longestGap && (text.charCodeAt(index) === 32 || text.charCodeAt(index) === 9)) index++;
  return index;
}

/** Over attributes to `>`. -1 where no tag ends here: a line break, another `<`, `/>`, too long. -2 where text ends. */
function closingBracket(text: string, from: number, limit: number): number {
  for (let at = from; at < limit; at++) {
    if (at >= text.length) return -2;
    const code = text.charCodeAt(at);
    if (code === 62) return text.charCodeAt(at - 1) === 47 ? -1 : at;
    if (code === 60 || code === 10) return -1;
  }
  return -1;
}
