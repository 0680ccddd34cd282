/** Code fences: how they begin and end on a line. Pure. */

export interface Fence {
  /** Where the backticks begin. */
  readonly at: number;
  /** How many backticks there are. */
  readonly length: number;
  /** White space at the start of the line, in code units. */
  readonly indent: number;
  /** Nothing stands behind the backticks: such a line can close a fence. */
  readonly bare: boolean;
}

/** How much further than its opening a closing fence may be indented. */
const deepestCloser = 3;

/** A line that opens or closes a code fence: three backticks or more, and no other backtick behind them. */
export function fenceAt(line: string, from = 0): Fence | null {
  const at = skipIndent(line, from);
  if (line.charCodeAt(at) !== 96 || !line.startsWith('```', at)) return null;
  const length = backticksAt(line, at);
  const behind = at + length;
  if (line.includes('`', behind)) return null;
  return { at, length, indent: skipIndent(line, 0), bare: line.slice(behind).trim() === '' };
}

/** Whether a line closes a fence: at least as many backticks, nothing behind them, and hardly further indented. */
export function closesFence(opener: Fence, fence: Fence | null): boolean {
  return fence?.bare === true && mayClose(opener, fence.length, fence.indent);
}

type Opener = Pick<Fence, 'length' | 'indent'>;

function mayClose(opener: Opener, length: number, indent: number): boolean {
  return length >= opener.length && indent <= opener.indent + deepestCloser;
}

/** How many backticks stand at a position. */
export function backticksAt(text: string, at: number): number {
  let end = at;
  while (text.charCodeAt(end) === 96) end++;
  return end - at;
}

/**
 * Where the last backticks begin that close a fence whose inside begins at `from`; -1 where none do. They may also stand
 * behind the last words of the inside. Backticks that are indented too far close it only where they end the text.
 */
export function lastCloser(text: string, from: number, end: number, opener: Opener): number {
  const run = '`'.repeat(opener.length);
  let last = -1;
  let at = text.lastIndexOf(run, end - run.length);
  while (at >= from) {
    while (at > from && text.charCodeAt(at - 1) === 96) at--;
    const lineAt = indentBefore(text, at);
    const leads = lineAt === 0 || text.charCodeAt(lineAt - 1) === 10;
    if (!leads || mayClose(opener, backticksAt(text, at), at - lineAt)) return at;
    if (last < 0 && at + backticksAt(text, at) === end) last = at;
    at = at === 0 ? -1 : text.lastIndexOf(run, at - 1);
  }
  return last;
}

function skipIndent(line: string, from: number): number {
  let at = from;
  while (line.charCodeAt(at) === 32 || line.charCodeAt(at) === 9) at++;
  return at;
}

function indentBefore(text: string, end: number): number {
  let at = end;
  while (at > 0 && (text.charCodeAt(at - 1) === 32 || text.charCodeAt(at - 1) === 9)) at--;
  return at;
}
