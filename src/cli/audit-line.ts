/** A record of the audit as a line. Pure. */
import type { AuditRecord, Decision } from '../observe/audit-record.ts';
import { instantOf } from '../observe/audit-words.ts';
import { columnsAtMost, cut, oneLine } from './plain-text.ts';
import type { Look, Style } from './style.ts';

export interface AuditLineOptions {
  readonly style: Style;
  /** Of the terminal; null where there is none. */
  readonly columns: number | null;
}

const widths = Object.freeze({ call: 4, decision: 9, tool: 10 });
const hashLength = 6;
/** Without a terminal, in columns. */
const longestReason = 240;
/** Where a terminal leaves less for the reason, it gets a line of its own. */
const shortestReason = 20;
const indent = '    ';

export function auditLine(record: AuditRecord, { style, columns }: AuditLineOptions): string {
  const { wallMs, callId, step, decision, tool, inputHash } = record;
  const [time, call, name] = [instantOf(wallMs).replace(/\.\d+Z$/, 'Z'), callId ?? step ?? '-', tool ?? '-'];
  const head = [time, padded(String(call), widths.call)].join(' ');
  const tail = [
    padded(cut(oneLine(name), Math.max(widths.tool, (columns ?? 200) / 5)), widths.tool),
    (inputHash === null ? '-' : `#${inputHash.slice(0, hashLength)}`).padEnd(hashLength + 1),
  ].join(' ');
  const used = columnsAtMost(`${head}  ${tail} `) + widths.decision;
  const shown = `${head} ${style(looks[decision], decision.padEnd(widths.decision))} ${tail}`;
  const reason = oneLine(reasonOf(record));
  if (reason === '') return `${shown.trimEnd()}\n`;
  if (columns === null) return `${shown} ${cut(reason, longestReason)}\n`;
  const room = columns - 1 - used;
  if (room >= shortestReason) return `${shown} ${cut(reason, room)}\n`;
  return `${shown.trimEnd()}\n${indent}${cut(reason, columns - 1 - indent.length)}\n`;
}

/** What stands above the lines, for a terminal. */
export function auditTitles({ style, columns }: AuditLineOptions & { readonly columns: number }): string {
  const time = 'time (UTC)'.padEnd(instantOf(0).replace(/\.\d+Z$/, 'Z').length);
  const call = padded('call', widths.call);
  const decision = 'decision'.padEnd(widths.decision);
  const tool = padded('tool', widths.tool);
  const titles = `${time} ${call} ${decision} ${tool} ${'input'.padEnd(hashLength + 1)} why`;
  return `${style('dim', cut(titles, columns - 1).trimEnd())}\n`;
}

/** Such as `callLimit: save was not run …`, or `by ada: not on Fridays`. */
function reasonOf({ decision, gate, by, why, late, runId }: AuditRecord): string {
  const who = by === null ? '' : `by ${by}`;
  const where = gate === null || decision === 'asked' ? '' : gate;
  const run = decision === 'started' || decision === 'resumed' ? `; run ${runId ?? '?'}` : '';
  const first = [late ? 'late, without effect' : '', where, who].filter((part) => part !== '').join(', ');
  return [first, why].filter((part) => part !== '').join(': ') + run;
}

function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsAtMost(text)));
}

const looks: Readonly<Record<Decision, Look>> = {
  started: 'title',
  resumed: 'title',
  ended: 'title',
  aborted: 'bad',
  store_failed: 'bad',
  run: 'good',
  asked: 'call',
  refused: 'warning',
  waiting: 'call',
  approved: 'good',
  denied: 'warning',
  retried: 'dim',
  succeeded: 'dim',
  failed: 'warning',
  unknown: 'bad',
  unsettled: 'bad',
  accepted: 'good',
  rejected: 'warning',
};
