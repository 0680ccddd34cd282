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
