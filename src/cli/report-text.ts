/** A report for a terminal, or a pipe: tables with bars, as wide as there is room. Pure. */
import type { FailureCluster, Metrics } from '../observe/report/metrics.ts';
import {
  headline,
  type Mood,
  type Row,
  type Section,
  sectionsOf,
  subline,
  type Table,
} from '../observe/report/sections.ts';
import { counted, numberText } from '../observe/report/words.ts';
import { columnsAtMost, cut, oneLine, wrapped } from './plain-text.ts';
import type { Look, Style } from './style.ts';

export interface ReportTextOptions {
  readonly style: Style;
  readonly columns: number;
  /** How a file is named in a command. */
  readonly quote: (file: string) => string;
}

const narrowest = 40;
const widest = 110;
const longestBar = 30;
const mostFailures = 10;

export function reportText(metrics: Metrics, { style, columns, quote }: ReportTextOptions): string {
  const width = Math.min(widest, Math.max(narrowest, columns)) - 1;
  const { text, mood } = headline(metrics);
  const rate = metrics.successRate;
  const top = [
    style(lookOf[mood] ?? 'title', text),
    ...(rate === null ? [] : [gauge(rate, width, mood, style)]),
    style('dim', wrapped(subline(metrics), width)),
  ];
  const sections = sectionsOf(metrics).map((section) => sectionText(section, width, style));
  const failures = failuresText(metrics.failures, { style, width, quote });
  return `${[top.join('\n'), ...sections, ...failures].join('\n\n')}\n`;
}

const lookOf: { readonly [mood in Mood]: Look | null } = { good: 'good', warning: 'warning', bad: 'bad', plain: null };

function gauge(rate: number, width: number, mood: Mood, style: Style): string {
  const length = Math.min(60, width);
  const full = Math.min(length, Math.floor(rate * length + 1e-9));
  return style(lookOf[mood] ?? 'title', '█'.repeat(full)) + style('dim', '░'.repeat(length - full));
}

function sectionText({ title, tables, sentences }: Section, width: number, style: Style): string {
  const shown = tables.filter(({ rows }) => rows.length > 0).map((table) => tableText(table, width, style));
  const told = sentences.map((sentence) => style('dim', wrapped(`  ${oneLine(sentence)}`, width)));
  return [style('title', title), ...(shown.length === 0 ? [] : [shown.join('\n\n')]), ...told].join('\n');
}

function tableText({ columns, rows }: Table, width: number, style: Style): string {
  const kept = columnsThatFit(columns, rows, width);
  const heads = kept.map((at) => columns[at] ?? '');
  const cells = rows.map((row) => kept.map((at) => oneLine(row.cells[at] ?? '')));
  const widths = heads.map((head, at) => Math.max(...[head, ...cells.map((row) => row[at] ?? '')].map(columnsAtMost)));
  const others = widths.slice(1).reduce((sum, each) => sum + each + 2, 2);
  widths[0] = Math.max(6, Math.min(widths[0] ?? 0, width - others));
  const room = Math.min(longestBar, width - others - (widths[0] ?? 0) - 2);
  const line = (row: readonly string[]) =>
    `  ${row.map((cell, at) => padded(cell, widths[at] ?? 0, at === 0)).join('  ')}`;
  const body = cells.map((row, at) => withBar(line(row), rows[at], room, style));
  return [style('dim', line(heads).trimEnd()), ...body].join('\n');
}

/** Where there is no room for all, the last go; the first two stay. */
function columnsThatFit(columns: readonly string[], rows: readonly Row[], width: number): readonly number[] {
  const widthOf = (at: number) =>
    Math.max(...[columns[at] ?? '', ...rows.map(({ cells }) => cells[at] ?? '')].map(columnsAtMost));
  let used = 2 + Math.min(widthOf(0), 12);
  return columns.flatMap((_, at) => {
    if (at > 0) used += widthOf(at) + 2;
    return at < 2 || used <= width ? [at] : [];
  });
}

function withBar(line: string, row: Row | undefined, room: number, style: Style): string {
  const look = lookOf[row?.mood ?? 'plain'];
  if (row?.bar === null || row === undefined) return look === null || look === 'good' ? line : style(look, line);
  if (room < 4) return line;
  return `${line}  ${style(look ?? 'title', barOf(row.bar, room))}`.trimEnd();
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

function barOf(share: number, room: number): string {
  const parts = Math.round(Math.min(1, Math.max(0, share)) * room * 8);
  const shown = share > 0 ? Math.max(1, parts) : 0;
  return '█'.repeat(Math.floor(shown / 8)) + (eighths[shown % 8] ?? '');
}

function padded(text: string, columns: number, left: boolean): string {
  const shown = cut(text, columns);
  const gap = ' '.repeat(Math.max(0, columns - columnsAtMost(shown)));
  return left ? shown + gap : gap + shown;
}

function failuresText(
  failures: readonly FailureCluster[],
  { style, width, quote }: Pick<ReportTextOptions, 'style' | 'quote'> & { readonly width: number },
): readonly string[] {
  if (failures.length === 0) return [];
  const shown = failures.slice(0, mostFailures).flatMap(({ stopReason, what, runs, example }) => {
    const { runId, file, step, message } = example;
    const at = `run ${oneLine(runId)}${step === null ? '' : `, step ${step}`}`;
    const look = file === null || file === '-' ? '' : `fuseloop inspect ${quote(file)}`;
    return [
      `  ${style('bad', `${numberText(runs)} ×`)} ${cut(oneLine(`${stopReason}${what === '' ? '' : ` · ${what}`}`), width - 8)}`,
      ...(message === '' || message === what ? [] : [style('dim', `      ${cut(oneLine(message), width - 7)}`)]),
      style('dim', `      ${cut(at, width - 7)}`),
      ...(look === '' ? [] : [`      ${look}`]),
    ];
  });
  const rest = failures.length - mostFailures;
  const more = rest > 0 ? [style('dim', `  and ${counted(rest, 'further kind')}: --json has all.`)] : [];
  return [[style('title', 'Failures, by what is alike'), ...shown, ...more].join('\n')];
}
