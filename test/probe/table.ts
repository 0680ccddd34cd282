/** The results as a table: aligned for a terminal, or as Markdown. Pure. */

import type { Row } from './inputs/row.ts';
import { problemsOf } from './judge.ts';
import type { Measured } from './measure.ts';

export interface Result {
  readonly row: Row;
  readonly measured: Measured;
}

const heads = ['input', 'limit', 'ending', 'model calls', 'tool starts', 'took', 'process ends'];
/** Columns of numbers are flush right. */
const right = new Set(['model calls', 'tool starts', 'took']);

export function terminalTable(results: readonly Result[]): string {
  const body = results.map((result) => [markOf(result), ...cells(result)]);
  const lines = aligned([['', ...heads], ...body], ['', ...heads]);
  const problems = results.flatMap(({ row, measured }) =>
    problemsOf(row, measured).map((problem) => `${row.id}: ${problem}`),
  );
  return [...lines, ...(problems.length > 0 ? ['', 'Not as expected:', ...problems] : [])].join('\n');
}

export function markdownTable(results: readonly Result[]): string {
  const rule = heads.map((head) => (right.has(head) ? '--:' : '---'));
  return [heads, rule, ...results.map(cells)].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function markOf({ row, measured }: Result): string {
  return problemsOf(row, measured).length === 0 ? '✓' : '✗';
}

function cells({ row, measured }: Result): readonly string[] {
  const { report } = measured;
  return [
    row.what,
    row.limit,
    endingOf(measured),
    String(report?.modelCalls ?? ''),
    String(report?.toolStarts ?? ''),
    report === null ? '' : tookOf(row, report),
    measured.exits ? 'yes' : 'no',
  ];
}

export function endingOf({ fate, report }: Measured): string {
  if (report === null) return fate;
  const { kind, reason } = report.ending;
  if (kind === 'answered') return 'answered';
  return kind === 'stopped' ? reason : `${kind}: ${reason}`;
}

function tookOf({ expected }: Row, report: NonNullable<Measured['report']>): string {
  const took = `${report.elapsedMs.toLocaleString('en')} ms`;
  return expected.mostMiB === undefined ? took : `${took}, ${report.peakMiB} MiB`;
}

function aligned(rows: readonly (readonly string[])[], names: readonly string[]): readonly string[] {
  const widths = names.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return right.has(names[column] ?? '') ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
}
