/**
 * Makes text from tools plain data: a line that begins like a label, a code fence or one of the loop's own marks, and a
 * bracket that begins a tag, get a backslash, so that neither the model nor a reader takes them for part of the
 * conversation. Pure, one pass.
 */
import { fenceAt } from './fences.ts';
import { labelAt, skipSpaces } from './labels.ts';
import { isNameCode, type NameTable, nameTable, type TagRole } from './tags-names.ts';

/** What the loop itself begins a fault with. */
export const faultMarks: readonly string[] = ['[FormatError]', '[ToolError]', '[LoopGuard]'];

/** Which tags count, by name in lower case. `inCode`: also with a capital right behind a word, as in `List<Answer>`. */
export interface TagsThatCount extends Pick<NameTable, 'roles' | 'longest'> {
  readonly inCode?: boolean;
}

/** In HTML, in XML and in code these are everyday words. */
const commonNames: ReadonlySet<string> = new Set(['r', 'c', 'input', 'arguments', 'result', 'tool', 'action']);

/** Tags that carry a step. The others are common in pages and programs, and mean nothing outside the dialect `tags`. */
const stepTags = tagsOf(['thought', 'thinking', 'call', 'code', 'answer', 'observation']);

function tagsOf(roles: readonly TagRole[]): TagsThatCount {
  const table = nameTable({});
  const counted = [...table.roles].filter(([name, role]) => roles.includes(role) && !commonNames.has(name));
  return { roles: new Map(counted), longest: table.longest, inCode: false };
}

/** Text that imitates nothing is given back as it is; doing it twice changes nothing more. */
export function neutralise(text: string, tags: TagsThatCount = stepTags): string {
  return withBackslashes(text, (line, at, mark) => {
    const start = skipSpaces(line, 0);
    if (labelAt(line) !== null || fenceAt(line) !== null || beginsFault(line, start)) mark(at + start);
    for (let open = line.indexOf('<'); open >= 0; open = line.indexOf('<', open + 1))
      if (beginsTag(line, open + 1, tags)) mark(at + open + 1);
  });
}

/** Only the loop's own marks: for where the provider keeps what tools return apart from the conversation. */
export function neutraliseMarks(text: string): string {
  return withBackslashes(text, (line, at, mark) => {
    const start = skipSpaces(line, 0);
    if (beginsFault(line, start)) mark(at + start);
  });
}

function beginsFault(line: string, start: number): boolean {
  return line.charCodeAt(start) === 91 && faultMarks.some((sign) => line.startsWith(sign, start));
}

type Look = (line: string, at: number, mark: (at: number) => void) => void;

function withBackslashes(text: string, look: Look): string {
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
    look(text.slice(lineAt, end), lineAt, mark);
    lineAt = end + 1;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(from);
}

/** White space inside `< / name`. */
const longestGap = 4;

/** `name` or `/name` of a tag that counts, or `|` as in the marks of chat templates (`<|im_start|>`). */
function beginsTag(line: string, from: number, { roles, longest, inCode = true }: TagsThatCount): boolean {
  if (line.charCodeAt(from) === 124) return true;
  if (!inCode && isWord(line.charCodeAt(from - 2)) && isCapital(line.charCodeAt(from))) return false;
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

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}

function isWord(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
}
