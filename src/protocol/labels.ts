/**
 * The labels of the text dialects (`Thought:`, `行动：`, `**Final Answer:**`) and how one is recognised at the start of
 * a line. Pure. Looks at a bounded number of characters behind the indent, whatever the line holds.
 */

export type LabelKind = 'question' | 'thought' | 'action' | 'input' | 'observation' | 'answer';

export interface Label {
  readonly kind: LabelKind;
  /** Where the text behind the label begins, in code units from the start of the line; at most the line's length. */
  readonly contentAt: number;
  /** White space before the label, in code units. */
  readonly indent: number;
  /** True for `action:`, false for `Action:`, `ACTION:` and the Chinese labels. */
  readonly lower: boolean;
}

type Words = readonly (readonly [string, LabelKind])[];

/** In lower case; where one word begins another the longer comes first. */
const words: Words = [
  ['thoughts', 'thought'],
  ['thought', 'thought'],
  ['action input', 'input'],
  ['action_input', 'input'],
  ['action-input', 'input'],
  ['actioninput', 'input'],
  ['action', 'action'],
  ['observation', 'observation'],
  ['final answer', 'answer'],
  ['final_answer', 'answer'],
  ['answer', 'answer'],
  ['question', 'question'],
  ['思考', 'thought'],
  ['想法', 'thought'],
  ['行动输入', 'input'],
  ['动作输入', 'input'],
  ['操作输入', 'input'],
  ['行动', 'action'],
  ['动作', 'action'],
  ['操作', 'action'],
  ['观察结果', 'observation'],
  ['观察', 'observation'],
  ['最终答案', 'answer'],
  ['最终回答', 'answer'],
  ['答案', 'answer'],
  ['问题', 'question'],
];

const wordsByFirstLetter = groupByFirstLetter();
const asciiWords = Array.from({ length: 128 }, (_, letter) => wordsByFirstLetter.get(lowered(letter)));

/** The longest name of a tool in `Observation (tool):`. */
const longestRemark = 66;

/** The longest stretch of decoration, spaces or digits that is accepted inside a label. */
const longestGap = 8;

/** How much of a line decides whether it begins with an observation that has text behind it. */
export const labelHeadLength = 96;

/** The label a line begins with: `Label:`, `**Label:**`, `**Label**:`, `## Label 2：`. Null where it has none. */
export function labelAt(line: string): Label | null {
  const indent = skipSpaces(line, 0);
  const wordAt = skipDecoration(line, indent);
  const candidates = wordsFrom(line.charCodeAt(wordAt));
  if (candidates === undefined || line.startsWith('```', indent)) return null;
  for (const [word, kind] of candidates) {
    const behind = wordAt + word.length;
    if (!spells(line, wordAt, word)) continue;
    const colonAt = skipToColon(line, kind === 'observation' ? skipRemark(line, behind) : behind);
    if (colonAt < 0) continue;
    const lower = line.charCodeAt(wordAt) >= 97 && line.charCodeAt(wordAt) <= 122;
    return { kind, contentAt: skipBehindColon(line, colonAt + 1, line.slice(indent, wordAt)), indent, lower };
  }
  return null;
}

/**
 * Whether a label may stand in the same text as an earlier one: `action: …` in what `Observation:` or `Action:` begins is
 * text, and so is a label that is indented further.
 */
export function sharesStyle(label: Label, earlier: Label): boolean {
  return (!label.lower || earlier.lower) && label.indent <= earlier.indent + 3;
}

/** True where a text holds only white space and Markdown stars, so that nothing was said. */
export function isBlank(text: string): boolean {
  for (let index = 0; index < text.length; index++)
    if (!isSpace(text.charCodeAt(index)) && !isDecoration(text.charCodeAt(index))) return false;
  return true;
}

/** True for a last line such as `Observ`: the beginning of a stop word that the server cut in the middle. */
export function isHalfStopWord(line: string): boolean {
  const word = line.trim();
  return word.length >= 4 && word.length <= 11 && 'Observation'.startsWith(word);
}

/** True for a line of three dashes or more, and nothing else. */
export function isRule(line: string): boolean {
  let at = skipSpaces(line, 0);
  const from = at;
  while (line.charCodeAt(at) === 45) at++;
  return at - from >= 3 && skipSpaces(line, at) === line.length;
}

/** What `trim` takes for white space. */
export function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || (code >= 0xa0 && isWideSpace(code));
}

/** Compared, not looked up: Chinese text is asked at the start of every line. */
function isWideSpace(code: number): boolean {
  if (code > 0x3000) return code === 0xfeff;
  if (code >= 0x2000 && code <= 0x200a) return true;
  if (code >= 0x2028) return code <= 0x2029 || code === 0x202f || code === 0x205f || code === 0x3000;
  return code === 0xa0 || code === 0x1680;
}

export function skipSpaces(text: string, from: number): number {
  let index = from;
  while (index < text.length && isSpace(text.charCodeAt(index))) index++;
  return index;
}

/** Where the white space begins that ends at a position. */
export function skipSpacesBack(text: string, end: number): number {
  let index = end;
  while (index > 0 && isSpace(text.charCodeAt(index - 1))) index--;
  return index;
}

/** True where a label may begin with a sign. */
export function mayBeginLabel(sign: string): boolean {
  return wordsFrom(sign.charCodeAt(0)) !== undefined;
}

/** False where the line is no label, whatever text follows. */
export function mayBecomeLabel(line: string): boolean {
  const wordAt = skipDecoration(line, skipSpaces(line, 0));
  const candidates = wordsFrom(line.charCodeAt(wordAt));
  if (candidates === undefined) return wordAt === line.length;
  for (const [word] of candidates) if (spells(line, wordAt, word, line.length - wordAt)) return true;
  return false;
}

function groupByFirstLetter(): ReadonlyMap<number, Words> {
  const groups = new Map<number, (readonly [string, LabelKind])[]>();
  for (const entry of words) {
    const letter = entry[0].charCodeAt(0);
    const group = groups.get(letter);
    if (group === undefined) groups.set(letter, [entry]);
    else group.push(entry);
  }
  return groups;
}

/** Whether a word stands at a position, in any case of its letters, or so much of its beginning. */
function spells(line: string, at: number, word: string, length = word.length): boolean {
  for (let index = 0; index < word.length && index < length; index++)
    if (lowered(line.charCodeAt(at + index)) !== word.charCodeAt(index)) return false;
  return true;
}

/** The words that begin with a letter, in either case. */
function wordsFrom(letter: number): Words | undefined {
  return letter < 128 ? asciiWords[letter] : wordsByFirstLetter.get(letter);
}

function lowered(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

/** `*`, `_`, `#` and the backtick. */
export function isDecoration(code: number): boolean {
  return code === 42 || code === 95 || code === 35 || code === 96;
}

/** Over `**`, `__`, a backtick, or `## ` (a heading keeps a space). */
function skipDecoration(line: string, from: number): number {
  let index = from;
  while (index - from < longestGap && isDecoration(line.charCodeAt(index))) index++;
  return index > from && line.charCodeAt(index - 1) === 35 ? skipGap(line, index) : index;
}

function skipGap(line: string, from: number): number {
  let index = from;
  while (index - from < longestGap) {
    const code = line.charCodeAt(index);
    if (!isDecoration(code) && code !== 32 && !(code >= 48 && code <= 57)) break;
    index++;
  }
  return index;
}

/** Over the tool's name in `Observation (tool):`, the form in which several results are written back. */
function skipRemark(line: string, from: number): number {
  const at = skipGap(line, from);
  const open = line.charAt(at);
  if (open !== '(' && open !== '（') return from;
  const head = line.slice(at, at + longestRemark);
  const close = head.indexOf(open === '(' ? ')' : '）');
  return close < 0 ? from : at + close + 1;
}

/** Over a number and closing decoration to the colon, ASCII or full-width; -1 where none follows. */
function skipToColon(line: string, from: number): number {
  const index = skipGap(line, from);
  const code = line.charCodeAt(index);
  return code === 58 || code === 0xff1a ? index : -1;
}

/** Over the decoration that closes behind the colon, and spaces. Signs that belong to the text (`*.md`, `__x__`) stay. */
function skipBehindColon(line: string, from: number, opened: string): number {
  let index = skipSpaces(line, from);
  const starsAt = index;
  const closes = opened !== '' && starsAt === from;
  while (index - starsAt < longestGap && isDecoration(line.charCodeAt(index))) {
    if (closes && !opened.includes(line.charAt(index))) break;
    index++;
  }
  const free = index === line.length || isSpace(line.charCodeAt(index));
  const fence = line.startsWith('```', starsAt);
  if (index === starsAt || fence || !(closes || (free && index - starsAt >= 2))) return starsAt;
  return skipSpaces(line, index);
}
