/**
 * Makes text from tools plain data: a line that begins like a label or a code fence, and a bracket that begins a tag, get a
 * backslash, so that neither the model nor a reader takes them for part of the conversation. Pure, one pass.
 */
import { fenceAt } from './fences.ts';
import { labelAt, skipSpaces } from './labels.ts';
import { isNameCode, type NameTable, nameTable } from './tags-names.ts';

const defaultNames = nameTable({});

/** `names`: the tags that count. Text that imitates nothing is given back as it is; doing it twice changes nothing more. */
export function neutralise(text: string, names: NameTable = defaultNames): string {
  const parts: string[] = [];
  let from = 0;
  const mark = (at: number) => {
    parts.push(text.slice(from, at), '\\');
    from = at;
  };
  let lineAt = 0;
  while (lineAt <= text.length) {
    const breakAt = text.indexOf('\n', lineAt);
    const end = breakAt < 0 ? text.length : breakAt;
    markLine(text.slice(lineAt, end), lineAt, names, mark);
    lineAt = end + 1;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(from);
}

function markLine(line: string, at: number, names: NameTable, mark: (at: number) => void): void {
  const begins = labelAt(line) !== null || fenceAt(line) !== null;
  if (begins) mark(at + skipSpaces(line, 0));
  for (let open = line.indexOf('<'); open >= 0; open = line.indexOf('<', open + 1))
    if (beginsTag(line, open + 1, names)) mark(at + open + 1);
}

/** White space inside `< / name`. */
const longestGap = 4;

/** `name` or `/name` of a tag that counts, or `|` as in the marks of chat templates (`<|im_start|>`). */
function beginsTag(line: string, from: number, { roles, longest }: NameTable): boolean {
  if (line.charCodeAt(from) === 124) return true;
  let at = skipGap(line, from);
  if (line.charCodeAt(at) === 47) at = skipGap(line, at + 1);
  let end = at;
  while (end - at <= longest && end < line.length && isNameCode(line.charCodeAt(end))) end++;
  return roles.has(line.slice(at, end).toLowerCase());
}

function skipGap(line: string, from: number): number {
  let at = from;
  while (at - from < longestGap && (line.charCodeAt(at) === 32 || line.charCodeAt(at) === 9)) at++;
  return at;
}
