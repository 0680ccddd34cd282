/**
 * The lines of a reply before its first action or answer: the thought, fences in it, and thinking that is set aside.
 * Also knows a fence that wraps the whole turn. Pure.
 */
import { fenceAt, thinkCloses, thinkOpens } from './fences.ts';
import { isBlank, labelAt } from './labels.ts';

export interface ThoughtLines {
  /** Sets thinking aside. Returns where the rest of the line begins, or -1 where nothing of it is left. */
  setAside(line: string, at: number): number;
  /** True where the line is a fence or stands inside one, and so was taken. */
  takeFence(line: string, at: number): boolean;
  add(line: string): void;
  addLabelled(line: string): void;
  /** The lines up to the next label are no thought. */
  skip(): void;
  /** The thought; where none was written, the thinking that was set aside; or null. */
  text(): string | null;
  isLabelled(): boolean;
  /** Inside thinking or a fence, where a label is text. */
  isSheltered(): boolean;
  /** The turn is wrapped in a fence that is still open. */
  isWrapped(): boolean;
  /** True where the line closes the fence round the turn. */
  closesWrapper(line: string): boolean;
  fencesOff(): boolean;
  /** Where the reply begins without thinking and without the fence round it. */
  keptFrom(): number;
  /**
   * At the end of the reply: where reading must begin again because a fence never closed, or because a fence with
   * labels in it is the whole reply. -1 where all was right. Forgets what was read from there on.
   */
  reopen(text: string): number;
}

/** A label in a fence, in case the fence does not count. */
interface Doubt {
  readonly at: number;
  readonly lines: number;
}

interface State {
  lines: string[];
  aside: string[];
  thinking: boolean;
  labelled: boolean;
  skipping: boolean;
  /** `fence`: the first thing in the reply is a fence, and nothing in it has been seen yet. */
  begun: 'no' | 'fence' | 'yes';
  fence: boolean;
  fenceLeads: boolean;
  doubt: Doubt | null;
  leadDoubt: (Doubt & { readonly closedAt: number }) | null;
  wrapped: boolean;
  fencesOff: boolean;
  keptFrom: number;
}

export function createThoughtLines(): ThoughtLines {
  const state = createState();
  return {
    setAside: (line, at) => setAside(state, line, at),
    takeFence: (line, at) => takeFence(state, line, at),
    add(line) {
      if (!state.skipping) state.lines.push(line);
    },
    addLabelled(line) {
      state.labelled = true;
      state.skipping = false;
      state.lines.push(line);
    },
    skip() {
      state.skipping = true;
    },
    text: () => joined(state.lines) ?? joined(state.aside),
    isLabelled: () => state.labelled || (state.aside.length > 0 && joined(state.lines) === null),
    isSheltered: () => state.thinking || state.fence,
    isWrapped: () => state.wrapped,
    closesWrapper(line) {
      const closes = state.wrapped && fenceAt(line)?.bare === true;
      if (closes) state.wrapped = false;
      return closes;
    },
    fencesOff: () => state.fencesOff,
    keptFrom: () => state.keptFrom,
    reopen: (text) => reopen(state, text),
  };
}

function createState(): State {
  return {
    lines: [],
    aside: [],
    thinking: false,
    labelled: false,
    skipping: false,
    begun: 'no',
    fence: false,
    fenceLeads: false,
    doubt: null,
    leadDoubt: null,
    wrapped: false,
    fencesOff: false,
    keptFrom: 0,
  };
}

function joined(lines: readonly string[]): string | null {
  const text = lines.join('\n').trim();
  return text === '' ? null : text;
}

function setAside(state: State, line: string, at: number): number {
  const opens = state.thinking ? 0 : thinkOpens(line);
  if (opens < 0 && state.labelled) return 0;
  const from = Math.max(opens, 0);
  const closer = thinkCloses(line, from);
  if (closer === null && opens < 0) return 0;
  if (closer === null) {
    state.thinking = true;
    state.aside.push(line.slice(from));
    return -1;
  }
  return closeThinking(state, line.slice(from, closer.at), at, closer.behind);
}

/** A closing tag whose opener stood in the prompt sets aside all before it, as long as no label was read. */
function closeThinking(state: State, last: string, at: number, behind: number): number {
  if (!state.thinking && !state.labelled) state.aside.push(...takenLines(state));
  state.aside.push(last);
  state.thinking = false;
  state.keptFrom = at + behind;
  return behind;
}

function takenLines(state: State): readonly string[] {
  const { lines } = state;
  state.lines = [];
  state.begun = 'no';
  return lines;
}

function takeFence(state: State, line: string, at: number): boolean {
  const fence = state.fencesOff ? null : fenceAt(line);
  if (state.begun === 'no') meetFirstLine(state, line, fence !== null);
  else if (state.begun === 'fence' && unwraps(state, line, fence !== null)) {
    state.keptFrom = at;
    return false;
  }
  if (state.fence) return takeFencedLine(state, line, at, fence?.bare === true);
  if (fence === null) return false;
  if (state.wrapped && fence.bare) state.wrapped = false;
  else openFence(state, line);
  return true;
}

function meetFirstLine(state: State, line: string, isFence: boolean): void {
  state.fenceLeads = isFence;
  if (isFence) state.begun = 'fence';
  else if (!isBlank(line)) state.begun = 'yes';
}

/** The fence that leads the reply is round the whole turn where a label is the first thing in it. */
function unwraps(state: State, line: string, isFence: boolean): boolean {
  if (!isFence && isBlank(line)) return false;
  state.begun = 'yes';
  if (labelAt(line) === null) return false;
  state.wrapped = true;
  state.fence = false;
  state.fenceLeads = false;
  state.lines = [];
  return true;
}

function openFence(state: State, line: string): void {
  state.fence = true;
  state.doubt = null;
  if (!state.skipping) state.lines.push(line);
}

function takeFencedLine(state: State, line: string, at: number, closes: boolean): boolean {
  if (state.doubt === null && labelAt(line) !== null) state.doubt = { at, lines: state.lines.length };
  if (!state.skipping) state.lines.push(line);
  if (!closes) return true;
  if (state.fenceLeads && state.doubt !== null) state.leadDoubt = { ...state.doubt, closedAt: at + line.length };
  state.fence = false;
  state.fenceLeads = false;
  state.doubt = null;
  return true;
}

function reopen(state: State, text: string): number {
  const whole = state.leadDoubt !== null && isBlank(text.slice(state.leadDoubt.closedAt));
  const doubt = whole ? state.leadDoubt : state.fence ? state.doubt : null;
  if (doubt === null) return -1;
  state.lines.length = doubt.lines;
  if (whole || state.fenceLeads) {
    state.lines.shift();
    state.wrapped = true;
  }
  state.fencesOff = !whole;
  state.fence = false;
  state.doubt = null;
  state.leadDoubt = null;
  return doubt.at;
}
