/** What the simulated hours brought, as text. Pure. */
import { flatness, line, megabytes } from '../lines.ts';
import type { Hour, HoursResult } from './hours.ts';

export function hourLine({ hour, ended, live, crashes, stored, heap, armed }: Hour): string {
  return [
    `hour ${hour}`,
    `${ended} runs ended`,
    `${live} go on`,
    `${crashes} processes died`,
    `${megabytes(stored.bytes)} for ${stored.runs} runs stored`,
    ...(heap === null ? [] : [`heap ${megabytes(heap)} beside it`]),
    `${armed} timers`,
  ].join(' · ');
}

const shownNights = 6;

/** What is not as it should be; nothing where all is. */
export function hoursProblems({ problems, memory, ended, broken }: HoursResult): readonly string[] {
  return [
    ...problems,
    ...(memory?.flat === false ? [`memory grows by ${megabytes(memory.slope)} a slice`] : []),
    ...(ended > 0 || broken ? [] : ['no run came to its end: give it more hours']),
  ];
}

export function hoursReport(result: HoursResult, given: { readonly hours: number; readonly seed: number }): string {
  const { effects, nights, most, memory, broken } = result;
  const problems = hoursProblems(result);
  const sizeOf = ({ runs, bytes }: HoursResult['most']) => `${megabytes(bytes)} for ${runs} runs`;
  return [
    `${result.ended} runs in ${given.hours} simulated hours, the last ended in hour ${result.lastHour} (seed ${given.seed})`,
    '',
    'Outcomes',
    ...[...result.endings].sort().map(([reason, count]) => line(reason, count)),
    '',
    line('processes that died', result.crashes),
    line('runs taken up behind a death', result.interrupted),
    line('runs that waited in the store', result.suspended),
    line('effects done', effects.done),
    line('told as unknown', effects.unknown),
    line('done again under their keys', effects.again),
    line('lines written', result.lines),
    line('digest of all lines', result.digest.slice(0, 16)),
    line('pruned', `${result.pruned} runs`),
    ...nights.slice(0, shownNights).map((size, at) => line(`stored behind night ${at + 1}`, sizeOf(size))),
    line('stored at most', sizeOf(most)),
    ...(memory === null
      ? []
      : [
          line(
            'heap beside the store',
            `${megabytes(memory.first)} warm, ${megabytes(memory.last)} at the end; ${flatness(memory.flat)}`,
          ),
        ]),
    '',
    ...problems.map((problem) => `Not as it should be: ${problem}.`),
    ...(broken ? ['Interrupted: this is what was seen until then.'] : []),
    ...(problems.length === 0 ? ['Every run that ended did so as its story implies.'] : []),
  ].join('\n');
}
