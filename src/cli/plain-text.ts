/** Text from models and tools, made fit for a terminal. Pure. */

/**
 * Control characters become visible pictures of themselves (ESC is ␛), so that no model and no tool can move the
 * cursor, hide text or reach the clipboard. Line ends and tabs stay; a carriage return before a line end goes.
 */
export function visible(text: string): string {
  return text.replaceAll(controls, (character) => {
    const code = character.charCodeAt(0);
    if (character.length > 1) return '\n';
    return code >= 0x80 ? '\ufffd' : String.fromCharCode(code === 0x7f ? 0x2421 : 0x2400 + code);
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for.
const controls = /\r\n|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** Visible, and in one line. */
export function oneLine(text: string): string {
  return visible(text)
    .replaceAll(/[\n\t\u2028\u2029]/g, ' ')
    .replaceAll(turning, '\ufffd');
}

/** Characters that change the direction of writing, and so could make a line look like another. */
const turning = /[\u202a-\u202e\u2066-\u2069]/g;

export interface Size {
  readonly lines: number;
  readonly characters: number;
}

/** The beginning of a text, and a mark that says how much of it is not shown. */
export function shortened(text: string, most: Size): string {
  const lines = text.split('\n');
  const fitting = lines.slice(0, most.lines).join('\n');
  const shown = fitting.length <= most.characters ? fitting : wholeCharacters(fitting.slice(0, most.characters));
  if (shown.length === text.length) return text;
  const left = (text.length - shown.length).toLocaleString('en-US');
  return `${shown}\n… ${left} more characters, not shown here (the model sees them)`;
}

/** Without half a character at the end. */
function wholeCharacters(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}

/** At least as many columns as a text takes in a terminal: whatever may be wide is counted as wide. */
export function columnsAtMost(text: string): number {
  let columns = 0;
  for (const character of text) columns += character === '\t' ? 8 : character < '\u0080' ? 1 : 2;
  return columns;
}

/** The start of a text that fits into so many columns. */
export function fitting(text: string, columns: number): string {
  let shown = '';
  let left = columns;
  for (const character of text) {
    left -= columnsAtMost(character);
    if (left < 0) return shown;
    shown += character;
  }
  return shown;
}

/** The start of a text in so many columns, with an ellipsis where it is not the whole. */
export function cut(text: string, columns: number): string {
  if (text.length <= columns && columnsAtMost(text) <= columns) return text;
  return `${fitting(text, columns - columnsAtMost('…'))}…`;
}

/**
 * Lines that are longer than so many columns are broken between words; `wordsOf` gives those of a line, without the space
 * between them. What follows stands under the last word behind a gap of two spaces, such as the text behind a flag; or is
 * indented. A word that is longer stays whole.
 */
export function wrapped(
  text: string,
  columns: number,
  wordsOf: (line: string) => readonly string[] = (line) => line.split(' '),
): string {
  return text
    .split('\n')
    .map((line) => (columnsAtMost(line) <= columns ? line : brokenLine(line, columns, wordsOf)))
    .join('\n');
}

function brokenLine(line: string, columns: number, wordsOf: (line: string) => readonly string[]): string {
  const lead = line.length - line.trimStart().length;
  const gap = line.lastIndexOf('  ');
  const indent = gap >= lead && gap + 2 <= columns / 2 ? gap + 2 : lead + 2;
  const [first = '', ...words] = wordsOf(line.slice(lead));
  const rows: string[] = [];
  let row = line.slice(0, lead) + first;
  for (const word of words) {
    if (columnsAtMost(`${row} ${word}`) <= columns) row += ` ${word}`;
    else {
      rows.push(row.trimEnd());
      row = ' '.repeat(indent) + word;
    }
  }
  return [...rows, row].join('\n');
}
