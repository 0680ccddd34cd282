/** Code fences: how they begin and end on a line. Pure. */

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
  if (line.charCodeAt(at) !== 96 || !line.startsWith('```', at)) return null;
  let behind = at + 3;
  while (line.charCodeAt(behind) === 96) behind++;
  if (line.includes('`', behind)) return null;
  return { at, bare: line.slice(behind).trim() === '' };
}
