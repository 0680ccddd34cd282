/**
 * Reads a call that is written in tags of its own: `<tool_name>search</tool_name><arguments>…</arguments>`, whose
 * arguments are JSON or again one tag each. Pure, one pass.
 */
import type { JsonObject, JsonValue } from '../core/json.ts';
import { readInput } from './input-text.ts';
import { isSpace, skipSpaces } from './labels.ts';
import type { CallText } from './tags-call.ts';

interface Element {
  readonly name: string;
  readonly inside: string;
}

const toolNames = ['tool_name', 'name', 'tool', 'function'];
const inputNames = ['arguments', 'args', 'parameters', 'input', 'tool_input', 'action_input'];
const longestOpener = 240;

/** Null where the text is not made of whole tags, or none of them names a tool. `end`: what is reported as used. */
export function readElements(text: string, end: number): CallText | null {
  const elements = elementsOf(text);
  const tool = elements?.find(({ name }) => toolNames.includes(name))?.inside.trim() ?? '';
  if (elements === null || tool === '') return null;
  const input = elements.find(({ name }) => inputNames.includes(name));
  if (input === undefined) return { kind: 'name', tool };
  const read = inputOf(input.inside);
  return read === undefined ? { kind: 'unreadable', tool } : { kind: 'call', tool, input: read, repaired: false, end };
}

function inputOf(inside: string): JsonValue | null | undefined {
  if (!inside.trimStart().startsWith('<')) return readInput(inside).input;
  const members = elementsOf(inside);
  if (members === null) return inside.trim();
  const entries = members.map(({ name, inside: value }): [string, string] => [name, value.trim()]);
  const object: JsonObject = Object.fromEntries(entries);
  return object;
}

/** The tags that a text is made of, one behind the other; null where it holds other text, or a tag is not closed. */
function elementsOf(text: string): readonly Element[] | null {
  const elements: Element[] = [];
  let at = skipSpaces(text, 0);
  while (at < text.length) {
    const opener = /^<([A-Za-z_][\w.-]{0,60})([^<>]{0,160})>/.exec(text.slice(at, at + longestOpener));
    if (opener === null) return null;
    const from = at + opener[0].length;
    const closer = `</${opener[1]}>`;
    const close = text.indexOf(closer, from);
    if (close < 0) return null;
    elements.push({ name: keyOf(opener[1] ?? '', opener[2] ?? ''), inside: text.slice(from, close) });
    at = close + closer.length;
    while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  }
  return elements;
}

/** `<arg key="glob">` and `<parameter name="glob">` are the member `glob`. */
function keyOf(name: string, attributes: string): string {
  return /\s(?:key|name)="([^"]{1,80})"/.exec(attributes)?.[1] ?? name;
}
