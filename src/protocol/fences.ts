/** Code fences and `<think>` tags: how they begin and end on a line. Pure. */
/** Code fences and `<think>` tags: how they begin and end on a line. Pure. */

export interface Fence {
  /** Where the backticks begin. */
  readonly at: number;
  /** Nothing stands behind the backticks: such a line can close a fence. */
  readonly bare: boolean;
}

/** A line that opens or closes a code fence: three backticks or more, and no other backtick behind them. */
export function fenceAt(line: string, from = 0): Fence | null {
  let at = from;
  while (line.charCodeAt(at) === 32 || line.charCodeAt(at) === 9) at++;
  if (!line.startsWith('```', at)) return null;
  let behind = at + 3;
  while (line.charCodeAt(behind) === 96) behind++;
  if (line.includes('`', behind)) return null;
  return { at, bare: line.slice(behind).trim() === '' };
}

const thinkOpeners = ['<think>', '<thinking>'] as const;
const thinkClosers = ['</think>', '</thinking>'] as const;

/** Where thinking begins, if a line begins with it; -1 where it does not. The result is the position behind the tag. */
export function thinkOpens(line: string): number {
  if (!line.includes('<think')) return -1;
  const start = line.length - line.trimStart().length;
  const tag = thinkOpeners.find((opener) => line.startsWith(opener, start));
  return tag === undefined ? -1 : start + tag.length;
}

/** The closing tag of thinking in a line, from a position; null where it has none. */
export function thinkCloses(line: string, from = 0): { readonly at: number; readonly behind: number } | null {
  if (!line.includes('</think', from)) return null;
  for (const tag of thinkClosers) {
    const at = line.indexOf(tag, from);
    if (at >= 0) return { at, behind: at + tag.length };
  }
  return null;
}
