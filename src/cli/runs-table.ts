/** The list of stored runs: a table for a terminal, and lines with tabs for anything else. Pure. */
import type { StoredRun } from '../core/store.ts';
import { endings } from './endings.ts';
import { grouped } from './flag-table.ts';
import { columnsAtMost, cut, oneLine } from './plain-text.ts';
import type { Look, Style } from './style.ts';
import { spanText } from './words.ts';

export interface RunsTableOptions {
  readonly style: Style;
  readonly columns: number;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Of each run id, what is shown. */
  readonly idOf: (runId: string) => string;
}

const widths = Object.freeze({ status: 11, age: 7, longestId: 36 });
/** In columns: what a terminal that is narrower still is taken for. */
const narrowest = 24;
const indent = '  ';

export function runsTable(runs: readonly StoredRun[], options: RunsTableOptions): string {
  const columns = Math.max(narrowest, options.columns) - 1;
  const ids = runs.map(({ runId }) => cut(options.idOf(runId), widths.longestId));
  const widest = Math.max('run'.length, ...chunked(ids.map(columnsAtMost)));
  const row = (cells: readonly string[]) => cut(cells.join('  '), columns).trimEnd();
  const title = row([padded('run', widest), padded('status', widths.status), 'started', 'changed', 'task']);
  const rows = runs.map((run, index) => {
    const { status, startedAtMs, changedAtMs, task } = run;
    const head = [padded(ids[index] ?? '', widest), padded(status, widths.status)];
    const ages = [startedAtMs, changedAtMs].map((atMs) => padded(ageText(atMs, options.nowMs), widths.age));
    const line = row([...head, ...ages, oneLine(task)]);
    const below = detailsOf(run).map((text) => `${indent}${cut(oneLine(text), columns - indent.length)}\n`);
    return `${styledStatus(line, status, options.style)}\n${below.join('')}`;
  });
  return `${options.style('dim', title)}\n${rows.join('')}`;
}

/** `Math.max` of very many arguments fails. */
function chunked(numbers: readonly number[]): readonly number[] {
  return [numbers.reduce((most, one) => Math.max(most, one), 0)];
}

function styledStatus(line: string, status: StoredRun['status'], style: Style): string {
  const look = looks[status];
  return look === undefined ? line : line.replace(`  ${status}`, () => `  ${style(look, status)}`);
}

const looks: Readonly<Partial<Record<StoredRun['status'], Look>>> = {
  running: 'good',
  suspended: 'warning',
  interrupted: 'warning',
  unreadable: 'bad',
};

/** Why it stopped, what it waits for, who holds it, what is wrong with it. */
function detailsOf({ status, stopReason, waiting, heldBy, problem }: StoredRun): readonly string[] {
  if (problem !== null) return [problem];
  if (status === 'running') return [`held by ${heldBy ?? 'somebody'}`];
  if (stopReason !== null && stopReason !== 'final') return [`${stopReason}: ${endings[stopReason].words}`];
  return waiting.map(({ toolCallId, tool, input }) => `waits: ${toolCallId} ${tool} ${JSON.stringify(input)}`);
}

function ageText(atMs: number | null, nowMs: number): string {
  return atMs === null ? '-' : spanText(Math.max(0, nowMs - atMs));
}

function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsAtMost(text)));
}

/** One line, its fields between tabs. */
export function runLine(run: StoredRun): string {
  const { runId, status, stopReason, startedAtMs, changedAtMs, task } = run;
  const detail = detailsOf(run).join('; ');
  const why = status === 'ended' ? (stopReason ?? '') : detail;
  return `${[oneLine(runId), status, oneLine(why), instant(startedAtMs), instant(changedAtMs), oneLine(task)].join('\t')}\n`;
}

/** What was read from a disk may be no instant. */
function instant(atMs: number | null): string {
  const date = new Date(atMs ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? '-' : date.toISOString();
}

export interface Counted {
  readonly shown: number;
  readonly found: number;
  readonly suspended: number;
  readonly interrupted: number;
}

/** What stands below the table. */
export function tally({ shown, found, suspended, interrupted }: Counted, store: string): string {
  const left = found - shown;
  const parts = [
    `${grouped(found)} ${found === 1 ? 'run' : 'runs'}`,
    ...(left > 0 ? [`${grouped(left)} older not shown (--limit N)`] : []),
    ...(suspended > 0 ? [`${grouped(suspended)} to be decided`] : []),
    ...(interrupted > 0 ? [`${grouped(interrupted)} interrupted`] : []),
  ];
  const next = suspended + interrupted > 0 ? `\nTo go on with one: fuseloop resume RUN --store ${oneLine(store)}` : '';
  return `${parts.join(' · ')}${next}\n`;
}

/** Random ids by so much of their beginning that no other of the store has it; all others as they are. */
export function shortIds(runIds: readonly string[]): (runId: string) => string {
  const sorted = [...runIds].sort();
  const short = new Map<string, string>();
  for (const [index, runId] of sorted.entries()) {
    if (!uuid.test(runId)) continue;
    const common = [sorted[index - 1], sorted[index + 1]].map((other) => commonStart(runId, other ?? ''));
    short.set(runId, runId.slice(0, Math.max(shortest, ...common.map((length) => length + 1))));
  }
  return (runId) => short.get(runId) ?? oneLine(runId);
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const shortest = 8;

function commonStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}
