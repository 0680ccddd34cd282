/**
 * The lines of a reply before its first action or answer: which are the thought, which are set aside, which are skipped.
 * Pure.
 */
import { type Label, labelAt, sharesStyle } from './labels.ts';
import { blockCloser, type Closer, closesBlock } from './observation-block.ts';
import { createThinking } from './thinking.ts';
import { createTurnFences, type TurnFences } from './turn-fences.ts';

export interface ThoughtLines {
  readonly fences: TurnFences;
  /** Sets thinking aside. Returns where the rest of the line begins, or -1 where nothing of it is left. */
  setAside(line: string, at: number): number;
  /** True where the line is a fence, or stands in one or in an observation that was made up, and so was taken. */
  takeFence(line: string, at: number): boolean;
  add(line: string): void;
  addLabelled(line: string): void;
  /** How many lines of the thought there are so far. */
  count(): number;
  /** The thought ends behind so many lines. */
  cut(lines: number): void;
  /** The label the line begins with. In an observation that the model made up only a label of the same style is one. */
  label(line: string): Label | null;
  /**
   * This line and those up to the next label are no thought; nor, where they were made up behind the label of an
   * observation, part of what is kept.
   */
  skip(line: string, at: number, madeUpBehind: Label | null): void;
  /** A label stands here: what was skipped ends. */
  endSkip(at: number): void;
  /** The lines are an observation that the model made up: nothing in them is a step. */
  isMadeUp(): boolean;
  /** What was skipped, as written. */
  skipped(): string;
  /** The thought; where none was written, the thinking that was set aside; or null. */
  text(): string | null;
  isLabelled(): boolean;
  /** The reply up to a position, without thinking, the fence round it, and what was made up. */
  kept(reply: string, to: number): string;
  /** At the end of the reply: where reading must begin again, because a fence was read wrongly; -1 where none was. */
  reopen(reply: string): number;
}

interface Cut {
  readonly from: number;
  readonly to: number;
}

interface State {
  lines: string[];
  labelled: boolean;
  skipping: boolean;
  skipped: string[];
  /** The label of the observation that is being skipped. */
  madeUpBehind: Label | null;
  /** Where what was made up begins; -1 where it is not being skipped. */
  cutAt: number;
  /** Whether lines of dashes stand round observations. */
  ruled: boolean;
  block: Block | null;
  cuts: Cut[];
  keptFrom: number;
}

/** An observation between tags or lines of dashes, which is being skipped. */
interface Block {
  readonly closer: Closer;
  readonly at: number;
  /** Lines that were skipped before it, and whether it began a cut of its own. */
  readonly skippedBefore: number;
  readonly cuts: boolean;
}

/** `ruled`: whether lines of dashes stand round observations. */
export function createThoughtLines(ruled: boolean): ThoughtLines {
  const state: State = {
    lines: [],
    labelled: false,
    skipping: false,
    skipped: [],
    madeUpBehind: null,
    cutAt: -1,
    ruled,
    block: null,
    cuts: [],
    keptFrom: 0,
  };
  const fences = createTurnFences();
  const thinking = createThinking(() => (state.labelled ? null : forgetLines(state, fences)));
  return {
    fences,
    setAside(line, at) {
      const next = thinking.take(line, at);
      state.keptFrom = Math.max(state.keptFrom, thinking.end());
      return next;
    },
    takeFence: (line, at) => takeFence(state, fences, line, at),
    add: (line) => addLine(state, line),
    count: () => state.lines.length,
    cut(lines) {
      state.lines.length = Math.min(lines, state.lines.length);
    },
    addLabelled(line) {
      state.labelled = true;
      state.lines.push(line);
    },
    label(line) {
      const label = labelAt(line);
      return label === null || state.madeUpBehind === null || sharesStyle(label, state.madeUpBehind) ? label : null;
    },
    skip(line, at, madeUpBehind) {
      state.skipping = true;
      state.skipped.push(line);
      state.madeUpBehind = madeUpBehind;
      if (madeUpBehind !== null && state.cutAt < 0) state.cutAt = at;
    },
    endSkip(at) {
      state.skipping = false;
      state.madeUpBehind = null;
      if (state.cutAt >= 0) state.cuts.push({ from: state.cutAt, to: at });
      state.cutAt = -1;
    },
    isMadeUp: () => state.madeUpBehind !== null,
    skipped: () => state.skipped.join('\n').trim(),
    text: () => joined(state.lines) ?? thinking.text(),
    isLabelled: () => state.labelled || (thinking.text() !== null && joined(state.lines) === null),
    kept: (reply, to) => keptText(state, reply, to),
    reopen: (reply) => reopen(state, fences, reply),
  };
}

function forgetLines(state: State, fences: TurnFences): readonly string[] {
  const { lines } = state;
  state.lines = [];
  state.skipping = false;
  state.madeUpBehind = null;
  state.cutAt = -1;
  state.block = null;
  fences.forget();
  return lines;
}

function addLine(state: State, line: string): void {
  (state.skipping ? state.skipped : state.lines).push(line);
}

function takeFence(state: State, fences: TurnFences, line: string, at: number): boolean {
  if (state.block !== null) return takeBlock(state, state.block, line, at, false);
  const verdict = fences.take(line, at, state.lines.length);
  if (verdict === 'text') addLine(state, line);
  if (verdict === 'begins') {
    state.lines = [];
    state.keptFrom = at;
  }
  if (verdict === 'none') return beginBlock(state, line, at);
  return verdict === 'text' || verdict === 'ends';
}

function beginBlock(state: State, line: string, at: number): boolean {
  const closer = blockCloser(line, state.ruled);
  if (closer === null) return false;
  const block = { closer, at, skippedBefore: state.skipped.length, cuts: state.cutAt < 0 };
  state.block = block;
  if (block.cuts) state.cutAt = at;
  return takeBlock(state, block, line, at, true);
}

function takeBlock(state: State, { closer, cuts }: Block, line: string, at: number, isFirst: boolean): boolean {
  state.skipped.push(line);
  if (!closesBlock(closer, line, isFirst)) return true;
  state.block = null;
  if (!cuts) return true;
  state.cuts.push({ from: state.cutAt, to: at + line.length + 1 });
  state.cutAt = -1;
  return true;
}

function joined(lines: readonly string[]): string | null {
  const text = lines.join('\n').trim();
  return text === '' ? null : text;
}

function reopen(state: State, fences: TurnFences, reply: string): number {
  const reopened = fences.reopen(reply);
  if (reopened === null) return reopenBlock(state);
  state.lines.length = reopened.lines;
  if (reopened.leads) state.lines.shift();
  return reopened.at;
}

/** A line of dashes that no other follows was text. */
function reopenBlock(state: State): number {
  const { block } = state;
  if (block?.closer !== '---') return -1;
  state.block = null;
  state.ruled = false;
  state.skipped.length = block.skippedBefore;
  if (block.cuts) state.cutAt = -1;
  return block.at;
}

function keptText(state: State, reply: string, to: number): string {
  const parts: string[] = [];
  let from = state.keptFrom;
  const open = state.cutAt < 0 ? [] : [{ from: state.cutAt, to }];
  for (const cut of [...state.cuts, ...open]) {
    if (cut.from >= from) parts.push(reply.slice(from, cut.from));
    from = Math.max(from, cut.to);
  }
  parts.push(reply.slice(from, to));
  return parts.join('').trim();
}
