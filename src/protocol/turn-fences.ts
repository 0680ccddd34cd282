/**
 * Fences in the part of a reply before its first action or answer. A label in a fence is text, unless the fence is round
 * the whole turn, or never closes. Pure.
 */
import { closesFence, type Fence, fenceAt } from './fences.ts';
import { isBlank, labelAt } from './labels.ts';

/**
 * `none`: not a fence, nor in one. `text`: part of the thought. `begins`: the first label in a fence that is round the
 * whole turn. `ends`: that fence closes.
 */
export type FenceVerdict = 'none' | 'text' | 'begins' | 'ends';

/** Where reading begins again, and how many lines of the thought stood before it. */
export interface Reopened {
  readonly at: number;
  readonly lines: number;
  /** The fence that leads the reply is round the turn, and its first line is no part of the thought. */
  readonly leads: boolean;
}

export interface TurnFences {
  /** `lines`: how many lines the thought has so far. */
  take(line: string, at: number, lines: number): FenceVerdict;
  /** The fence round the turn is still open. */
  isWrapped(): boolean;
  /** True where the line closes the fence round the turn. */
  closesWrapper(line: string): boolean;
  /** A fence never closed, so that none counts. */
  isOff(): boolean;
  /** All so far was thinking. */
  forget(): void;
  /** At the end of the reply, where no step was found. Null where the fences were read rightly. */
  reopen(reply: string): Reopened | null;
}

/** The first label in a fence, in case the fence does not count. */
interface Doubt {
  readonly at: number;
  readonly lines: number;
}

interface State {
  /** `fence`: the first thing in the reply is a fence, and nothing in it has been seen yet. */
  begun: 'no' | 'fence' | 'yes';
  /** The fence that is open. */
  open: Fence | null;
  /** The open fence is the first thing in the reply. */
  leads: boolean;
  doubt: Doubt | null;
  /** The doubt about the fence that leads, and where that fence closed. */
  leadDoubt: (Doubt & { readonly closedAt: number; readonly opener: Fence | null }) | null;
  /** The fence that is round the turn, and open. */
  wrapper: Fence | null;
  off: boolean;
}

export function createTurnFences(): TurnFences {
  const state: State = {
    begun: 'no',
    open: null,
    leads: false,
    doubt: null,
    leadDoubt: null,
    wrapper: null,
    off: false,
  };
  return {
    take: (line, at, lines) => take(state, line, at, lines),
    isWrapped: () => state.wrapper !== null,
    closesWrapper(line) {
      const closes = state.wrapper !== null && closesFence(state.wrapper, fenceAt(line));
      if (closes) state.wrapper = null;
      return closes;
    },
    isOff: () => state.off,
    forget() {
      state.begun = 'no';
      state.open = null;
      state.doubt = null;
      state.leadDoubt = null;
    },
    reopen: (reply) => reopen(state, reply),
  };
}

function take(state: State, line: string, at: number, lines: number): FenceVerdict {
  const fence = state.off ? null : fenceAt(line);
  if (state.begun === 'no') meetFirstLine(state, line, fence);
  else if (state.begun === 'fence' && isRoundTurn(state, line, fence !== null)) return 'begins';
  if (state.open !== null) return takeInside(state, line, at, lines, closesFence(state.open, fence));
  if (fence === null) return 'none';
  if (state.wrapper !== null && closesFence(state.wrapper, fence)) {
    state.wrapper = null;
    return 'ends';
  }
  state.open = fence;
  state.doubt = null;
  return 'text';
}

function meetFirstLine(state: State, line: string, fence: Fence | null): void {
  state.leads = fence !== null;
  if (fence !== null) state.begun = 'fence';
  else if (!isBlank(line)) state.begun = 'yes';
}

/** The fence that leads the reply is round the whole turn where a label is the first thing in it. */
function isRoundTurn(state: State, line: string, isFence: boolean): boolean {
  if (!isFence && isBlank(line)) return false;
  state.begun = 'yes';
  if (labelAt(line) === null) return false;
  state.wrapper = state.open;
  state.open = null;
  state.leads = false;
  return true;
}

function takeInside(state: State, line: string, at: number, lines: number, closes: boolean): FenceVerdict {
  if (state.doubt === null && labelAt(line) !== null) state.doubt = { at, lines };
  if (!closes) return 'text';
  if (state.leads && state.doubt !== null)
    state.leadDoubt = { ...state.doubt, closedAt: at + line.length, opener: state.open };
  state.open = null;
  state.leads = false;
  state.doubt = null;
  return 'text';
}

function reopen(state: State, reply: string): Reopened | null {
  const isWhole = state.leadDoubt !== null && isBlank(reply.slice(state.leadDoubt.closedAt));
  const doubt = isWhole ? state.leadDoubt : state.open !== null ? state.doubt : null;
  if (doubt === null) return null;
  const leads = isWhole || state.leads;
  state.wrapper = isWhole ? (state.leadDoubt?.opener ?? null) : leads ? state.open : null;
  state.off = !isWhole;
  state.open = null;
  state.doubt = null;
  state.leadDoubt = null;
  return { at: doubt.at, lines: doubt.lines, leads };
}
