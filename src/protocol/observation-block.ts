/**
 * An observation that the model made up in the form in which an environment writes one: between tags, or in the dialect
 * `id` between lines of dashes. Nothing in it is a step. Pure.
 */
import { isRule, skipSpaces } from './labels.ts';

/** What ends a block: a closing tag, or a line of dashes. */
export type Closer = `</${string}>` | '---';

const names = ['observation', 'tool_response', 'tool_result', 'tool_output'];

/** The closer of a block that begins with this line; null where none begins. `ruled`: whether lines of dashes count. */
export function blockCloser(line: string, ruled: boolean): Closer | null {
  const at = skipSpaces(line, 0);
  if (line.charCodeAt(at) === 45) return ruled && isRule(line) ? '---' : null;
  if (line.charCodeAt(at) !== 60) return null;
  const name = names.find((candidate) => line.startsWith(`${candidate}>`, at + 1));
  return name === undefined ? null : `</${name}>`;
}

/** `isFirst`: the line with which the block began. */
export function closesBlock(closer: Closer, line: string, isFirst: boolean): boolean {
  return closer === '---' ? !isFirst && isRule(line) : line.includes(closer);
}
