/** What is known of a reply in the dialect `json` while it is read, and how an object in it is taken. Pure. */
import { isJsonObject } from '../core/json.ts';
import type { ReadCall } from '../core/reading.ts';
import type { ReadOptions } from './dialect.ts';
import { createMadeUp, type Lead, leadOf, type MadeUp } from './json-lead.ts';
import { type JsonStep, looksLikeStep, type NoTool, stepOf } from './json-step.ts';
import { parseJson, repairJson } from './repair.ts';
import { createMarkBook, type LineFeed, type MarkBook } from './scanner.ts';
import { createThinking, type Thinking } from './thinking.ts';
import type { Tracker } from './tracker.ts';

/** `unreadable`: an object that was meant as a step, and that no repair reads. What stands behind it may build on it. */
type Found = Exclude<JsonStep, NoTool> | { readonly kind: 'unreadable'; readonly thought: string | null };

interface Skipped {
  readonly from: number;
  readonly to: number;
  /** It is kept: what the model thought stands in it. */
  readonly holdsThought: boolean;
}

export interface Turn {
  readonly options: ReadOptions;
  readonly feed: LineFeed;
  readonly marks: MarkBook;
  readonly thinking: Thinking;
  /** The lines before the object. */
  lead: string[];
  /** Follows the object that is open. */
  tracker: Tracker | null;
  /** Its lines so far. */
  object: string[];
  objectAt: number;
  /** The first line in the open object that would be a label outside a string; -1 where there is none. */
  firstLabelAt: number;
  found: Found | null;
  /** The first object of the form that is no step, and where it begins. */
  passed: { readonly step: NoTool; readonly at: number } | null;
  /** Where objects stand that are no part of the prose before the step. */
  skipped: Skipped[];
  repaired: boolean;
  /** Behind what was found, in the reply. */
  end: number;
  /** Objects that could not be read. */
  broken: number;
  /** An observation label was met behind the call, and nothing behind it yet. */
  observing: boolean;
  /** Observations that are made up before the step. */
  madeUp: MadeUp;
}

export function createTurn(options: ReadOptions, feed: LineFeed): Turn {
  const turn: Turn = {
    options,
    feed,
    marks: createMarkBook(),
    thinking: createThinking(() => {
      turn.madeUp = createMadeUp();
      return turn.lead.splice(0);
    }),
    lead: [],
    tracker: null,
    object: [],
    objectAt: 0,
    firstLabelAt: -1,
    found: null,
    passed: null,
    skipped: [],
    repaired: false,
    end: 0,
    broken: 0,
    observing: false,
    madeUp: createMadeUp(),
  };
  return turn;
}

/** A reply with more broken objects than this is not worth the time that a repair takes. */
const mostRepairs = 20;

/**
 * The open object ends at a position of the reply. What is no step is passed over. One that never closed may have been
 * cut: it counts only where nothing but closers is missing, and the input or the answer was written.
 */
export function takeObject(turn: Turn, end: number, isClosed: boolean): void {
  const text = turn.object.join('\n');
  turn.tracker = null;
  turn.object = [];
  const parsed = parseJson(text);
  const value =
    parsed ?? (turn.broken < mostRepairs ? repairJson(text.trimEnd(), isClosed ? 'any' : 'closers') : undefined);
  const isObject = isJsonObject(value);
  if (!isObject) turn.broken++;
  const step = isObject ? stepOf(value, turn.options.tools) : null;
  if (step?.kind === 'no_tool' && step.because !== 'unreadable' && isClosed) return passOver(turn, step, end);
  if (step?.kind === 'no_tool') turn.found = { kind: 'unreadable', thought: step.thought };
  else turn.found = isObject || !looksLikeStep(text) ? step : unreadable;
  if (!isClosed && isObject && turn.found !== null && !isSurelyWhole(turn.found)) {
    turn.found = unreadable;
    turn.broken++;
  }
  turn.repaired = parsed === undefined;
  turn.end = end;
}

/** An object in prose may only look like one of the form: where nothing tells that it was meant, it is part of the prose. */
function passOver(turn: Turn, step: NoTool, end: number): void {
  if (turn.passed === null || turn.passed.step.because === 'thought') {
    const thought = step.thought ?? turn.passed?.step.thought ?? null;
    turn.passed = { step: { ...step, thought }, at: turn.objectAt };
  }
  if (step.thought !== null || step.because === 'none')
    turn.skipped.push({ from: turn.objectAt, to: end, holdsThought: step.thought !== null });
}

function isSurelyWhole(step: Found): boolean {
  return (step.kind === 'call' || step.kind === 'answer') && step.isWhole;
}

const unreadable: Found = { kind: 'unreadable', thought: null };

export function callOf({ found, repaired }: Turn): ReadCall | null {
  if (found?.kind !== 'call') return null;
  return { tool: found.tool, input: found.input, ...(repaired ? { repaired: true } : {}) };
}

/** What stands before the object, or in the whole reply where no object was meant as a step. */
export function leadBefore(turn: Turn): Lead {
  const { passed, skipped } = turn;
  const reply = turn.feed.text();
  const from = turn.thinking.end();
  const isWhole = turn.found === null && turn.broken === 0;
  const end = isWhole ? reply.length : turn.objectAt;
  const lead = leadOf(without(skipped, reply, from, end));
  if (passed === null) return lead;
  if (isWhole && lead.answer === null)
    return { ...leadOf(reply.slice(from)), thought: leadOf(reply.slice(from, passed.at)).thought };
  const unused = skipped.filter(({ holdsThought }) => !holdsThought);
  return { ...lead, kept: leadOf(without(unused, reply, from, end)).kept };
}

function without(cuts: readonly Skipped[], reply: string, start: number, end: number): string {
  const parts: string[] = [];
  let from = start;
  for (const cut of cuts) {
    if (cut.from < from || cut.to > end) continue;
    parts.push(reply.slice(from, cut.from));
    from = cut.to;
  }
  return `${parts.join('')}${reply.slice(from, end)}`;
}

/** The objects that were passed over and are part of nothing, as written. */
export function skippedText(turn: Turn): string {
  const reply = turn.feed.text();
  const unused = turn.skipped.filter(({ holdsThought }) => !holdsThought);
  return unused.map(({ from, to }) => reply.slice(from, to)).join('\n');
}

/** The thought in the object, or the prose before it, or the thinking that was set aside. */
export function thoughtOf(turn: Turn, lead: Lead = leadBefore(turn)): string | null {
  return turn.found?.thought ?? turn.passed?.step.thought ?? lead.thought ?? turn.thinking.text();
}
