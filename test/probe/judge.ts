/** Whether a run ended as its row says. Pure. */
import type { Row } from './inputs/row.ts';
import type { Measured } from './measure.ts';

/** How long after its limit a run may end: timers are late on a busy machine. */
export const slackMs = 2_000;

/** What is not as expected, in words; nothing where all is. */
export function problemsOf(row: Row, { fate, report, exits, complaint }: Measured): readonly string[] {
  const why = complaint === '' ? '' : `: ${complaint}`;
  if (report === null) return [`it ${fate}${why}`];
  const { expected, limitMs } = row;
  const { ending, elapsedMs } = report;
  const same = (what: string, is: unknown, should: unknown) =>
    is === should ? [] : [`${what} is ${JSON.stringify(is)}, not ${JSON.stringify(should)}`];
  return [
    ...same('the ending', ending.kind, expected.kind),
    ...same('the reason', ending.reason, expected.reason),
    ...same('the answer', ending.answer, expected.answer),
    ...same('the number of model calls', report.modelCalls, expected.modelCalls),
    ...same('the number of tool starts', report.toolStarts, expected.toolStarts),
    ...(elapsedMs > (limitMs ?? 0) + slackMs ? [`it took ${elapsedMs} ms, more than its limit`] : []),
    ...(elapsedMs < (limitMs ?? 0) - 5 ? [`it took ${elapsedMs} ms, less than its limit`] : []),
    ...(report.peakMiB > (expected.mostMiB ?? Number.POSITIVE_INFINITY) ? [`it took ${report.peakMiB} MiB`] : []),
    ...(exits ? [] : [`the process does not end by itself and well${why}`]),
  ];
}
