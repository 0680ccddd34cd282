/** A terminal, as far as `screen.ts` uses one: what a person would see of the text that was written. */
export interface Terminal {
  readonly columns: number;
  write(text: string): void;
  /** Rows, without spaces at their ends. */
  rows(): readonly string[];
}

export function terminal(columns: number): Terminal {
  const rows: string[][] = [[]];
  let [row, column] = [0, 0];

  const rowAt = (index: number): string[] => {
    while (rows.length <= index) rows.push([]);
    return rows[index] ?? [];
  };
  const put = (character: string) => {
    const width = character > '\u2e80' ? 2 : 1;
    if (column + width > columns) [row, column] = [row + 1, 0];
    const cells = rowAt(row);
    while (cells.length < column) cells.push(' ');
    cells[column] = character;
    if (width === 2) cells[column + 1] = '';
    column += width;
  };
  const control = (sequence: string) => {
    if (sequence === '\n') [row, column] = [row + 1, 0];
    else if (sequence === '\r') column = 0;
    else if (sequence === '\u001b[1A') row = Math.max(0, row - 1);
    else if (sequence === '\u001b[2K') rowAt(row).length = 0;
    else if (!sequence.endsWith('m')) throw new Error(`The terminal does not know ${JSON.stringify(sequence)}.`);
    rowAt(row);
  };
  return {
    columns,
    write(text) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a terminal obeys.
      for (const part of text.match(/\u001b\[[0-9]*[A-Za-z]|./gsu) ?? [])
        if (part < ' ') control(part);
        else put(part);
    },
    rows: () => rows.map((cells) => cells.join('').trimEnd()),
  };
}
