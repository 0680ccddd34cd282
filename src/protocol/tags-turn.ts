/** What is known of a reply in the dialect `tags` while it is read, and how its stops are reported. Pure. */
import type { JsonValue } from '../core/json.ts';
import type { Stop } from '../core/reading.ts';
import type { ReadOptions } from './dialect.ts';
import type { Form } from './form.ts';
import type { Label } from './labels.ts';
import { createMarkBook, type MarkBook } from './scanner.ts';
import type { Body } from './tags-body.ts';
import type { Tag } from './tags-feed.ts';
import type { NameTable } from './tags-names.ts';
import { thoughtText } from './tags-thought.ts';

export interface TagsOptions extends ReadOptions {
  readonly names: NameTable;
  readonly form: Form;
}

/** A stretch of the reply. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What the first step was read as; `unclosed`: its tag has no end, so that nothing tells whether it is whole. */
export type Found =
  | {
      readonly kind: 'call';
      readonly tool: string;
      readonly input: JsonValue | null;
      readonly repaired: boolean;
      readonly thought: string | null;
    }
  | { readonly kind: 'answer'; readonly answer: string; readonly thought: string | null }
  | { readonly kind: 'unreadable'; readonly tool?: string }
  | { readonly kind: 'no_tool' | 'unclosed' };

/**
 * `lead`: no step yet, and outside tags. `thought`, `observation`: inside such a tag. `step`: inside the tag of a call,
 * an input or an answer. `named`: a tool was named, and its input may follow. `rest`: the step is over.
 */
export type Mode = 'lead' | 'thought' | 'observation' | 'step' | 'named' | 'rest';

export interface Turn {
  readonly options: TagsOptions;
  readonly marks: MarkBook;
  readonly reply: ReplyText;
  mode: Mode;
  /** The tag whose inside is being read, or the one that named the tool. */
  opened: Tag | null;
  body: Body | null;
  /** The first tag in an open thought or observation with which the turn could go on; -1 where there is none. */
  resumeAt: number;
  /** The first closing tag that stood in a string. */
  closerInString: Tag | null;
  /** Thoughts in tags. */
  thoughts: Span[];
  /** Thinking that is set aside. */
  thinking: Span[];
  /** Text outside tags before the step. */
  prose: Span[];
  /** What is not kept: thinking, and what was made up. */
  cuts: Span[];
  /** Tags that say that nothing is called: they count only where no step follows. */
  passed: Span[];
  /** Observations that were made up before the step. */
  madeUp: Span[];
  /** Where the prose goes on that is not in `prose` yet. */
  proseFrom: number;
  /** Where a made-up observation begins that has not ended; -1 where there is none. */
  madeUpFrom: number;
  /** Its label; null where it stands in tags. */
  madeUpBehind: Label | null;
  /** Behind the last tag before the step; 0 where there is none. */
  tagsEnd: number;
  thought: string | null;
  tool: string;
  found: Found | null;
  stepAt: number;
  /** Behind what was used of the step; the rest is dropped. */
  end: number;
  /** Behind the step and its closing tag. */
  keptEnd: number;
  /** An observation was begun behind the call, and nothing of it met yet. */
  observing: boolean;
  /** The stop that carries the call was reported. */
  settled: boolean;
}

export function createTurn(options: TagsOptions): Turn {
  return {
    options,
    marks: createMarkBook(),
    reply: createReplyText(),
    mode: 'lead',
    opened: null,
    body: null,
    resumeAt: -1,
    closerInString: null,
    thoughts: [],
    thinking: [],
    prose: [],
    cuts: [],
    passed: [],
    madeUp: [],
    proseFrom: 0,
    madeUpFrom: -1,
    madeUpBehind: null,
    tagsEnd: 0,
    thought: null,
    tool: '',
    found: null,
    stepAt: 0,
    end: 0,
    keptEnd: 0,
    observing: false,
    settled: false,
  };
}

/** What was made up, if anything is being made up, ends at a position. */
export function endMadeUp(turn: Turn, to: number): void {
  if (turn.madeUpFrom < 0) return;
  const span = { from: turn.madeUpFrom, to };
  turn.cuts.push(span);
  turn.madeUp.push(span);
  turn.madeUpFrom = -1;
  turn.madeUpBehind = null;
}

export interface ReplyText {
  add(chunk: string): void;
  /** All that was added. To be looked at a bounded number of times a reply: only then is it copied together. */
  text(): string;
}

function createReplyText(): ReplyText {
  let whole = '';
  return {
    add(chunk) {
      whole += chunk;
    },
    text: () => whole,
  };
}

/** The thought in tags; else the one in the call's JSON; else the prose before the step, or the thinking; or null. */
export function thoughtOf(turn: Turn): string | null {
  const inside = turn.found !== null && 'thought' in turn.found ? turn.found.thought : null;
  return thoughtText(turn, inside);
}

/** Tells of a stop, once a reply for each kind; the first behind the call carries it. */
export function report(turn: Turn, stop: Stop): void {
  const { found, marks } = turn;
  if (turn.settled || marks.reported(stop)) return;
  if (found === null) return marks.report(stop, turn.thought, []);
  if (found.kind !== 'call') return;
  marks.report('action', turn.thought, []);
  marks.report(stop, thoughtOf(turn), [callOf(found)]);
  turn.settled = true;
}

export function callOf({ tool, input, repaired }: Found & { readonly kind: 'call' }) {
  return { tool, input, ...(repaired ? { repaired: true } : {}) };
}
