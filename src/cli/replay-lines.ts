/** What `fuseloop replay` prints of a trace. Pure. */
import type { TraceDifference } from '../record/follow-trace.ts';
import type { RunReplay, TraceReplay } from '../record/replay-trace.ts';
import { grouped } from './flag-table.ts';
import { oneLine } from './plain-text.ts';
import type { TraceFaults } from './read-trace.ts';
import type { Style } from './style.ts';

/** What came of one trace. */
export interface Replayed {
  /** As it was named. */
  readonly trace: string;
  readonly replay: TraceReplay;
  readonly faults: TraceFaults;
}

export function isAsRecorded({ replay }: Replayed): boolean {
  return replay.differences.length === 0;
}

/** The first say what is wrong, and the rest follows from them more often than not. */
const mostShown = 10;

export function replayLines(replayed: Replayed, style: Style): string {
  const { trace, replay, faults } = replayed;
  const { agreed, compared, differences, runs } = replay;
  const name = trace === '-' ? 'stdin' : oneLine(trace);
  const of = runs.length === 1 ? '' : ` in ${grouped(runs.length)} runs`;
  const count = agreed === compared ? `${events(agreed)} agree` : `${grouped(agreed)} of ${events(compared)} agree`;
  const verdict = isAsRecorded(replayed) ? style('good', 'same') : style('bad', 'differs');
  const rest = differences.length - mostShown;
  const lines = [
    `${verdict} ${name}: ${count}${of}`,
    ...differences.slice(0, mostShown).map((difference) => `  ${differenceLine(difference)}`),
    ...(rest > 0 ? [`  … and ${grouped(rest)} more: --json has them all`] : []),
    ...(faults.torn === null ? [] : [`  The last line, ${faults.torn}, breaks off, and is left out.`]),
    ...runs.flatMap(leftOutLine),
  ];
  return `${lines.join('\n')}\n`;
}

/** Where it is a difference, it has been said. */
function leftOutLine({ runId, leftOut, differences }: RunReplay): readonly string[] {
  if (leftOut === null || differences.some(({ message }) => message.startsWith(leftOut))) return [];
  return [`  Run ${oneLine(runId)}: ${leftOut}.`];
}

function differenceLine({ step, sequence, event, message }: TraceDifference): string {
  const place = [
    ...(step === null ? [] : [`step ${step}`]),
    ...(sequence === null ? [event] : [`event ${sequence} (${event})`]),
  ];
  return oneLine(`${place.join(', ')}: ${message}`);
}

export function replaySummary(all: readonly Replayed[], style: Style): string {
  const other = all.filter((one) => !isAsRecorded(one)).length;
  const told =
    other === 0
      ? style('good', 'none differs')
      : style('bad', `${grouped(other)} ${other === 1 ? 'differs' : 'differ'}`);
  return `${grouped(all.length)} traces: ${told}\n`;
}

function events(count: number): string {
  return `${grouped(count)} ${count === 1 ? 'event' : 'events'}`;
}
