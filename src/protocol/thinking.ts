/** `<think>…</think>` in a reply: set aside before a dialect reads a line. Pure, one pass. */
import { skipSpaces } from './labels.ts';
import { replayLines } from './scanner.ts';

export interface Thinking {
  /** Sets thinking on a line aside. Returns where the rest of the line begins, or -1 where nothing of it is left. */
  take(line: string, at: number): number;
  isOpen(): boolean;
  /** All that was set aside; null where nothing was. */
  text(): string | null;
  /** Where the reply goes on behind the last of it. */
  end(): number;
}

/**
 * What a closing tag sets aside whose opening tag stood in the prompt: the lines so far, which are then forgotten. Null
 * where such a tag is text, because a step has begun.
 */
export type LinesBefore = () => readonly string[] | null;

interface State {
  aside: string[];
  open: boolean;
  end: number;
}

export function createThinking(linesBefore: LinesBefore): Thinking {
  const state: State = { aside: [], open: false, end: 0 };
  return {
    take(line, at) {
      if (!state.open && !line.includes('think')) return 0;
      let from = 0;
      let next = takePiece(state, line, from, at, linesBefore);
      while (next > from) {
        from = next;
        next = takePiece(state, line, from, at, linesBefore);
      }
      return next;
    },
    isOpen: () => state.open,
    text() {
      const text = state.aside.join('\n').trim();
      return text === '' ? null : text;
    },
    end: () => state.end,
  };
}

/** A whole reply without its thinking, and the thinking. Both trimmed. */
export function setThinkingAside(text: string): { readonly thinking: string | null; readonly rest: string } {
  if (!text.includes('think')) return { thinking: null, rest: text.trim() };
  const lines: string[] = [];
  const thinking = createThinking(() => lines.splice(0));
  replayLines(text, 0, (line, at) => {
    const from = thinking.take(line, at);
    if (from >= 0) lines.push(line.slice(from));
  });
  return { thinking: thinking.text(), rest: lines.join('\n').trim() };
}

/** Returns the position behind the piece that was set aside, `from` where there is none, -1 where it takes the line. */
function takePiece(state: State, line: string, from: number, at: number, linesBefore: LinesBefore): number {
  const opened = state.open ? from : openerEnd(line, from);
  const start = Math.max(opened, from);
  const closer = findCloser(line, start);
  if (closer === null) {
    if (opened < 0) return from;
    state.open = true;
    state.aside.push(line.slice(start));
    return -1;
  }
  const before = opened < 0 ? linesBefore() : [];
  if (before === null) return from;
  for (const earlier of before) state.aside.push(earlier);
  state.aside.push(line.slice(start, closer.at));
  state.open = false;
  state.end = at + closer.behind;
  return closer.behind;
}

const openers = ['<think>', '<thinking>'] as const;
const closers = ['</think>', '</thinking>'] as const;

/** The position behind the opening tag with which the line goes on, or -1. */
function openerEnd(line: string, from: number): number {
  const start = skipSpaces(line, from);
  const tag = openers.find((opener) => line.startsWith(opener, start));
  return tag === undefined ? -1 : start + tag.length;
}

function findCloser(line: string, from: number): { readonly at: number; readonly behind: number } | null {
  for (let at = line.indexOf('</think', from); at >= 0; at = line.indexOf('</think', at + 1)) {
    const start = at;
    const tag = closers.find((closer) => line.startsWith(closer, start));
    if (tag !== undefined) return { at, behind: at + tag.length };
  }
  return null;
}
