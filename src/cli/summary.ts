/** What is printed when a run has ended: the answer or what there is of it, and the closing table. Pure. */
import type { Budget } from '../core/limits.ts';
import type { Outcome, StepCall } from '../core/outcome.ts';
import { endings } from './endings.ts';
import { grouped } from './flag-table.ts';
import { shortened, visible } from './plain-text.ts';
import { seconds } from './progress.ts';
import { rule } from './reply-text.ts';
import type { Look, Style } from './style.ts';

export interface SummaryOptions {
  readonly style: Style;
  readonly limits: Pick<Budget, 'maxSteps' | 'maxTokens'>;
  /** What was shown as the answer while it streamed; it is not printed twice. */
  readonly answerShown: string | null;
  /** Where the trace was written. */
  readonly trace: string | undefined;
  /** What to type to go on with a run that is stored; null where it is not, or no run goes on from its end. */
  readonly next: readonly string[] | null;
}

export function summary(outcome: Outcome, options: SummaryOptions): string {
  const table = rowsOf(outcome, options)
    .filter(([, value]) => value !== '')
    .map(([name, value, look]) => {
      const label = options.style('dim', name.padEnd(labelWidth));
      return `${label}${look === undefined ? value : options.style(look, value)}\n`;
    });
  return `\n${whatThereIs(outcome, options)}${table.join('')}`;
}

const labelWidth = 12;

function whatThereIs(outcome: Outcome, { style, answerShown }: SummaryOptions): string {
  const framed = (look: Look, title: string, text: string) => {
    const edge = style('dim', rule);
    return `${edge}\n${style(look, `${title}:`)} ${visible(text).trim()}\n${edge}\n\n`;
  };
  if (outcome.ok) {
    const seen = answerShown?.trim() === visible(outcome.answer).trim();
    return seen ? '' : framed('answer', 'Answer', outcome.answer);
  }
  const { partial } = outcome;
  if (partial === null || partial.trim() === '') return '';
  return framed('warning', 'Not answered. The last that the model wrote', partial);
}

type Row = readonly [name: string, value: string, look?: Look];

function rowsOf(outcome: Outcome, { limits, trace, next }: SummaryOptions): readonly Row[] {
  const { usage, violations, steps, runId, startedAtMs, endedAtMs } = outcome;
  const calls = steps.flatMap((step) => step.calls);
  return [
    ...resultRows(outcome, next !== null),
    ['Steps', `${grouped(usage.steps)}${ofMost(limits.maxSteps)}`],
    ['Tool calls', callsText(calls)],
    ...outcome.unknown.map(
      ({ tool, input }): Row => [
        'Unknown',
        `${visible(tool)} ${visible(JSON.stringify(input))} was started; nobody knows whether it took effect`,
        'bad',
      ],
    ),
    violations === 0 ? ['Violations', '0'] : ['Violations', grouped(violations), 'warning'],
    ['Tokens', tokensText(outcome, limits)],
    ['Time', `${seconds(endedAtMs - startedAtMs)} s`],
    ['Run', runId],
    ['Trace', trace ?? ''],
    ['Go on', (next ?? []).join(`\n${' '.repeat(labelWidth)}`)],
  ];
}

/** Of a call that is decided from outside, the id is told. */
function resultRows(outcome: Outcome, isStored: boolean): readonly Row[] {
  const { words, next } = endings[outcome.stopReason];
  if (outcome.ok) return [['Result', words, 'good'], ...outcome.notes.map(noteRow)];
  const { error, steps } = outcome;
  return [
    ['Result', `not answered: ${words}${words === outcome.stopReason ? '' : ` (${outcome.stopReason})`}`, 'bad'],
    ['Reason', error === undefined ? '' : shortened(visible(error.message), most)],
    ...steps.flatMap(({ calls }) =>
      calls.filter(({ status }) => status === 'waiting').map((call) => waitingRow(call, isStored)),
    ),
    ['Next', error === undefined ? (isStored ? '' : next) : shortened(visible(error.hint), most)],
  ];
}

function noteRow(note: string): Row {
  return ['Note', shortened(visible(note), most), 'warning'];
}

function waitingRow({ toolCallId, tool, input }: StepCall, isStored: boolean): Row {
  return [
    'Waits',
    shortened(`${isStored ? `${toolCallId} ` : ''}${visible(tool)} ${visible(JSON.stringify(input))}`, most),
    'warning',
  ];
}

const most = Object.freeze({ lines: 6, characters: 600 });

/** Such as `7: read_repo_file 3 (1 failed), query_metrics 2`. */
function callsText(calls: readonly StepCall[]): string {
  const tools = [...new Set(calls.map(({ tool }) => tool))].map((tool) => {
    const own = calls.filter((call) => call.tool === tool);
    return { tool, count: own.length, note: statusesText(own) };
  });
  const parts = tools
    .sort((a, b) => b.count - a.count)
    .map(({ tool, count, note }) => `${visible(tool)} ${grouped(count)}${note}`);
  return [grouped(calls.length), ...(parts.length === 0 ? [] : [parts.join(', ')])].join(': ');
}

function statusesText(calls: readonly StepCall[]): string {
  const others = calls.map(({ status }) => status).filter((status) => status !== 'succeeded');
  const parts = [...new Set(others)].map((status) => `${others.filter((each) => each === status).length} ${status}`);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** Of a run that was over before it was shown, the limits are not known. */
function ofMost(limit: number): string {
  return limit === 0 ? '' : ` of ${grouped(limit)}`;
}

function tokensText({ usage }: Outcome, { maxTokens }: Pick<Budget, 'maxTokens'>): string {
  const { totalTokens, inputTokens, outputTokens, estimated, overrun } = usage;
  if (totalTokens === 0) return `0${ofMost(maxTokens)}`;
  const how = estimated ? 'estimated' : 'counted by the provider';
  const over = overrun === 0 ? '' : `; ${grouped(overrun)} above the budget`;
  return `${grouped(totalTokens)}${ofMost(maxTokens)} (${grouped(inputTokens)} read, ${grouped(outputTokens)} written; ${how}${over})`;
}
