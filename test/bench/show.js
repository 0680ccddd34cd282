/** How the figures are shown. */

/** `bar`: null for a figure that is for information. `side`: whether the bar is the most or the least it may be. */
export function row(name, text, value, bar, side = 'most') {
  const isWithin = side === 'most' ? value <= bar : value >= bar;
  return { name, text, bar, side, over: bar !== null && !isWithin };
}

export function printRows(rows) {
  printTable(
    ['figure', 'value', 'bar', ''],
    rows.map((one) => [one.name, one.text, barOf(one), verdictOf(one)]),
  );
}

function barOf({ bar, side }) {
  if (bar === null) return '–';
  return `${side === 'most' ? '≤' : '≥'} ${bar}`;
}

function verdictOf({ bar, over }) {
  if (bar === null) return 'for information';
  return over ? 'OVER THE BAR' : 'pass';
}

export function printTable(head, rows) {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((cells) => cells[column].length)));
  for (const cells of [head, widths.map((width) => '─'.repeat(width)), ...rows])
    console.log(`  ${cells.map((cell, column) => cell.padEnd(widths[column])).join('  ')}`.trimEnd());
}

/** One line that overwrites itself; empty clears it. */
export function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}
