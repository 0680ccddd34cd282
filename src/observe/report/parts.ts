/** Something whole in its parts: what is of the instructions, of the model's replies, and of each tool. */

/** `instructions`: the task too, and what the loop itself tells the model, of faults and of tools that do not exist. */
export interface Parts {
  instructions: number;
  replies: number;
  readonly tools: Map<string, number>;
}

/** `tool`: of that tool; null: of what `from` says. */
export interface Piece {
  readonly from: 'instructions' | 'replies';
  readonly tool: string | null;
  readonly size: number;
}

export function noParts(): Parts {
  return { instructions: 0, replies: 0, tools: new Map() };
}

export function addPiece(parts: Parts, { from, tool, size }: Piece): void {
  if (tool === null) parts[from] += size;
  else addOfTool(parts, tool, size);
}

export function addOfTool({ tools }: Parts, tool: string, size: number): void {
  tools.set(tool, (tools.get(tool) ?? 0) + size);
}

/** `times` of all that `more` has. */
export function addParts(parts: Parts, more: Parts, times = 1): void {
  parts.instructions += times * more.instructions;
  parts.replies += times * more.replies;
  for (const [tool, size] of more.tools) addOfTool(parts, tool, times * size);
}

export function wholeOf({ instructions, replies, tools }: Parts): number {
  let sum = instructions + replies;
  for (const size of tools.values()) sum += size;
  return sum;
}
